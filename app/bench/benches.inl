// All benchmarks, in the order of the help: each line names a Bench.
THREEFOLD_BENCH(kLatencyBench)
THREEFOLD_BENCH(kThroughputBench)
THREEFOLD_BENCH(kPipelineBench)
THREEFOLD_BENCH(kKernelsBench)
THREEFOLD_BENCH(kOpsBench)
THREEFOLD_BENCH(kRasterBench)
THREEFOLD_BENCH(kFitBench)
THREEFOLD_BENCH(kViewsBench)
