// RUN: mirage-opt %s -convert-nvvm-to-host -split-input-file -verify-diagnostics

module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @unknown_op() {
      // expected-error @below {{'nvvm.cp.async.commit.group' op has no emulation on the host}}
      nvvm.cp.async.commit.group
      llvm.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @barrier_of_some(%n: i32) {
      // expected-error @below {{'nvvm.barrier' op has no emulation on the host}}
      nvvm.barrier id = %n number_of_threads = %n
      llvm.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @intrinsic(%x: f32) -> f32 {
      // expected-error @below {{'llvm.call_intrinsic' op calls llvm.nvvm.ex2.approx.f, which has no emulation on the host}}
      %0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.f"(%x) : (f32) -> f32
      llvm.return %0 : f32
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @assembly() {
      // expected-error @below {{'llvm.inline_asm' op has no emulation on the host}}
      llvm.inline_asm has_side_effects "trap;", "" : () -> ()
      llvm.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    // expected-error @below {{'gpu.func' op can't be moved to the host, expected only LLVM functions and globals}}
    gpu.func @not_lowered() kernel {
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @half_lowered(%x: f32) -> f32 {
      // expected-error @below {{'arith.addf' op is neither in the LLVM nor in the NVVM dialect}}
      %0 = arith.addf %x, %x : f32
      llvm.return %0 : f32
    }
  }
}
