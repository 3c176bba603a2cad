#!/usr/bin/env bash
# Writes the reference pages of the dialects and passes, from their .td files, into docs/reference (or the folder given).
#
#   utils/generate-docs.sh [FOLDER]
#
# MLIR_TBLGEN names another mlir-tblgen than Debian's.
set -euo pipefail
cd "$(dirname "$0")/.."

out=${1:-docs/reference}
tblgen=${MLIR_TBLGEN:-/usr/lib/llvm-22/bin/mlir-tblgen}
mlir_include=$(dirname "$(dirname "$(readlink -f "$tblgen")")")/include
mkdir -p "$out"

generate() { # ARGUMENTS... FILE.td
  "$tblgen" -I include -I "$mlir_include" "$@"
}

for folder in include/Mirage/Dialect/*/; do
  name=$(basename "$folder")
  dialect=mirage_${name,,}
  [ "$name" = Mirage ] && dialect=mirage
  generate -gen-dialect-doc -dialect="$dialect" "${folder}Ops.td" >"$out/${name}Dialect.md"
done

generate -gen-op-interface-docs include/Mirage/Dialect/Mirage/Interfaces.td >"$out/Interfaces.md"

{
  echo "# Passes"
  for file in $(find include/Mirage -name Passes.td | LC_ALL=C sort); do
    folder=$(dirname "${file#include/Mirage/}")
    echo
    echo "## $folder"
    echo
    generate -gen-pass-doc "$file"
  done
} >"$out/Passes.md"
