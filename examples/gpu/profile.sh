#!/usr/bin/env bash
# Shows where the time goes: each run step beside the device's measured peak rates, the measures'
# searches, and a trace of a reconstruction for chrome://tracing or Perfetto. Prints one line and stops
# if no GPU can be used.
#
#   examples/gpu/profile.sh SAMPLE TRACE.json [RUNS]
#
# THREEFOLD is the program, `threefold` if unset.
set -euo pipefail
if [[ $# -lt 2 ]]; then
    echo "usage: $0 SAMPLE TRACE.json [RUNS]" >&2
    exit 2
fi
sample=$1
trace=$2
runs=${3:-20}
threefold=${THREEFOLD:-threefold}

"$threefold" bench latency --backend cuda --sample "$sample" --runs "$runs" --warmup 1
"$threefold" bench ops --backend cuda --runs "$runs" --warmup 1
meshes=$(mktemp -d)
trap 'rm -rf "$meshes"' EXIT
"$threefold" reconstruct "$sample" -o "$meshes" --backend cuda --trace "$trace"
