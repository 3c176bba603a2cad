// Names that could break the syntax, and functions that are no kernel graphs.
// RUN: mirage-translate --mugraph-to-dot --allow-unregistered-dialect %s | FileCheck %s
// RUN: echo 'module {}' | mirage-translate --mugraph-to-dot | FileCheck %s --check-prefix=EMPTY
// EMPTY: digraph mugraph {
// EMPTY: }

// CHECK: label="@a \"quote\", a \\ backslash, &amp;amp; an \\0A end of line, {{.*}}\l"
func.func @"a \22quote\22, a \\ backslash, &amp; an \0A end of line, \FF no UTF-8"() { return }

// CHECK: label="@external\l"
// CHECK: [label="no body\n"
func.func private @external(tensor<4xf32>) -> tensor<?xf32>

// CHECK: label="@empty\l"
// CHECK: [label="empty\n"
func.func @empty() { return }

// CHECK: label="@flow\l"
// CHECK: [label="control flow, not drawn\n"
func.func @flow(%x: tensor<4xf32>) -> tensor<4xf32> {
  "test.br"(%x)[^bb1] : (tensor<4xf32>) -> ()
^bb1:
  return %x : tensor<4xf32>
}

// A node reads what the ops in its regions read.
// CHECK: label="@foreign\l"
// CHECK: [[X:n[0-9]+]] [label="%arg0 = input 0
// CHECK: [[M:n[0-9]+]] [label="%arg1 = input 1\nmemref<4x?xf32>\n"
// CHECK: [[ODD:n[0-9]+]] [label="%0#0, %0#1 = test.\"odd\" of %arg0, %arg1\n4xf32, !test.type<\"x&amp;y\">\n"
// CHECK-SAME: tooltip="%0:2 = \"test.\\22odd\\22\"(%arg0) ({...}) {attr = \"\\0A\"}
// CHECK-DAG: [[X]] -> [[ODD]];
// CHECK-DAG: [[M]] -> [[ODD]];
func.func @foreign(%x: tensor<4xf32>, %m: memref<4x?xf32>) -> tensor<4xf32> {
  %0:2 = "test.\22odd\22"(%x) ({
    "test.in"(%m) : (memref<4x?xf32>) -> ()
  }) {attr = "\0A"} : (tensor<4xf32>) -> (tensor<4xf32>, !test.type<"x&y">)
  return %0#0 : tensor<4xf32>
}

// Programs as they come in have nodes, too; long lines are broken.
// CHECK: label="@linalg\l"
// CHECK: linalg.add of %arg0, %arg1, %0\n
// CHECK: linalg.map of %arg0, %arg1, %arg0, %arg1, %arg0,\n%arg1, %arg0, %arg1, %0\n
func.func @linalg(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %s = linalg.add ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.map ins(%x, %y, %x, %y, %x, %y, %x, %y : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>)
    (%a: f32, %b: f32, %c: f32, %d: f32, %f: f32, %g: f32, %h: f32, %i: f32, %o: f32) { linalg.yield %a : f32 }
  return %m : tensor<4xf32>
}
