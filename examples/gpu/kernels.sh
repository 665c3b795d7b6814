#!/usr/bin/env bash
# Own kernels against libraries: every step of a mesh timed alone, once with the fused kernels and
# once with cuDNN, cuBLASLt and cuSPARSE; then the whole mesh with each. Ends with the reason, in
# one line, where no GPU can be used.
#
#   examples/gpu/kernels.sh [RUNS]
#
# THREEFOLD is the program, `threefold` if unset.
set -euo pipefail
runs=${1:-50}
threefold=${THREEFOLD:-threefold}

for kernels in fused library; do
    "$threefold" bench kernels --kernels "$kernels" --runs "$runs"
    "$threefold" bench latency --backend cuda --kernels "$kernels" --runs "$runs" --warmup 1
done
