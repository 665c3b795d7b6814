// All backends, the processor's first: each line names a BackendEntry.
THREEFOLD_BACKEND(kProcessorBackend)
THREEFOLD_BACKEND(kCudaBackend)
