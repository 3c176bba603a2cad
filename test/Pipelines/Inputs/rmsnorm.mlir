// z = (x w) / sqrt(sum(x^2) / 256 + eps), one block for 64 columns and all 16
// rows, 256 threads, 4 iterations over tiles of 64; as the block graph lowers.
module attributes {gpu.container_module} {
  gpu.module @mirage_kernels {
    gpu.func @rmsnorm_0(%x: memref<16x256xf16>, %w: memref<256x128xf16>, %out: memref<16x128xf16>) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 2, 1, 1>} {
      %smem = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %c256 = arith.constant 256 : index
      %c1024 = arith.constant 1024 : index
      %c4096 = arith.constant 4096 : index
      %w_at = arith.constant 2048 : index
      %acc_at = arith.constant 10240 : index
      %ss_at = arith.constant 14336 : index
      %zero = arith.constant 0.0 : f32
      %n = arith.constant 256.0 : f32
      %eps = arith.constant 1.0e-5 : f32
      %xs = memref.view %smem[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<16x64xf16, #gpu.address_space<workgroup>>
      %ws = memref.view %smem[%w_at][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<64x64xf16, #gpu.address_space<workgroup>>
      %acc = memref.view %smem[%acc_at][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<16x64xf32, #gpu.address_space<workgroup>>
      %ss = memref.view %smem[%ss_at][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<16xf32, #gpu.address_space<workgroup>>
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %column0 = arith.muli %b, %c64 : index
      scf.for %e = %t to %c1024 step %c256 {
        %i = arith.divui %e, %c64 : index
        %j = arith.remui %e, %c64 : index
        memref.store %zero, %acc[%i, %j] : memref<16x64xf32, #gpu.address_space<workgroup>>
      }
      %is_row = arith.cmpi ult, %t, %c16 : index
      scf.if %is_row {
        memref.store %zero, %ss[%t] : memref<16xf32, #gpu.address_space<workgroup>>
      }
      scf.for %k = %c0 to %c4 step %c1 {
        %k0 = arith.muli %k, %c64 : index
        scf.for %e = %t to %c1024 step %c256 {
          %i = arith.divui %e, %c64 : index
          %j = arith.remui %e, %c64 : index
          %kj = arith.addi %k0, %j : index
          %v = memref.load %x[%i, %kj] : memref<16x256xf16>
          memref.store %v, %xs[%i, %j] : memref<16x64xf16, #gpu.address_space<workgroup>>
        }
        scf.for %e = %t to %c4096 step %c256 {
          %i = arith.divui %e, %c64 : index
          %j = arith.remui %e, %c64 : index
          %ki = arith.addi %k0, %i : index
          %cj = arith.addi %column0, %j : index
          %v = memref.load %w[%ki, %cj] : memref<256x128xf16>
          memref.store %v, %ws[%i, %j] : memref<64x64xf16, #gpu.address_space<workgroup>>
        }
        gpu.barrier
        scf.for %e = %t to %c1024 step %c256 {
          %i = arith.divui %e, %c64 : index
          %j = arith.remui %e, %c64 : index
          %a0 = memref.load %acc[%i, %j] : memref<16x64xf32, #gpu.address_space<workgroup>>
          %a = scf.for %l = %c0 to %c64 step %c1 iter_args(%s = %a0) -> f32 {
            %xh = memref.load %xs[%i, %l] : memref<16x64xf16, #gpu.address_space<workgroup>>
            %wh = memref.load %ws[%l, %j] : memref<64x64xf16, #gpu.address_space<workgroup>>
            %xf = arith.extf %xh : f16 to f32
            %wf = arith.extf %wh : f16 to f32
            %p = arith.mulf %xf, %wf : f32
            %next = arith.addf %s, %p : f32
            scf.yield %next : f32
          }
          memref.store %a, %acc[%i, %j] : memref<16x64xf32, #gpu.address_space<workgroup>>
        }
        scf.if %is_row {
          %s0 = memref.load %ss[%t] : memref<16xf32, #gpu.address_space<workgroup>>
          %s1 = scf.for %l = %c0 to %c64 step %c1 iter_args(%s = %s0) -> f32 {
            %xh = memref.load %xs[%t, %l] : memref<16x64xf16, #gpu.address_space<workgroup>>
            %xf = arith.extf %xh : f16 to f32
            %p = arith.mulf %xf, %xf : f32
            %next = arith.addf %s, %p : f32
            scf.yield %next : f32
          }
          memref.store %s1, %ss[%t] : memref<16xf32, #gpu.address_space<workgroup>>
        }
        gpu.barrier
      }
      scf.for %e = %t to %c1024 step %c256 {
        %i = arith.divui %e, %c64 : index
        %j = arith.remui %e, %c64 : index
        %cj = arith.addi %column0, %j : index
        %a = memref.load %acc[%i, %j] : memref<16x64xf32, #gpu.address_space<workgroup>>
        %s = memref.load %ss[%i] : memref<16xf32, #gpu.address_space<workgroup>>
        %mean = arith.divf %s, %n : f32
        %shifted = arith.addf %mean, %eps : f32
        %rms = math.sqrt %shifted : f32
        %q = arith.divf %a, %rms : f32
        %h = arith.truncf %q : f32 to f16
        memref.store %h, %out[%i, %cj] : memref<16x128xf16>
      }
      gpu.return
    }
  }
  func.func @rmsnorm(%x: memref<16x256xf16>, %w: memref<256x128xf16>, %out: memref<16x128xf16>) attributes {mirage.num_results = 1 : i64} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c256 = arith.constant 256 : index
    %shared = arith.constant 14400 : i32
    gpu.launch_func @mirage_kernels::@rmsnorm_0 blocks in (%c2, %c1, %c1) threads in (%c256, %c1, %c1)
        dynamic_shared_memory_size %shared
        args(%x : memref<16x256xf16>, %w : memref<256x128xf16>, %out : memref<16x128xf16>)
    return
  }
}
