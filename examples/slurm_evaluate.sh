#!/usr/bin/env bash
# Evaluates a list on a Slurm cluster: an array of tasks, each a part of the list, and a last task
# that joins them into one report in OUT/all. The nodes see LIST and OUT.
#
#   examples/slurm_evaluate.sh LIST OUT PARTS [EVAL_OPTION...]
#   examples/slurm_evaluate.sh test.txt out 16 --images ShapeNetRendering --gt gt
#
# A task that is killed, with its node or alone, is queued again and continues where it stopped;
# the same command again does only what is missing. THREEFOLD is the program, `threefold` if unset;
# SBATCH_ variables (SBATCH_PARTITION, SBATCH_TIMELIMIT, SBATCH_MEM_PER_CPU) set Slurm's other options.
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail

if [[ $# -lt 3 ]]; then
    echo "usage: $0 LIST OUT PARTS [EVAL_OPTION...]" >&2
    exit 2
fi
list=$1 out=$2 parts=$3
# Checked here as well as by --shard, which would fail in each task.
if [[ ! $parts =~ ^[1-9][0-9]*$ ]]; then
    echo "PARTS: '$parts': expected a number of 1 or more" >&2
    exit 2
fi
threefold=${THREEFOLD:-threefold}

if [[ -z ${SLURM_JOB_ID:-} ]]; then
    mkdir -p "$out"
    array=$(sbatch --parsable --job-name=threefold --array="1-$parts" \
        --output="$out/part%a.txt" "$0" "$@")
    sbatch --parsable --job-name=threefold-merge --dependency="afterany:$array" \
        --output="$out/merge.txt" "$0" "$@"
    exit
fi

if [[ -z ${SLURM_ARRAY_TASK_ID:-} ]]; then
    folders=()
    for ((part = 1; part <= parts; ++part)); do folders+=("$out/part$part"); done
    exec "$threefold" merge "${folders[@]}" -o "$out/all" --overwrite
fi

part=$SLURM_ARRAY_TASK_ID
status=0
"$threefold" eval "$list" -o "$out/part$part" --shard "$part/$parts" --resume \
    --threads "${SLURM_CPUS_PER_TASK:-1}" "${@:4}" || status=$?
if [[ $status -gt 128 && ${SLURM_RESTART_COUNT:-0} -lt 3 ]]; then
    echo "Part $part was killed by signal $((status - 128)) and is queued again."
    scontrol requeue "${SLURM_ARRAY_JOB_ID}_$part"
    sleep 60  # Slurm ends this task as it requeues it; until then, it must not report a failure
fi
exit "$status"  # 3: some samples failed, and the report names them
