// What the passes on block graphs write is checked wherever it stands.

// RUN: mirage-opt --split-input-file --verify-diagnostics %s

// expected-error @below {{'mirage.depth' must stand on an op of a block graph}}
func.func private @depth() attributes {mirage.depth = 0 : i64}

// -----

// expected-error @below {{'mirage.offsets' must stand on an op of a block graph}}
func.func private @offsets() attributes {mirage.offsets = array<i64: 0>}

// -----

// expected-error @below {{'mirage.scratch_bytes' must stand on an op of a block graph}}
func.func private @scratch() attributes {mirage.scratch_bytes = 16 : i64}

// -----

// expected-error @below {{'mirage.tile_bytes' must stand on an op of a block graph}}
func.func private @tile_bytes() attributes {mirage.tile_bytes = array<i64: 16>}

// -----

// expected-error @below {{'mirage.stages' must stand on an input iterator of a loop}}
func.func private @stages() attributes {mirage.stages = 2 : i64}

// -----

// expected-error @below {{'mirage.shared_bytes' must stand on a graph-defined kernel}}
func.func private @shared_bytes() attributes {mirage.shared_bytes = 16 : i64}

// -----

// expected-error @below {{'mirage.threads' must stand on a graph-defined kernel}}
func.func private @threads() attributes {mirage.threads = 128 : i64}

// -----

// expected-error @below {{'mirage.overlapped' must stand on a loop of a block graph}}
func.func private @overlapped() attributes {mirage.overlapped}

// -----

// expected-error @below {{'mirage.producer_warp' must stand on a loop of a block graph}}
func.func private @producer_warp() attributes {mirage.producer_warp}

// -----

// expected-error @below {{'mirage.narrowed' must stand on an operator of a block graph}}
func.func private @narrowed() attributes {mirage.narrowed}

// -----

// expected-error @below {{'mirage.warpgroups' must stand on an operator of a block graph}}
func.func private @warpgroups() attributes {mirage.warpgroups}

// -----

func.func @warpgroups_value(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    // expected-error @below {{'mirage.warpgroups' must be a unit, found 4 : i64}}
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.warpgroups = 4 : i64} : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

// expected-error @below {{'mirage.chained' must stand on an op of a block graph}}
func.func private @chained() attributes {mirage.chained}

// -----

func.func @chained_value(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    // expected-error @below {{'mirage.chained' must be a unit, found true}}
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.chained = true} : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

func.func @threads_range(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  // expected-error @below {{'mirage.threads' must be from 32 to 1024, found 16}}
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.threads = 16 : i64} : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

func.func @threads_warps(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  // expected-error @below {{'mirage.threads' must be a multiple of 32}}
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.threads = 48 : i64} : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

func.func @depth_type(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    // expected-error @below {{'mirage.depth' must be an i64, found 0 : i32}}
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.depth = 0 : i32} : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

func.func @depth_negative(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    // expected-error @below {{'mirage.depth' must be from 0 to 2147483647, found -1}}
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.depth = -1 : i64} : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

func.func @stages_outside_of_a_loop(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    // expected-error @below {{'mirage.stages' must stand on an input iterator of a loop}}
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.stages = 2 : i64} : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

