#!/usr/bin/env bash
# Installs the Debian packages that Mirage is built and tested with. Does nothing when all are there.
set -euo pipefail

packages=(
  cmake ninja-build make python3
  clang-22 clang-format-22 lld-22 libclang-rt-22-dev
  llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools
  libboost-context-dev libgtest-dev libgmock-dev libbenchmark-dev libopenblas-dev libsqlite3-dev libz3-dev
  libzstd-dev zlib1g-dev xz-utils graphviz
)

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [ "$status" = "install ok installed" ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

sudo=
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "these packages are missing and installing them takes root or sudo: ${missing[*]}" >&2
    exit 1
  fi
  sudo=sudo
fi
echo "installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
$sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
