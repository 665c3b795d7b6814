#!/usr/bin/env bash
# Evaluates a list in parts, then joins them into one report. The same command again computes only
# missing samples: after Ctrl-C, a full disk, or the repair of a sample.
#
#   examples/evaluate_list.sh LIST OUT [PARTS [EVAL_OPTION...]]
#   examples/evaluate_list.sh test.txt out 4 --images ShapeNetRendering --gt gt --fit-views all
#
# Parts are for several machines, or for a queue: each can run anywhere that sees LIST and OUT.
# THREEFOLD is the program, `threefold` if unset.
set -euo pipefail

if [[ $# -lt 2 ]]; then
    echo "usage: $0 LIST OUT [PARTS [EVAL_OPTION...]]" >&2
    exit 2
fi
list=$1
out=$2
parts=${3:-1}
# The same check as in slurm_evaluate.sh, since each script may be copied alone.
if [[ ! $parts =~ ^[1-9][0-9]*$ ]]; then
    echo "PARTS: '$parts': expected a number of 1 or more" >&2
    exit 2
fi
shift $(($# > 3 ? 3 : $#))
threefold=${THREEFOLD:-threefold}

mkdir -p "$out"
folders=()
exit_code=0
for ((part = 1; part <= parts; ++part)); do
    folder=$out/part$part
    folders+=("$folder")
    status=0
    "$threefold" eval "$list" -o "$folder" --shard "$part/$parts" --resume "$@" >"$folder.txt" ||
        status=$?
    # 3: some samples failed, and the report names them; the others are done.
    if [[ $status != 0 && $status != 3 ]]; then exit "$status"; fi
    if [[ $status == 3 ]]; then exit_code=3; fi
done

"$threefold" merge "${folders[@]}" -o "$out/all" --overwrite || exit_code=$?
exit "$exit_code"
