#!/usr/bin/env bash
# Compares a GPU's precisions with float32 on a list, a data set's folder or a sample: how many times as
# fast each is, and how much F(τ) it loses. The first run of a precision tries the libraries'
# algorithms, and for 8 bits measures ranges; later runs use both again. Prints one line and stops if
# no GPU can be used.
#
#   examples/gpu/precisions.sh LIST [COMPARE_OPTION...]
#   examples/gpu/precisions.sh test.txt --images ShapeNetRendering --gt gt --runs 1
#
# THREEFOLD is the program, `threefold` if unset; PRECISIONS are the precisions to compare.
set -euo pipefail
if [[ $# -lt 1 ]]; then
    echo "usage: $0 LIST [COMPARE_OPTION...]" >&2
    exit 2
fi
list=$1
shift
threefold=${THREEFOLD:-threefold}
precisions=${PRECISIONS:-float32 tfloat32 float16 int8}

sides=()
for precision in $precisions; do sides+=("cuda:$precision"); done
"$threefold" compare "${sides[@]}" --list "$list" "$@"
