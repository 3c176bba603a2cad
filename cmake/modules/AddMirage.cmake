# The headers of MLIR and LLVM take most of the time of compiling one of our files, so those that many files include, and
# the dialects whose headers take longest, are compiled once. Every file still includes what it uses: the debug preset builds
# without (CMAKE_DISABLE_PRECOMPILE_HEADERS).
set(MIRAGE_PRECOMPILED_HEADERS
  <algorithm> <array> <cmath> <functional> <limits> <map> <memory> <numeric> <optional> <random> <set> <string> <vector>
  <llvm/ADT/BitVector.h> <llvm/ADT/MapVector.h> <llvm/ADT/STLExtras.h> <llvm/ADT/SetVector.h> <llvm/ADT/StringExtras.h>
  <llvm/Support/Error.h> <llvm/Support/FormatVariadic.h> <llvm/Support/JSON.h> <llvm/Support/MathExtras.h>
  <mlir/Dialect/Arith/IR/Arith.h> <mlir/Dialect/Func/IR/FuncOps.h> <mlir/Dialect/GPU/IR/GPUDialect.h>
  <mlir/Dialect/LLVMIR/NVVMDialect.h> <mlir/Dialect/Linalg/IR/Linalg.h> <mlir/Dialect/Math/IR/Math.h>
  <mlir/Dialect/MemRef/IR/MemRef.h> <mlir/Dialect/SCF/IR/SCF.h> <mlir/Dialect/Tensor/IR/Tensor.h>
  <mlir/Dialect/Vector/IR/VectorOps.h> <mlir/IR/OpImplementation.h> <mlir/IR/PatternMatch.h> <mlir/Parser/Parser.h>
  <mlir/Pass/PassManager.h>)

# Compiles TARGET with the headers above, which targets with the same options share. OWN gives it a copy of its own, for a
# target with options of its own.
function(mirage_precompile_headers target)
  cmake_parse_arguments(ARG "OWN" "" "" ${ARGN})
  if(ARG_OWN)
    target_precompile_headers(${target} PRIVATE ${MIRAGE_PRECOMPILED_HEADERS})
  else()
    target_precompile_headers(${target} REUSE_FROM MiragePrecompiledHeaders)
  endif()
endfunction()

# Links TARGET with MLIR and LLVM: the shared libraries, or, for MIRAGE_STATIC, the MLIR archives named after MLIR and the
# LLVM components named after LLVM.
function(mirage_link_mlir target scope)
  cmake_parse_arguments(ARG "" "" "MLIR;LLVM" ${ARGN})
  if(MIRAGE_STATIC)
    set(llvm_libraries)
    if(ARG_LLVM)
      llvm_map_components_to_libnames(llvm_libraries ${ARG_LLVM})
    endif()
    target_link_libraries(${target} ${scope} ${ARG_MLIR} ${llvm_libraries})
  else()
    target_link_libraries(${target} ${scope} MLIR LLVM)
  endif()
endfunction()

# add_mirage_library(NAME source... [DEPENDS tablegen targets] [LINK Mirage libraries] [MLIR archives] [LLVM components])
function(add_mirage_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK;MLIR;LLVM" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  # Generated headers are included across libraries, so every library waits for all of them.
  add_dependencies(${name} mirage-headers ${ARG_DEPENDS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  mirage_link_mlir(${name} PUBLIC MLIR ${ARG_MLIR} LLVM ${ARG_LLVM})
  mirage_precompile_headers(${name})
endfunction()

# add_mirage_unittest(NAME source... [OWN_OPTIONS] [LINK Mirage libraries]): OWN_OPTIONS where the target has other compile
# options than the rest.
function(add_mirage_unittest name)
  cmake_parse_arguments(ARG "OWN_OPTIONS" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  add_dependencies(${name} mirage-headers)
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gmock GTest::gtest_main)
  mirage_link_mlir(${name} PRIVATE LLVM Support)
  if(ARG_OWN_OPTIONS)
    mirage_precompile_headers(${name} OWN)
  else()
    mirage_precompile_headers(${name})
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/unittests)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60)
endfunction()
