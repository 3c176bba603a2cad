// A kernel that does nothing: what a launch in a CUDA graph takes.
module attributes {gpu.container_module, mirage.target = #mirage.target<"sm_90a", sm_count = 132, shared_bytes = 232448, device_bytes = 141000000000, bandwidth = 4800, tflops = 990, launch_ns = 2000>} {
  gpu.module @kernels {
    gpu.func @empty() kernel { gpu.return }
  }
  func.func @empty() attributes {mirage.num_results = 0 : i64} {
    %one = arith.constant 1 : index
    %warp = arith.constant 32 : index
    gpu.launch_func @kernels::@empty blocks in (%one, %one, %one) threads in (%warp, %one, %one)
    return
  }
}
