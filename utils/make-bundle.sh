#!/usr/bin/env bash
# Builds dist/mirage-bundle-VERSION-x86_64.tar.xz: mirage-run and mirage-opt with MLIR and LLVM linked in, the programs, and a
# script that runs them. It is for a machine with a GPU and its driver, x86-64 and glibc 2.35 or later, and nothing else installed.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}

cmake --preset static
cmake --build --preset static -j "$jobs" --target mirage-run mirage-opt

version=$(git describe --tags --always --dirty 2>/dev/null || echo unknown)
name=mirage-bundle-$version-x86_64
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
bundle=$stage/$name

mkdir -p "$bundle/bin" dist
for tool in mirage-run mirage-opt; do
  llvm-strip-22 -o "$bundle/bin/$tool" "build-static/bin/$tool"
  # What else a library would be is not on the other machine.
  foreign=$(readelf -d "$bundle/bin/$tool" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
    grep -Ev '^(libc|libm|libdl|libpthread|librt|ld-linux-x86-64)\.so' || true)
  if [ -n "$foreign" ]; then
    echo "$tool needs more than glibc: ${foreign//$'\n'/ }" >&2
    exit 1
  fi
  glibc=$(readelf -V "$bundle/bin/$tool" | grep -o 'GLIBC_2\.[0-9]*' | sort -uV | tail -n 1)
  if [ "${glibc#GLIBC_2.}" -gt 35 ]; then
    echo "$tool needs $glibc; 2.35 is what the bundle promises to run with" >&2
    exit 1
  fi
done
python3 utils/programs/linalg_programs.py all "$bundle/programs"
cp utils/bundle/run-all.sh LICENSE "$bundle/"

tar -C "$stage" --owner=0 --group=0 --sort=name -cf - "$name" | xz -T"$jobs" -9 >"$stage/$name.tar.xz"
mv "$stage/$name.tar.xz" dist/
du -h "dist/$name.tar.xz"
