# Finds LLVM and MLIR 22 and decides how they are linked.
#
# Debian ships both a shared library (libMLIR.so, libLLVM.so) and static archives. The default is the shared one; naming
# an archive beside it would load everything twice, so every target goes through mirage_link_mlir (AddMirage.cmake).

set(MIRAGE_FIND_LIBRARY_SUFFIXES ${CMAKE_FIND_LIBRARY_SUFFIXES})
if(MIRAGE_STATIC)
  # LLVM's own dependencies (zlib, zstd) as archives as well.
  set(CMAKE_FIND_LIBRARY_SUFFIXES ${CMAKE_STATIC_LIBRARY_SUFFIX})
endif()
find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
set(CMAKE_FIND_LIBRARY_SUFFIXES ${MIRAGE_FIND_LIBRARY_SUFFIXES})
message(STATUS "MLIR ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR}")

if(MIRAGE_STATIC)
  set(LLVM_LINK_LLVM_DYLIB OFF)
  set(MLIR_LINK_MLIR_DYLIB OFF)

  # Debian built the archives of MLIR against libLLVM.so, and each names it (one names libMLIR.so, too). They get the
  # archives of LLVM instead. The linker takes what it needs from these and lld doesn't mind their order.
  add_library(MirageLLVMArchives INTERFACE)
  llvm_map_components_to_libnames(llvm_archives
    FrontendOpenMP IRReader OrcJIT Passes PerfJITEvents native NVPTX)
  add_library(MirageArc4Random STATIC ${PROJECT_SOURCE_DIR}/cmake/arc4random.c)
  target_link_libraries(MirageLLVMArchives INTERFACE ${llvm_archives} MirageArc4Random)
  foreach(target IN LISTS MLIR_EXPORTED_TARGETS)
    if(TARGET ${target})
      get_target_property(type ${target} TYPE)
      get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
      if(type STREQUAL "STATIC_LIBRARY" AND libraries)
        list(REMOVE_ITEM libraries LLVM MLIR "$<LINK_ONLY:LLVM>" "$<LINK_ONLY:MLIR>")
        set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${libraries};MirageLLVMArchives")
      endif()
    endif()
  endforeach()

  # LLVMSupport names shared libraries: zstd, which can be had as an archive, and Z3, for a wrapper that nothing calls.
  if(NOT TARGET zstd::libzstd_shared)
    find_library(MIRAGE_ZSTD_LIBRARY NAMES libzstd.a zstd REQUIRED)
    add_library(zstd::libzstd_shared UNKNOWN IMPORTED GLOBAL)
    set_target_properties(zstd::libzstd_shared PROPERTIES IMPORTED_LOCATION ${MIRAGE_ZSTD_LIBRARY})
  endif()
  get_target_property(libraries LLVMSupport INTERFACE_LINK_LIBRARIES)
  list(FILTER libraries EXCLUDE REGEX "libz3")
  set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES "${libraries}")

  add_link_options(-static-libstdc++ -static-libgcc LINKER:--gc-sections LINKER:--icf=all LINKER:--as-needed)
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