func.func @no_stages(%x: tensor<4x32xf16>) -> tensor<4x8xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x32xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x32xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<4x8xf32> {
      // expected-error @below {{'mirage.stages' must be from 1 to 64, found 0}}
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> {mirage.stages = 0 : i64} : tensor<4x32xf16> -> !mirage.tile<4x8xf16>
      mirage_block.accumulate sum %t : !mirage.tile<4x8xf16>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<4x8xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

func.func @scratch_negative(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    // expected-error @below {{'mirage.scratch_bytes' must be from 0 to 1099511627776, found -16}}
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.scratch_bytes = -16 : i64} : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

func.func @tile_bytes_of_two(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    // expected-error @below {{'mirage.tile_bytes' has 2 values, but the op 1 results}}
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.tile_bytes = array<i64: 64, 64>} : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

func.func @offsets_text(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    // expected-error @below {{'mirage.offsets' must be an array<i64>, found "0"}}
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.offsets = "0"} : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

func.func @offsets_negative(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    // expected-error @below {{'mirage.offsets' must hold values from -1 to 1099511627776, found -2}}
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.offsets = array<i64: -2>} : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

func.func @alignment_small(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    // expected-error @below {{'mirage.tile_alignments' must hold values from 16 to 1024, found 8}}
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.tile_alignments = array<i64: 8>} : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

func.func @alignment_odd(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    // expected-error @below {{'mirage.tile_alignments' must hold powers of two, found 48}}
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.tile_alignments = array<i64: 48>} : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

func.func @layouts_number(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    // expected-error @below {{'mirage.layouts' must be an array of strings, found [0]}}
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.layouts = [0]} : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

func.func @layouts_of_two(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    // expected-error @below {{'mirage.layouts' has 2 values, but the op 1 results}}
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.layouts = ["row_major", "row_major"]} : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

func.func @layouts_unknown(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    // expected-error @below {{'mirage.layouts' has no layout 'swizzle_256'}}
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.layouts = ["swizzle_256"]} : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

func.func @layouts_narrow(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    // expected-error @below {{'mirage.layouts' has 'swizzle_32' for a tile with rows of 16 bytes, no multiple of 32}}
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.layouts = ["swizzle_32"]} : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

// expected-error @below {{'mirage.layouts' must stand on an op of a block graph}}
func.func private @layouts() attributes {mirage.layouts = []}

// -----

func.func @layouts_of_fragments(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    %r = mirage_block.graph_defined (%t) : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x8xf16> {
    ^bb0(%f: !mirage.fragment<4x8xf16>):
      // expected-error @below {{'mirage.layouts' is of tiles, found a result of type '!mirage.fragment<4x8xf32>'}}
      %e = mirage_thread.exp %f {mirage.layouts = ["row_major"]} : (!mirage.fragment<4x8xf16>) -> !mirage.fragment<4x8xf32>
      %c = mirage_thread.cast %e : (!mirage.fragment<4x8xf32>) -> !mirage.fragment<4x8xf16>
      mirage_thread.yield %c : !mirage.fragment<4x8xf16>
    }
    mirage_block.output_saver %r omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

func.func @layouts_small(%x: tensor<3x8xf32>) -> tensor<3x8xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<3x8xf32>) -> tensor<3x8xf32> {
  ^bb0(%X: tensor<3x8xf32>):
    // expected-error @below {{'mirage.layouts' has 'pairs_32' for a tile of 96 bytes, no multiple of 128}}
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.layouts = ["pairs_32"]} : tensor<3x8xf32> -> !mirage.tile<3x8xf32>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<3x8xf32> -> tensor<3x8xf32>
  }
  return %z : tensor<3x8xf32>
}

// -----

// expected-error @below {{'mirage.cluster' must stand on a graph-defined kernel}}
func.func private @cluster() attributes {mirage.cluster = array<i64: 2>}

// -----

func.func @cluster_type(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  // expected-error @below {{'mirage.cluster' must be an array<i64>, found 2 : i64}}
  %z = mirage_kernel.graph_defined (%x) grid <x = 2> {mirage.cluster = 2} : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<4x8xf16> -> !mirage.tile<2x8xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<2x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

func.func @cluster_size(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  // expected-error @below {{'mirage.cluster' must hold values from 1 to 8, found 0}}
  %z = mirage_kernel.graph_defined (%x) grid <x = 2> {mirage.cluster = array<i64: 0>} : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<4x8xf16> -> !mirage.tile<2x8xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<2x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

func.func @cluster_blocks(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  // expected-error @below {{'mirage.cluster' must be clusters of at most 8 blocks}}
  %z = mirage_kernel.graph_defined (%x) grid <x = 4, y = 4> {mirage.cluster = array<i64: 4, 4>} : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0, y -> 1> : tensor<4x8xf16> -> !mirage.tile<1x2xf16>
    mirage_block.output_saver %t omap <x -> 0, y -> 1> : !mirage.tile<1x2xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

// expected-error @below {{'mirage.whole_depth' must stand on an operator of a block graph}}
func.func private @whole_depth() attributes {mirage.whole_depth}

// -----

// expected-error @below {{'mirage.bulk_store' must stand on an operator of a block graph}}
func.func private @bulk_store() attributes {mirage.bulk_store}

// -----

func.func @bulk_store_type(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{'mirage.bulk_store' must be a unit, found 1 : i64}}
    mirage_block.output_saver %t omap <x -> 0> {mirage.bulk_store = 1} : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

// expected-error @below {{'mirage.kept_rows' must stand on a graph-defined kernel}}
func.func private @kept_rows() attributes {mirage.kept_rows}

// -----

func.func @kept_rows_value(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  // expected-error @below {{'mirage.kept_rows' must be a unit, found true}}
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.kept_rows = true} : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}
