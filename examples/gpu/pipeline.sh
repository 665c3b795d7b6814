#!/usr/bin/env bash
# Runs the pipeline on a list, from files to measured meshes: one sample after another, overlapped, and
# with the requested threads and batches. The picture shows how busy each part was. Prints one line and
# stops if no GPU can be used.
#
#   examples/gpu/pipeline.sh OUT.svg [LIST] [BENCH_OPTION...]
#   examples/gpu/pipeline.sh pipeline.svg test.txt --images ShapeNetRendering --gt gt
#
# THREEFOLD is the program, `threefold` if unset.
set -euo pipefail
if [[ $# -lt 1 ]]; then
    echo "usage: $0 OUT.svg [LIST] [BENCH_OPTION...]" >&2
    exit 2
fi
picture=$1
shift
"${THREEFOLD:-threefold}" bench pipeline "$@" --backend cuda --no-meshes --plot "$picture"
