// RUN: mirage-opt --mirage-specialize-warps --mirage-schedule-operators --mirage-assign-layouts --mirage-plan-memory %s | FileCheck %s

// A thread graph without results has no tiles to lay out.
// CHECK-LABEL: func.func @nothing
func.func @nothing() {
  mirage_kernel.graph_defined () grid <x = 1> : () -> () {
    mirage_block.graph_defined () : () -> () {
      mirage_thread.yield
    }
  }
  return
}
