#include <stdexcept>
#include <vector>

#include "tests/fuzz/bundle_parts.h"
#include "tests/fuzz/targets.h"
#include "tests/support/decode_all.h"

namespace threefold::test {
namespace {

void checkArrays(const ArrayMap& arrays) {
    for (const auto& [name, array] : arrays)
        if (byteCount(array.dtype, array.shape) != array.data.size())
            throw std::runtime_error("a tensor whose data do not fit its shape");
}

}  // namespace

void fuzzBundleIndex(FuzzBytes bytes) {
    const TensorBundleIndex index = decodeTensorBundleIndex(bytes, "input.index");
    for (const auto& [name, entry] : index.entries)
        if (entry.shard >= index.shardCount)
            throw std::runtime_error("a data file index out of range");
}

void fuzzBundle(FuzzBytes bytes) {
    const BundleParts parts = bundleParts(bytes);
    checkArrays(decodeTensorBundle(parts.index, parts.shards, "input.index"));
}

void fuzzTorch(FuzzBytes bytes) {
    checkArrays(decodeTorchArchive(bytes, "input.pt"));
}

void fuzzTorchPickle(FuzzBytes bytes) {
    if (!decodeTorchPickle(bytes, "data.pkl")) throw std::runtime_error("a pickle without a value");
}

}  // namespace threefold::test
