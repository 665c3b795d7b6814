#!/usr/bin/env bash
# Measures throughput for several batch sizes: first with as many pending batches as the GPU takes (one
# is prepared and copied while another is computed), then one by one. Batch sizes beyond the curve's
# bend gain little. Prints one line and stops if no GPU can be used.
#
#   examples/gpu/batches.sh [SECONDS_A_SIZE]
#
# THREEFOLD is the program, `threefold` if unset; BATCHES are the sizes.
set -euo pipefail
seconds=${1:-2}
threefold=${THREEFOLD:-threefold}

sizes=${BATCHES:-1,2,4,8,16,32,64}
"$threefold" bench throughput --backend cuda --batches "$sizes" --seconds "$seconds"
"$threefold" bench throughput --backend cuda --batches "$sizes" --seconds "$seconds" --pending 1
