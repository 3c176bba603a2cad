//===- Passes.td - Passes on μGraphs -----------------------*- tablegen -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMS_PASSES_TD
#define MIRAGE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AssignLayouts : Pass<"mirage-assign-layouts", "::mlir::func::FuncOp"> {
  let summary = "Choose layouts of tiles without bank conflicts";
  let description = [{
    Gives every tile that a block graph keeps in shared memory the layout in which
    its accesses take the fewest transactions (paper, section 6; docs/Layouts.md),
    as `mirage.layouts`: row-major, or with the pieces of its rows permuted, as bulk copies do it,
    for pairs of f32 or for rows of any length, or with padding. All accesses of a kernel are counted: copies, operands and
    results of products, elementwise operators, folds; those in a loop as often as
    it runs.

    Tiles whose alignments and padding don't fit the target's shared memory together are
    Z3's: it chooses what costs least. If `time-limit-ms` is over, or nothing
    fits, they get the first layout that their readers can use, mostly row-major,
    with a remark. Tiles without a layout are row-major. Each tile counts as often
    as `mirage.stages` says, once before that is planned.

    Runs behind `mirage-schedule-operators`, whose depths say which tiles are in use
    together, and in front of `mirage-plan-memory`, which respects alignments.

    Errors: depths that the operators don't allow.
  }];
  let options = [
    Option<"threads", "threads", "int64_t", "128",
           "Threads of a block, of kernels without 'mirage.threads': a multiple "
           "of 32, from 32 to 1024">,
    Option<"target", "target", "std::string", "\"\"",
           "The GPU whose shared memory the tiles should fit; empty: the "
           "module's (`mirage.target`), or sm_90a">,
    Option<"timeLimitMs", "time-limit-ms", "unsigned", "1000",
           "Milliseconds that Z3 may take for a kernel">,
  ];
}

def ConstructThreadGraphs
    : Pass<"mirage-construct-thread-graphs", "::mlir::func::FuncOp"> {
  let summary = "Fuse elementwise operators of block graphs into thread graphs";
  let description = [{
    In every block graph, in its loop as well as outside of it, elementwise
    operators that feed each other become one `mirage_block.graph_defined`
    (paper, section 4.2), so that what is between them stays in registers, in
    f32, and needs neither shared memory nor a barrier. Constants move inside.

    - Operators are fused when one reads the other's result and the two results
      have the same shape. A 16x1 chain that feeds a 16x64 chain stays apart: its
      elements would be computed 64 times.
    - The graph whose nodes are thread graphs and other operators has no cycle:
      two operators are not fused when a path from one to the other leads through
      an operator outside (a matmul), since that one has to run in between.
    - Of all ways to fuse them, that is chosen which keeps the fewest bytes in
      shared memory for readers outside of a thread graph, and of these the one
      with the fewest thread graphs (docs/Optimizer.md). After `work-limit` steps
      the best that was found is taken, with a remark.
    - A value that is used outside of its thread graph is a result of it.

    Before that, quotients of many elements by few (at least 1024, and four by
    each; `Operator::isQuotient`) become products with reciprocals, unless
    `reciprocals=false`: rows are divided by their norms in one instruction an
    element instead of six. This changes rounding, by at most one more of
    f32. The reciprocals are a tile of f32 of the divisor's shape, or a constant
    if the divisor is one. A quotient stays where that tile would make the block
    graph take more shared memory than the target has, or where the reciprocal of
    a constant isn't a normal number of f32.
  }];
  let options = [
    Option<"reciprocals", "reciprocals", "bool", "true",
           "Whether many elements are divided by few by multiplication">,
    Option<"target", "target", "std::string", "\"\"",
           "The GPU whose shared memory the tiles must fit; empty: the "
           "module's (`mirage.target`), or sm_90a">,
    Option<"workLimit", "work-limit", "int64_t", "10000000",
           "After how many visits of an operator or read to take the best thread "
           "graphs so far">,
  ];
  let dependentDialects = ["::mirage::block::BlockDialect",
                           "::mirage::thread::ThreadDialect"];
}

