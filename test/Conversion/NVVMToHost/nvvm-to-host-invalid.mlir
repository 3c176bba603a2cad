// RUN: mirage-opt %s -convert-nvvm-to-host -split-input-file -verify-diagnostics

module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @unknown_op() {
      // expected-error @below {{'nvvm.breakpoint' op has no emulation on the host}}
      nvvm.breakpoint
      llvm.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @barrier_that_reduces(%p: i32) -> i32 {
      // expected-error @below {{'nvvm.barrier' op has no emulation on the host}}
      %0 = nvvm.barrier #nvvm.reduction<popc> %p -> i32
      llvm.return %0 : i32
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @redux_of_floats(%x: f32, %mask: i32) -> f32 {
      // expected-error @below {{'nvvm.redux.sync' op has no emulation on the host}}
      %0 = nvvm.redux.sync fmin %x, %mask : f32 -> f32
      llvm.return %0 : f32
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @ballot(%p: i1, %mask: i32) -> i32 {
      // expected-error @below {{'nvvm.vote.sync' op has no emulation on the host}}
      %0 = nvvm.vote.sync ballot %mask, %p -> i32
      llvm.return %0 : i32
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @ldmatrix_of_bytes(%p: !llvm.ptr<3>) -> !llvm.struct<(i32, i32)> {
      // expected-error @below {{'nvvm.ldmatrix' op has no emulation on the host}}
      %0 = nvvm.ldmatrix %p {num = 1 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 16>, eltType = #nvvm.ld_st_matrix_elt_type<b8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
      llvm.return %0 : !llvm.struct<(i32, i32)>
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @mma_of_integers(%a: i32, %b: i32, %c: i32) -> !llvm.struct<(i32, i32)> {
      // expected-error @below {{'nvvm.mma.sync' op has no emulation on the host}}
      %0 = nvvm.mma.sync A[%a] B[%b] C[%c, %c] {intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>, shape = #nvvm.shape<m = 8, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32, i32)>
      llvm.return %0 : !llvm.struct<(i32, i32)>
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

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @im2col(%d: !llvm.ptr<7>, %map: !llvm.ptr, %bar: !llvm.ptr<3>, %c: i32, %offset: i16) {
      // expected-error @below {{'nvvm.cp.async.bulk.tensor.shared.cluster.global' op has no emulation on the host}}
      nvvm.cp.async.bulk.tensor.shared.cluster.global %d, %map, %bar, box[%c, %c, %c] im2col[%offset] {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<7>, !llvm.ptr
      llvm.return
    }
  }
}

// -----

!sums = !llvm.struct<(i32, i32, i32, i32)>

module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @wgmma_of_integers(%a: i64, %sums: !sums) {
      // expected-error @below {{'nvvm.wgmma.mma_async' op has no emulation on the host}}
      %0 = nvvm.wgmma.mma_async %a, %a, %sums, #nvvm.shape<m = 64, n = 8, k = 32>, D [<s32>, #nvvm.wgmma_scale_out<one>], A [<s8>, #nvvm.wgmma_scale_in<one>, <row>], B [<s8>, #nvvm.wgmma_scale_in<one>, <col>] : !sums -> !sums
      llvm.return
    }
  }
}

// -----

// Only the rounding to nearest, halves away from zero, is emulated.
module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @other_rounding(%x: f32) -> i32 {
      // expected-error @below {{'nvvm.convert.float.to.tf32' op has no emulation on the host}}
      %0 = nvvm.convert.float.to.tf32 %x {rnd = #nvvm.fp_rnd_mode<rz>}
      llvm.return %0 : i32
    }
  }
}

// -----

!sums = !llvm.struct<(f32, f32, f32, f32)>

module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.func @unwritten_sums(%a: i64, %x: f32) -> !sums {
      %u = llvm.mlir.undef : !sums
      %s = llvm.insertvalue %x, %u[0] : !sums
      // Nothing is added here.
      %0 = nvvm.wgmma.mma_async %a, %a, %s, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, #nvvm.wgmma_scale_out<zero>], A [<f16>, #nvvm.wgmma_scale_in<one>, <row>], B [<f16>, #nvvm.wgmma_scale_in<one>, <col>] : !sums -> !sums
      // expected-error @below {{'nvvm.wgmma.mma_async' op adds to accumulators that nobody has written}}
      %1 = nvvm.wgmma.mma_async %a, %a, %s, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, #nvvm.wgmma_scale_out<one>], A [<f16>, #nvvm.wgmma_scale_in<one>, <row>], B [<f16>, #nvvm.wgmma_scale_in<one>, <col>] : !sums -> !sums
      llvm.return %1 : !sums
    }
  }
}
