# Finds LLVM and MLIR 22 and decides how they are linked.
#
# Debian ships both a shared library (libMLIR.so, libLLVM.so) and static archives. The default is the shared one; naming
# an archive beside it would load everything twice, so every target goes through mirage_link_mlir (AddMirage.cmake).

find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
message(STATUS "MLIR ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR}")

if(MIRAGE_STATIC)
  set(LLVM_LINK_LLVM_DYLIB OFF)
  set(MLIR_LINK_MLIR_DYLIB OFF)
  # Debian built the archives against libLLVM.so and each names it. Without this a static link would need it too.
  foreach(target IN LISTS MLIR_EXPORTED_TARGETS)
    if(TARGET ${target})
      get_target_property(type ${target} TYPE)
      get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
      if(type STREQUAL "STATIC_LIBRARY" AND libraries)
        list(REMOVE_ITEM libraries LLVM "$<LINK_ONLY:LLVM>")
        set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${libraries}")
      endif()
    endif()
  endforeach()
  if(NOT TARGET zstd::libzstd_shared)
    find_library(MIRAGE_ZSTD_LIBRARY NAMES libzstd.a zstd REQUIRED)
    add_library(zstd::libzstd_shared UNKNOWN IMPORTED GLOBAL)
    set_target_properties(zstd::libzstd_shared PROPERTIES IMPORTED_LOCATION ${MIRAGE_ZSTD_LIBRARY})
  endif()
else()
  set(LLVM_LINK_LLVM_DYLIB ON)
  set(MLIR_LINK_MLIR_DYLIB ON)
endif()

set(LLVM_RUNTIME_OUTPUT_INTDIR ${CMAKE_BINARY_DIR}/bin)
set(LLVM_LIBRARY_OUTPUT_INTDIR ${CMAKE_BINARY_DIR}/lib)
set(MLIR_BINARY_DIR ${CMAKE_BINARY_DIR})
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include(HandleLLVMOptions)

include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
separate_arguments(definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${definitions})
