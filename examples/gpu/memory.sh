#!/usr/bin/env bash
# Measures a GPU's memory: of one reconstruction (weights and buffers, without the bare context), then
# with batches of growing size; a batch that does not fit ends the table with a line. Prints one line
# and stops if no GPU can be used.
#
#   examples/gpu/memory.sh [SECONDS_A_SIZE]
#
# THREEFOLD is the program, `threefold` if unset; BATCHES are the sizes.
set -euo pipefail
seconds=${1:-1}
threefold=${THREEFOLD:-threefold}

"$threefold" bench latency --backend cuda --runs 1 --warmup 1 | tail -n 1
"$threefold" bench throughput --backend cuda --batches "${BATCHES:-1,4,16,64,256}" \
    --seconds "$seconds"
