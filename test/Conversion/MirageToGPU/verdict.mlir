// RUN: mirage-opt --convert-mirage-to-gpu=target=sm_80 -split-input-file -verify-diagnostics %s
// RUN: mirage-opt --convert-mirage-to-gpu="target=sm_80 allow-unverified" -split-input-file %s | FileCheck %s --check-prefix=ALLOWED
// RUN: sed '/expected-/d' %s | mirage-opt --split-input-file --mirage-schedule-kernels --convert-mirage-to-gpu=allow-unverified -o /dev/null

// What a verifier has not seen is not lowered.

// ALLOWED: gpu.func @unverified_0
// expected-note @below {{--mirage-verify-equivalence compares a function with its 'mirage.reference'; the option 'allow-unverified' lowers it as it is}}
func.func @unverified(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  // expected-error @below {{'mirage_kernel.graph_defined' op is not lowered: its function has no 'mirage.verdict' that says proved or accepted}}
  %r = mirage_kernel.graph_defined(%x) grid <x = 2> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<4x8xf16> -> !mirage.tile<2x8xf16>
    %e = mirage_block.exp %t : (!mirage.tile<2x8xf16>) -> !mirage.tile<2x8xf32>
    mirage_block.output_saver %e omap <x -> 0> : !mirage.tile<2x8xf32> -> tensor<4x8xf16>
  }
  return %r : tensor<4x8xf16>
}

// -----

// Nor is what one has refuted or could not decide.
// expected-note @below {{compares a function with its 'mirage.reference'}}
func.func @unknown(%x: tensor<4x8xf16>) -> tensor<4x8xf16> attributes {mirage.verdict = {verdict = "unknown"}} {
  // expected-error @below {{has no 'mirage.verdict' that says proved or accepted}}
  %r = mirage_kernel.graph_defined(%x) grid <x = 2> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<4x8xf16> -> !mirage.tile<2x8xf16>
    %e = mirage_block.exp %t : (!mirage.tile<2x8xf16>) -> !mirage.tile<2x8xf32>
    mirage_block.output_saver %e omap <x -> 0> : !mirage.tile<2x8xf32> -> tensor<4x8xf16>
  }
  return %r : tensor<4x8xf16>
}

// -----

// What one has proved is lowered. The fingerprint is what --mirage-verify-equivalence writes for it.
// ALLOWED: gpu.func @proved_0
func.func @proved(%x: tensor<4x8xf16>) -> tensor<4x8xf16> attributes {mirage.verdict = {mugraph = "7b21311d5c84e59a", verdict = "proved"}} {
  %r = mirage_kernel.graph_defined(%x) grid <x = 2> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<4x8xf16> -> !mirage.tile<2x8xf16>
    %e = mirage_block.exp %t : (!mirage.tile<2x8xf16>) -> !mirage.tile<2x8xf32>
    mirage_block.output_saver %e omap <x -> 0> : !mirage.tile<2x8xf32> -> tensor<4x8xf16>
  }
  return %r : tensor<4x8xf16>
}

// -----

// But not what it has become since; then its verdict is dropped.
// ALLOWED-LABEL: func.func @changed
// ALLOWED-NOT: mirage.verdict
// expected-note @below {{compares a function with its 'mirage.reference'}}
func.func @changed(%x: tensor<4x8xf16>) -> tensor<4x8xf16> attributes {mirage.verdict = {mugraph = "7b21311d5c84e59a", verdict = "proved"}} {
  // expected-error @below {{'mirage_kernel.graph_defined' op is not lowered: its function has the 'mirage.verdict' of another μGraph}}
  %r = mirage_kernel.graph_defined(%x) grid <x = 2> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<4x8xf16> -> !mirage.tile<2x8xf16>
    %e = mirage_block.sqrt %t : (!mirage.tile<2x8xf16>) -> !mirage.tile<2x8xf32>
    mirage_block.output_saver %e omap <x -> 0> : !mirage.tile<2x8xf32> -> tensor<4x8xf16>
  }
  return %r : tensor<4x8xf16>
}

// -----

// Nor what somebody says is proved.
// expected-note @below {{compares a function with its 'mirage.reference'}}
func.func @by_hand(%x: tensor<4x8xf16>) -> tensor<4x8xf16> attributes {mirage.verdict = {verdict = "proved"}} {
  // expected-error @below {{has the 'mirage.verdict' of another μGraph}}
  %r = mirage_kernel.graph_defined(%x) grid <x = 2> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<4x8xf16> -> !mirage.tile<2x8xf16>
    %e = mirage_block.exp %t : (!mirage.tile<2x8xf16>) -> !mirage.tile<2x8xf32>
    mirage_block.output_saver %e omap <x -> 0> : !mirage.tile<2x8xf32> -> tensor<4x8xf16>
  }
  return %r : tensor<4x8xf16>
}
