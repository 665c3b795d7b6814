#!/usr/bin/env bash
# Compares the fused kernels with NVIDIA's libraries (cuDNN, cuBLASLt, cuSPARSE): times every run step
# alone, then a whole reconstruction, with each. Prints one line and stops if no GPU can be used.
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
