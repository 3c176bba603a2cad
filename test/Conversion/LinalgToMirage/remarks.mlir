// RUN: mirage-opt --convert-linalg-to-mirage -verify-diagnostics -split-input-file %s | FileCheck %s

// What can't be expressed stays, with the reason.

// CHECK-LABEL: func.func @operator(
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    linalg.generic
// CHECK-NOT:     mirage_kernel
func.func @operator(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-remark @below {{not imported: 'arith.remf' has no Mirage operator yet}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %zero = arith.constant 0.0 : f32
    %exp = math.exp %a : f32
    %rest = arith.remf %exp, %zero : f32
    linalg.yield %rest : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @operands_of_operator(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-remark @below {{not imported: 'math.powf' with these operands has no Mirage operator yet}}
  %r = linalg.map { math.powf } ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>)
  return %r : tensor<4xf32>
}

// -----

// A named op stays itself, and what comes before and after is imported.

// CHECK-LABEL: func.func @between(
// CHECK:         %[[EXP:.*]] = mirage_kernel.exp
// CHECK:         %[[T:.*]] = linalg.round ins(%[[EXP]]
// CHECK-NEXT:    mirage_kernel.sqrt %[[T]]
func.func @between(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-remark @below {{not imported: 'math.round' has no Mirage operator yet}}
  %1 = linalg.round ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.sqrt ins(%1 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

// ln 2 is no number that we have.

func.func @exp2(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @below {{not imported: 'math.exp2' has no Mirage operator yet}}
  %r = linalg.map { math.exp2 } ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>)
  return %r : tensor<4xf32>
}

// -----

// A choice that depends on what is computed can't have infinities.

func.func @selects(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @below {{not imported: constant -Inf is not finite}}
  %0 = linalg.map ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) (%a: f32, %b: f32, %out: f32) {
    %c = arith.cmpf ogt, %a, %b : f32
    %low = arith.constant 0xFF800000 : f32
    %s = arith.select %c, %a, %low : f32
    linalg.yield %s : f32
  }
  return %0 : tensor<4xf32>
}

// -----

// Nor are booleans results, or integers compared.

func.func @booleans(%x: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xi32>) {
  %e = tensor.empty() : tensor<4xi1>
  // expected-remark @below {{not imported: element type i1 is not f16, bf16 or f32}}
  %0 = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xi1>) (%a: f32, %out: i1) {
    %zero = arith.constant 0.0 : f32
    %c = arith.cmpf ogt, %a, %zero : f32
    linalg.yield %c : i1
  }
  %f = tensor.empty() : tensor<4xi32>
  // expected-remark @below {{not imported: element type i32 is not f16, bf16 or f32}}
  %1 = linalg.map ins(%x : tensor<4xf32>) outs(%f : tensor<4xi32>) (%a: f32, %out: i32) {
    %zero = arith.constant 0.0 : f32
    %c = arith.cmpf ogt, %a, %zero : f32
    %i = arith.extui %c : i1 to i32
    linalg.yield %i : i32
  }
  return %0, %1 : tensor<4xi1>, tensor<4xi32>
}

// -----

