#!/bin/sh
# Runs the programs of the bundle and compares each result with an f64 evaluation of the program.
#
#   run-all.sh [cuda|host] [option of mirage-run...]      for example: run-all.sh cuda --target=sm_80
#
# PROGRAMS and BATCHES choose what runs (PROGRAMS="rmsnorm lora" BATCHES=8), LOGS the folder for the output and the PTX.
# Exit status: 0 if all passed, 1 if one failed, 2 if the arguments are wrong.
here=$(cd "$(dirname "$0")" && pwd) || exit 2

case "${1:-cuda}" in
cuda | host) backend=${1:-cuda} ;;
*)
  echo "usage: run-all.sh [cuda|host] [option of mirage-run...]" >&2
  exit 2
  ;;
esac
[ $# -eq 0 ] || shift

: "${PROGRAMS:=rmsnorm gated_mlp lora ntrans qknorm gqa gqa_8k}" "${BATCHES:=1 8 16}" "${LOGS:=mirage-logs}"
mkdir -p "$LOGS" || exit 2

passed=0
failed=0
for program in $PROGRAMS; do
  for batch in $BATCHES; do
    name=${program}_b$batch
    log=$LOGS/$name.log
    start=$(date +%s)
    if "$here/bin/mirage-run" "$here/programs/$name.mlir" --backend="$backend" --check --seed=1 --ptx="$LOGS/$name.ptx" "$@" \
      >"$log" 2>&1; then
      verdict=pass
      passed=$((passed + 1))
    else
      verdict=FAIL
      failed=$((failed + 1))
    fi
    # The errors of the outputs; of a program that never ran, the end of what was printed.
    details=$(grep '^output ' "$log" || tail -n 3 "$log")
    echo "$verdict $name ($(($(date +%s) - start)) s): $details"
  done
done
echo "$passed passed, $failed failed on $backend; logs and PTX in $LOGS"
[ "$failed" -eq 0 ]
