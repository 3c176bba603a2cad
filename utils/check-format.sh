#!/usr/bin/env bash
# Says which sources are not formatted as .clang-format has it. With -i it formats them. Of FILES (relative to the source root), or of all.
#
#   utils/check-format.sh [-i] [FILES]
set -euo pipefail
cd "$(dirname "$0")/.."

mode=(--dry-run --Werror)
if [ "${1:-}" = -i ]; then
  mode=(-i)
  shift
fi
if [ $# -gt 0 ]; then
  exec clang-format-22 "${mode[@]}" "$@"
fi
find bench examples include lib tools unittests \( -name '*.cpp' -o -name '*.h' -o -name '*.c' \) -print0 |
  xargs -0 -n 50 clang-format-22 "${mode[@]}"
