# Finds Z3 with its C++ header: the target Mirage::Z3. LLVM's FindZ3.cmake, which is on the module path as well, asks for the C
# header alone and makes no target.
find_path(MIRAGE_Z3_INCLUDE_DIR z3++.h PATH_SUFFIXES z3 REQUIRED)
find_library(MIRAGE_Z3_LIBRARY z3 REQUIRED)
add_library(Mirage::Z3 UNKNOWN IMPORTED)
set_target_properties(Mirage::Z3 PROPERTIES
  IMPORTED_LOCATION ${MIRAGE_Z3_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${MIRAGE_Z3_INCLUDE_DIR})