def OutlinePrograms
    : Pass<"mirage-outline-programs", "::mlir::ModuleOp"> {
  let summary = "Move operators beside other ops to functions of their own";
  let description = [{
    In a function that is no program as a whole, since it has ops that Mirage has
    no operator for, arguments of other types, or control flow, the operators
    become private functions `NAME_part_N` and calls to them. Each of these is a
    program, for `mirage-superoptimize` and all passes after it; what is left is
    for the compiler around Mirage.

    Operators that an op needs are outlined in front of it; the others wait for
    the next one, so that they are in as few functions as possible. An operator
    of the kernel dialect has no effects, and all other ops stay in their order.
    Constants are copied. What a block of an `scf.for` or the like has is
    outlined for itself. Operators that nothing needs are dropped.

    Whole programs, functions with a `mirage.reference`, and what these are
    verified against stay as they are.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect"];
}

def PlanMemory : Pass<"mirage-plan-memory", "::mlir::func::FuncOp"> {
  let summary = "Place tiles in shared memory";
  let description = [{
    Gives every tile that a block graph keeps in shared memory its place, so that
    all of them take as little as can be (paper, section 6; docs/Optimizer.md):
    tiles that are never in use at the same time share bytes. An op's places stand
    in its `mirage.offsets`, what a kernel takes in `mirage.shared_bytes`.

    A tile is in use from the depth that makes it to the last that reads it; the
    accumulators and running maxima of a loop, and input tiles of several
    `mirage.stages`, for the whole loop. What is in use at the last depth of a
    loop doesn't share bytes with what is stored at the first, if that alone would make a
    barrier necessary at the end of each iteration, unless the tiles would not fit
    the target otherwise. If they don't fit then either, those become row-major whose
    `mirage.layouts` take more than their elements.

    Runs behind `mirage-schedule-operators`: depths decide what is in use when.
    Where the search for the smallest plan is given up, after a number of steps,
    a remark says so, and how close the plan is. Without this pass every tile has
    a place of its own.

    Errors: depths that the operators don't allow.
  }];
  let options = [
    Option<"threads", "threads", "int64_t", "128",
           "Threads of a block, of kernels without 'mirage.threads': a multiple "
           "of 32, from 32 to 1024">,
    Option<"maxStages", "max-stages", "int64_t", "::mirage::kDefaultStages",
           "Of how many iterations of a loop tiles may be in shared memory at a "
           "time, those on their way included; from 1 to 64">,
    Option<"target", "target", "std::string", "\"\"",
           "The GPU whose shared memory the tiles should fit; empty: the "
           "module's (`mirage.target`), or sm_90a">,
    Option<"workLimit", "work-limit", "int64_t", "50000000",
           "After how many visits of a tile to take the best plan so far">,
  ];
}

def ScheduleKernels : Pass<"mirage-schedule-kernels", "::mlir::func::FuncOp"> {
  let summary = "Give pre-defined kernel operators a default block graph";
  let description = [{
    Every operator of the kernel dialect that is left outside of a graph-defined
    kernel becomes one of its own. The schedule follows from the operator's iteration space alone: loops of the
    result's dimensions are spread over the grid, the loop of a reduction becomes
    the for-loop with an accumulator. The longest is divided by its smallest
    prime factor (or cut into tiles that overlap, where that is large) until the
    tiles fit `max-shared-bytes` and there are blocks for all multiprocessors, or
    blocks with little to do. Constants move into the block graphs.

    Some stay, and the conversion to the GPU lowers them by itself:
    reinterpretations (`reshape`), whose tensors share one buffer, and operators
    without a schedule, whose threads read device memory element by element. These
    are operators that no loops describe (`concat`), and those whose tiles don't
    fit whatever at most four grid dimensions cut.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "The GPU to schedule for; empty: the "
           "module's (`mirage.target`), or sm_90a">,
    Option<"maxSharedBytes", "max-shared-bytes", "int64_t", "49152",
           "Shared memory that the tiles of a kernel may take, in bytes; never "
           "more than the target has">,
  ];
  let dependentDialects = ["::mirage::block::BlockDialect",
                           "::mirage::kernel::KernelDialect"];
}

def ScheduleOperators
    : Pass<"mirage-schedule-operators", "::mlir::func::FuncOp"> {
  let summary = "Order the operators of block graphs by depth";
  let description = [{
    Gives every operator of a block graph, and of its loop, that runs by itself a
    depth, as `mirage.depth` (paper, section 6; docs/Optimizer.md). What reads a
    tile is deeper than what makes it, and threads wait for each other only
    between one depth and the next, so that operators which do not depend on
    each other share a barrier. There are as many depths as operators on the
    longest path: no order has fewer barriers.

    - Input iterators are hoisted to the first depth, unless
      `hoist-loads=false`.
    - An operator that could run at several depths gets the one that saves the
      barrier at the end of an iteration, and then the one that makes the most
      shared memory that is in use at one depth the least.
    - Operators are moved into the order of their depths, savers to the end.
    - Where what shares a depth takes more than the target's shared memory, the
      kernel's operators get no depths, and run one by one.

    Without this pass the lowering runs operators one by one, with a barrier
    between any two.
  }];
  let options = [
    Option<"threads", "threads", "int64_t", "128",
           "Threads of a block, of kernels without 'mirage.threads': a multiple "
           "of 32, from 32 to 1024">,
    Option<"hoistLoads", "hoist-loads", "bool", "true",
           "Whether input iterators all run at the first depth, or, as other "
           "operators, where they take the least shared memory">,
    Option<"target", "target", "std::string", "\"\"",
           "The GPU whose shared memory the tiles should fit; empty: the "
           "module's (`mirage.target`), or sm_90a">,
    Option<"workLimit", "work-limit", "int64_t", "50000000",
           "After how many visits of an operator or tile to take the best order "
           "so far">,
  ];
}

def SinkTransposes : Pass<"mirage-sink-transposes", "::mlir::func::FuncOp"> {
  let summary = "Transpose tiles where products read them";
  let description = [{
    Elementwise block operators on transposed tiles that lead to what products
    read in 16 bits compute on the tiles as they are loaded, and the result is
    transposed: threads that compute elements of a transposed tile read columns
    of the other one, in the same banks, whereas products read transposed tiles
    as fast as others. Operands of one element stay as they are.

    Runs in front of `mirage-drop-unit-dims`.
  }];
  let dependentDialects = ["::mirage::block::BlockDialect"];
}

def DropUnitDims : Pass<"mirage-drop-unit-dims", "::mlir::func::FuncOp"> {
  let summary = "Read columns of one element as vectors";
  let description = [{
    Where the iterations of a loop read a tensor of n x 1 in turn, as a number
    that is known of each row, the kernel reads the tensor of n instead
    (`mirage_kernel.reshape`, which takes no kernel), and its tiles are reshaped
    (`mirage_block.reshape`, which takes no memory): elements that are next to
    each other are copied together, in the background, where rows of one element
    are too short for that. Tensors that are cut into tiles that overlap stay as
    they are.

    Runs in front of `mirage-mask-loops` and `mirage-construct-thread-graphs`.
  }];
  let dependentDialects = ["::mirage::block::BlockDialect",
                           "::mirage::kernel::KernelDialect"];
}

def MaskLoops : Pass<"mirage-mask-loops", "::mlir::func::FuncOp"> {
  let summary = "Mask what iterations would sum up twice";
  let description = [{
    The last iteration of a loop that doesn't divide what it cuts has elements
    that the one before has had (`mirage_block.input_iterator`). Masks them
    (`mirage_block.fresh_mask`) in what is summed up, or multiplied as matrices;
    maxima may have them twice. What is masked is what the graph computes
    already, so that a verdict on it holds (docs/Lowering.md, "Loops that cut
    unevenly").

    Runs in front of `mirage-construct-thread-graphs`. Nothing else does it:
    such loops are lowered with their masks alone.
  }];
  let dependentDialects = ["::mirage::block::BlockDialect"];
}

def ChainProducts : Pass<"mirage-chain-products", "::mlir::func::FuncOp"> {
  let summary = "Keep rows of products in registers for the next products";
  let description = [{
    In each loop that multiplies, computes with the rows of the product, or of
    several (their maxima, sums and exponentials), and multiplies what comes
    out, as attention and its backward pass do, marks what is between the operands and the sums with `mirage.chained`:
    it goes from one tensor core instruction to the next in the registers of a
    warp, which has whole rows, without shared memory and barriers
    (docs/Lowering.md, "Row chains"). Sets the kernel's threads
    (`mirage.threads`), unless it says so: a warp for each 16 rows, or what is
    left of them, of each part of the columns.

    What does the same in a graph without a loop is moved into one of one
    iteration, with all that makes it, unless something else reads that, or the
    kernel has another number of threads.

    Runs behind `mirage-construct-thread-graphs` and in front of
    `mirage-specialize-warps`.
  }];
}

def KeepRows : Pass<"mirage-keep-rows", "::mlir::func::FuncOp"> {
  let summary = "Keep rows of tiles in the registers of threads that share them";
  let description = [{
    Marks each kernel that only computes with rows of tiles, their sums and
    maxima, as norms and softmax do, with `mirage.kept_rows`, if threads have
    registers for what they load of a row. Its tiles go through shared memory
    nowhere, and barriers are left only where several warps share a row
    (docs/Lowering.md, "Kept rows"). Sets the kernel's threads
    (`mirage.threads`); a kernel that says that it has another number of them is
    left as it is.

    Runs behind `mirage-construct-thread-graphs` and in front of
    `mirage-specialize-warps`.
  }];
}

def NarrowProducts : Pass<"mirage-narrow-products", "::mlir::func::FuncOp"> {
  let summary = "Multiply f16 by f32 in f16 where the numbers fit";
  let description = [{
    Marks each product of tiles of f16 and f32 that tensor cores would compute
    in tf32 with `mirage.narrowed`: a warp then looks whether what it has of the
    f32 can be rounded to f16, which has as many bits and less range, and
    multiplies in f16 if so (docs/Lowering.md, "Narrowed products").

    Runs behind `mirage-specialize-warps`, as it depends on how warps share a
    product.
  }];
}

def SpecializeWarps
    : Pass<"mirage-specialize-warps", "::mlir::func::FuncOp"> {
  let summary = "Choose warps that load, and warps that multiply together";
  let description = [{
    Chooses how many threads a kernel's blocks have, unless it says so
    (`mirage.threads`): as many as the option says, or twice as many where sums
    that loops keep in registers would take too many of a thread.

    On a GPU with a tensor memory accelerator (sm_90 on), marks each loop of a
    block graph whose tiles the accelerator can load with `mirage.producer_warp`
    (docs/Lowering.md, "Warps that load"): then one warp does nothing but start
    copies, and the others compute. Where warpgroups multiply matrices (sm_90a),
    it marks each product that they can compute with `mirage.warpgroups`. Savers
    of tiles in shared memory that the accelerator can store get
    `mirage.bulk_store`. Loops in which warpgroups compute both products of a row
    chain get `mirage.overlapped`, if the second can run while the next iteration
    computes with its rows. On other GPUs it removes the marks.

    Products of which warps would share the depth, while shared memory has no
    room for their parts beside all tiles, get `mirage.whole_depth`.

    Blocks that load the same tiles by producer warps form clusters of 2 or 4
    (`mirage.cluster`) that share the loads, if that spares each block at least a
    quarter of the bytes that it loads (docs/Optimizer.md, "Clusters").

    Runs in front of `mirage-schedule-operators`, which counts what the warps
    need to wait for each other.
  }];
  let options = [
    Option<"threads", "threads", "int64_t", "128",
           "Threads of a block, without those that only load, where the kernel "
           "doesn't say (`mirage.threads`)">,
    Option<"target", "target", "std::string", "\"\"",
           "The GPU to plan for; empty: the "
           "module's (`mirage.target`), or sm_90a">,
    Option<"clusters", "clusters", "bool", "true",
           "Whether blocks may share what they load">,
    Option<"overlap", "overlap", "bool", "true",
           "Whether the last product of a row chain may run an iteration "
           "behind">,
  ];
}

def Superoptimize : Pass<"mirage-superoptimize", "::mlir::ModuleOp"> {
  let summary = "Replace programs by the cheapest μGraphs that equal them";
  let description = [{
    Searches (paper, Algorithm 1; docs/Search.md) for each function whose body is
    a kernel graph of pre-defined operators. The cheapest verified μGraph takes
    the place of the body; the program as it was stays in a private function,
    which `mirage.reference` names, so that `mirage-verify-equivalence` can
    compare them at any later time. `mirage.verdict` says what the verifier
    found, and the module gets the target as `mirage.target`.

    μGraphs that are equal over the reals, but lose far more to rounding than the
    program does, are dropped, with a remark (docs/Stability.md).

    A function that can't be searched, or for which nothing cheaper is found,
    stays as it is, with a remark that says so.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "The GPU to optimize for; empty: the "
           "module's (`mirage.target`), or sm_90a">,
    Option<"maxKernelOps", "max-kernel-ops", "unsigned", "5",
           "Kernels of a kernel graph, at most; of each piece, if it is cut">,
    Option<"maxBlockOps", "max-block-ops", "unsigned", "11",
           "Operators of a block graph, at most: those that reduce or multiply "
           "matrices, and elementwise ones of two tiles or more">,
    Option<"maxWholeOps", "max-whole-ops", "unsigned", "32",
           "Operators of a block graph that computes a whole program, or a "
           "whole piece of one, at most, unless max-block-ops is lowered">,
    Option<"maxFreeOps", "max-free-ops", "unsigned", "6",
           "Operators that don't count as above in a row, at most: elementwise "
           "ones of one tile, and those that only move data">,
    Option<"maxGridDims", "max-grid-dims", "unsigned", "4",
           "Dimensions of a grid, at most">,
    Option<"safeExponentials", "safe-exponentials", "bool", "true",
           "Compute exponentials that can be shifted without changing the "
           "results (a softmax's) with a running maximum">,
    Option<"database", "database", "std::string", "\"\"",
           "A file with the results of earlier searches (docs/Database.md): "
           "look the program up, go on where a search was interrupted, keep the "
           "result; 'default' for the one of this user, empty for none">,
    Option<"checkpointSeconds", "checkpoint-seconds", "double", "0.5",
           "How often, in seconds, the state of the search is stored in the "
           "database, at most; 0: as often as there is something new">,
    Option<"threads", "threads", "unsigned", "1",
           "Threads that search; the result is the same for any number">,
    Option<"seed", "seed", "uint64_t", "1", "Seed of the random tests">,
    Option<"oracle", "oracle", "std::string", "\"normal-form\"",
           "What decides whether an expression can be a part of the program's: "
           "normal-form, z3, cross-check (both; an error where they disagree) or "
           "none (docs/AbstractExpressions.md)">,
    Option<"axioms", "axioms", "std::string", "\"\"",
           "A file that says what holds for opaque operators (docs/Axioms.md), "
           "with oracle=z3 or none">,
    ListOption<"without", "without", "std::string",
               "Rules of the search to switch off, for tests "
               "(docs/Search.md)">,
    ListOption<"operators", "operators", "std::string",
               "The names of the operators that μGraphs may have; none: all">,
    Option<"candidates", "candidates", "unsigned", "1",
           "How many μGraphs to emit, cheapest first; those after the first "
           "become functions of their own">,
    Option<"stabilityFactor", "stability-factor", "double", "4",
           "Drop μGraphs whose rounding errors exceed the program's by this "
           "factor (docs/Stability.md); 0: keep them">,
    Option<"timeLimit", "time-limit", "double", "0",
           "Seconds after which to go on with what was found; 0: no limit">,
    Option<"memoryLimit", "memory-limit", "unsigned", "8192",
           "MiB by which the process may grow before the search goes on with "
           "what was found; 0: no limit">,
    Option<"report", "report", "std::string", "\"\"",
           "A file to write statistics and results to, as JSON "
           "(docs/Search.md)">,
  ];
  let dependentDialects = ["::mirage::block::BlockDialect",
                           "::mirage::kernel::KernelDialect"];
}

def VerifyEquivalence : Pass<"mirage-verify-equivalence", "::mlir::ModuleOp"> {
  let summary = "Verify that functions compute what their references do";
  let description = [{
    For each function with a `mirage.reference`, compares it with the function
    named: by a symbolic proof (docs/Proof.md) and, where none is found, by random
    testing over finite fields (paper, section 5; docs/Verification.md). An equal
    one gets a `mirage.verdict`, which holds as long as the body is as it is; a
    different one is an error that names an element that differs and the seed that
    shows it; where neither verifier can tell, that is an error too.
  }];
  let options = [
    Option<"method", "method", "::mirage::VerifyMethod",
           "::mirage::VerifyMethod::Both", "Which verifiers to ask",
           [{::llvm::cl::values(
             clEnumValN(::mirage::VerifyMethod::Random, "random",
                        "random testing"),
             clEnumValN(::mirage::VerifyMethod::Prove, "prove",
                        "a proof; random tests look for counterexamples"),
             clEnumValN(::mirage::VerifyMethod::Both, "both",
                        "a proof, then random testing"))}]>,
    Option<"trials", "trials", "unsigned", "2",
           "Trials in which each element of the results is compared">,
    Option<"seed", "seed", "uint64_t", "1", "Seed of the random inputs">,
  ];
}

def ProveEquivalence : Pass<"mirage-prove-equivalence", "::mlir::ModuleOp"> {
  let summary = "Prove that functions compute what their references do";
  let description = [{
    Like `mirage-verify-equivalence`, by proof only: every element of the results
    is brought into a normal form, in which tiles, grids and loops leave no trace
    (docs/Proof.md). A function with the normal form of its reference is proved to
    compute the same for all inputs, and, where the verdict says so, for all sizes
    that grids and loops divide, or cut unevenly. For others random tests look for
    a counterexample.
  }];
  let options = [
    Option<"seed", "seed", "uint64_t", "1",
           "Seed of the random inputs of counterexamples">,
  ];
}

#endif // MIRAGE_TRANSFORMS_PASSES_TD