func.func @diagonal(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-remark @below {{not imported: indexing map (d0) -> (d0, d0) takes a diagonal}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0, d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4x4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %exp = math.exp %a : f32
    linalg.yield %exp : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @slice(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-remark @below {{not imported: indexing map (d0) -> (d0, 0) takes a slice of an operand}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0, 0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %exp = math.exp %a : f32
    linalg.yield %exp : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @window(%x: tensor<8xf32>, %w: tensor<3xf32>) -> tensor<6xf32> {
  %zero = arith.constant dense<0.0> : tensor<6xf32>
  // expected-remark @below {{not imported: indexing map (d0, d1) -> (d0 + d1) is not a projection of the loops}}
  %r = linalg.conv_1d ins(%x, %w : tensor<8xf32>, tensor<3xf32>) outs(%zero : tensor<6xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

func.func @dynamic(%x: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  // expected-remark @below {{not imported: shape of tensor<?xf32> is dynamic}}
  %r = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @types(%x: tensor<4xf64>, %i: tensor<4xi32>, %f: tensor<4xf32>) -> (tensor<4xf64>, tensor<4xi32>, tensor<4xf32>) {
  // expected-remark @below {{not imported: element type f64 is not f16, bf16 or f32}}
  %0 = linalg.exp ins(%x : tensor<4xf64>) outs(%x : tensor<4xf64>) -> tensor<4xf64>
  // expected-remark @below {{not imported: element type i32 is not f16, bf16 or f32}}
  %1 = linalg.add ins(%i, %i : tensor<4xi32>, tensor<4xi32>) outs(%i : tensor<4xi32>) -> tensor<4xi32>
  // expected-remark @below {{not imported: element type f64 is not f16, bf16 or f32}}
  %2 = linalg.map ins(%f : tensor<4xf32>) outs(%f : tensor<4xf32>) (%a: f32, %out: f32) {
    %d = arith.extf %a : f32 to f64
    %e = math.exp %d : f64
    %t = arith.truncf %e : f64 to f32
    linalg.yield %t : f32
  }
  return %0, %1, %2 : tensor<4xf64>, tensor<4xi32>, tensor<4xf32>
}

// -----

func.func @no_elements_in_a_chain(%e: tensor<0xf32>, %x: tensor<8xf32>, %y: tensor<4xf32>) -> tensor<8xf32> {
  %0 = tensor.insert_slice %e into %x[0] [0] [1] : tensor<0xf32> into tensor<8xf32>
  // expected-remark @below {{not imported: tensor<0xf32> has no elements}}
  %1 = tensor.insert_slice %y into %0[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

func.func @no_elements(%x: tensor<0x4xf32>) -> tensor<0x4xf32> {
  // expected-remark @below {{not imported: tensor<0x4xf32> has no elements}}
  %0 = linalg.exp ins(%x : tensor<0x4xf32>) outs(%x : tensor<0x4xf32>) -> tensor<0x4xf32>
  return %0 : tensor<0x4xf32>
}

// -----

func.func @index(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @below {{not imported: 'math.sin' has no Mirage operator yet}}
  %r = linalg.map ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) (%a: f32, %out: f32) {
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %p = arith.addf %a, %f : f32
    %s = math.sin %p : f32
    linalg.yield %s : f32
  }
  return %r : tensor<4xf32>
}

// -----

func.func @not_finite(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @below {{not imported: constant +Inf is not finite}}
  %r = linalg.map ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) (%a: f32, %out: f32) {
    %inf = arith.constant 0x7F800000 : f32
    %s = arith.addf %a, %inf : f32
    linalg.yield %s : f32
  }
  return %r : tensor<4xf32>
}

// -----

func.func @uninitialized(%x: tensor<4xf32>, %y: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  // expected-remark @below {{not imported: the body uses an element of a tensor that nothing was written to}}
  %0 = linalg.add ins(%x, %e : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // expected-remark @below {{not imported: the reduction starts from a tensor that nothing was written to}}
  %1 = linalg.reduce { arith.addf } ins(%y : tensor<4x8xf32>) outs(%e : tensor<4xf32>) dimensions = [1]
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @reductions(%x: tensor<4x8xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // expected-remark @below {{not imported: a reduction by 'arith.mulf' has no Mirage operator yet}}
  %0 = linalg.reduce { arith.mulf } ins(%x : tensor<4x8xf32>) outs(%y : tensor<4xf32>) dimensions = [1]
  // expected-remark @below {{not imported: the reduction is not a sum or an extremum: what the body yields is not the accumulator combined with something}}
  %1 = linalg.reduce ins(%x : tensor<4x8xf32>) outs(%y : tensor<4xf32>) dimensions = [1] (%a: f32, %acc: f32) {
    linalg.yield %a : f32
  }
  // expected-remark @below {{not imported: the accumulator is used for more than being reduced to}}
  %2 = linalg.reduce ins(%x : tensor<4x8xf32>) outs(%y : tensor<4xf32>) dimensions = [1] (%a: f32, %acc: f32) {
    %s = arith.addf %acc, %acc : f32
    linalg.yield %s : f32
  }
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Not a sum of products: it would need a tensor of all m n k terms.

func.func @distances(%a: tensor<1024x65xf32>, %b: tensor<1024x65xf32>) -> tensor<1024x1024xf32> {
  %zero = arith.constant dense<0.0> : tensor<1024x1024xf32>
  // expected-remark @below {{not imported: it has more than 2^26 terms, no operand has all dimensions that the reduction runs over, and it is not a matrix product}}
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<1024x65xf32>, tensor<1024x65xf32>) outs(%zero : tensor<1024x1024xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %d = arith.subf %x, %y : f32
    %q = arith.mulf %d, %d : f32
    %s = arith.addf %q, %acc : f32
    linalg.yield %s : f32
  } -> tensor<1024x1024xf32>
  return %r : tensor<1024x1024xf32>
}

// -----

// Each term is added up several times.

func.func @repeated_terms(%a: tensor<4xf32>, %b: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  // expected-remark @below {{not imported: what is reduced does not depend on all loops}}
  %r = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m)>, affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%a, %b : tensor<4xf32>, tensor<4x8xf32>) outs(%zero : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %s = arith.addf %x, %acc : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @written_to_nowhere(%a: tensor<4x8xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x6xf32>
  %e = tensor.empty() : tensor<8x6xf32>
  // expected-remark @below {{not imported: operand 1 is a tensor that nothing was written to}}
  %r = linalg.matmul ins(%a, %e : tensor<4x8xf32>, tensor<8x6xf32>) outs(%zero : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----

func.func @buffers(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-remark @below {{not imported: it works on buffers}}
  linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}

// -----

func.func @other_ops(%x: tensor<4xf32>, %y: tensor<2xf32>, %n: index, %s: f32) -> (tensor<2xf32>, tensor<?xf32>, tensor<4xf32>, tensor<?xf32>, tensor<6xf32>, tensor<4xf32>) {
  // expected-remark @below {{not imported: 'tensor.extract_slice' of offsets, sizes or strides that are not constants has no Mirage operator yet}}
  %0 = tensor.extract_slice %x[%n] [2] [1] : tensor<4xf32> to tensor<2xf32>
  // expected-remark @below {{not imported: shape of tensor<?xf32> is dynamic}}
  %1 = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  // expected-remark @below {{not imported: 'tensor.insert_slice' of offsets and sizes that are not constants, or strides other than 1, has no Mirage operator yet}}
  %2 = tensor.insert_slice %y into %x[%n] [2] [1] : tensor<2xf32> into tensor<4xf32>
  // expected-remark @below {{not imported: shape of tensor<?xf32> is dynamic}}
  %3 = tensor.pad %x low[%n] high[0] {
  ^bb0(%i: index):
    tensor.yield %s : f32
  } : tensor<4xf32> to tensor<?xf32>
  // expected-remark @below {{not imported: 'tensor.pad' with other than constant numbers has no Mirage operator yet}}
  %4 = tensor.pad %x low[2] high[0] {
  ^bb0(%i: index):
    tensor.yield %s : f32
  } : tensor<4xf32> to tensor<6xf32>
  // expected-remark @below {{not imported: no Mirage operator makes a tensor from different numbers}}
  %5 = tensor.splat %s : tensor<4xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<2xf32>, tensor<?xf32>, tensor<4xf32>, tensor<?xf32>, tensor<6xf32>, tensor<4xf32>
}

// -----

func.func @constant_tensors(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>) {
  // expected-remark @below {{not imported: no Mirage operator makes a tensor from different numbers}}
  %list = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // expected-remark @below {{not imported: constant +Inf is not finite}}
  %inf = arith.constant dense<0x7F800000> : tensor<4xf32>
  // expected-remark @below {{not imported: element type i32 is not f16, bf16 or f32}}
  %integers = arith.constant dense<1> : tensor<4xi32>
  // expected-remark @below {{not imported: nothing was written to the tensor}}
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.add ins(%x, %list : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r, %inf, %e, %integers : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>
}

// -----

// Nested regions stay as a whole.

// CHECK-LABEL: func.func @nested(
// CHECK:         scf.for
// CHECK:           linalg.exp
func.func @nested(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @below {{not imported: 'scf.for' has no Mirage operator yet}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> tensor<4xf32> {
    %0 = linalg.exp ins(%y : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Ops with regions in a body.

func.func @nested_in_body(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-remark @below {{not imported: 'scf.if' has no Mirage operator yet}}
  %r = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) (%a: f32, %out: f32) {
    %b = scf.if %c -> f32 {
      %exp = math.exp %a : f32
      scf.yield %exp : f32
    } else {
      scf.yield %a : f32
    }
    linalg.yield %b : f32
  }
  return %r : tensor<4xf32>
}

// -----

// Several functions, one without a body.

// CHECK-LABEL: func.func private @declaration(
func.func private @declaration(tensor<4xf32>) -> tensor<4xf32>

// CHECK-LABEL: func.func @caller(
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @below {{not imported: 'func.call' has no Mirage operator yet; --inline brings in functions that have a body}}
  %r = call @declaration(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @strides(%x: tensor<7xf32>, %y: tensor<2xf32>) -> (tensor<4xf32>, tensor<2xf32>, tensor<4xf32>) {
  // expected-remark @below {{not imported: 'tensor.extract_slice' of strides that reach beyond the dimension has no Mirage operator yet}}
  %0 = tensor.extract_slice %x[0] [4] [2] : tensor<7xf32> to tensor<4xf32>
  // expected-remark @below {{not imported: 'tensor.extract_slice' of strides that are not positive has no Mirage operator yet}}
  %1 = tensor.extract_slice %x[0] [2] [0] : tensor<7xf32> to tensor<2xf32>
  %e = tensor.empty() : tensor<4xf32>
  // expected-remark @below {{not imported: 'tensor.insert_slice' of slices that leave something of a tensor.empty, or overlap, has no Mirage operator yet}}
  %2 = tensor.insert_slice %y into %e[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<2xf32>, tensor<4xf32>
}

// -----

// Nothing but a scalar.

func.func @from_outside(%x: tensor<4xf32>, %s: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-remark @below {{not imported: the body uses a value from outside that isn't a constant}}
  %0 = linalg.map ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) (%a: f32, %out: f32) {
    linalg.yield %s : f32
  }
  // expected-remark @below {{not imported: operand 0 is a scalar that isn't a constant}}
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%s : f32) outs(%x : tensor<4xf32>) {
  ^bb0(%b: f32, %out: f32):
    linalg.yield %b : f32
  } -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
