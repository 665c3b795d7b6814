#include <stdexcept>

#include "engine/error.h"
#include "engine/formats/tensors/npz.h"
#include "engine/formats/tensors/safetensors.h"
#include "tests/fuzz/targets.h"

namespace threefold::test {
namespace {

void checkArray(const Array& array) {
    if (byteCount(array.dtype, array.shape) != array.data.size())
        throw std::runtime_error("an array whose data do not fit its shape");
    try {
        array.toFloat();
        array.toInt64();
    } catch (const InputError&) {  // this error names no file; the reader adds the name
    }
}

}  // namespace

void fuzzNpy(FuzzBytes bytes) {
    checkArray(decodeNpy(bytes, "input.npy"));
}

void fuzzNpz(FuzzBytes bytes) {
    for (const auto& [name, array] : decodeNpz(bytes, "input.npz")) checkArray(array);
}

void fuzzNpyHeader(FuzzBytes bytes) {
    const NpyHeader header = decodeNpyHeader(bytes, "input.npy");
    if (header.dataOffset > bytes.size())
        throw std::runtime_error("data that begin beyond the file's end");
    try {
        if (decodeNpy(bytes, "input.npy").shape != header.shape)
            throw std::runtime_error("a header of another shape than the array");
    } catch (const Error&) {  // the data are incomplete
    }
}

void fuzzNpzHeaders(FuzzBytes bytes) {
    const auto headers = decodeNpzHeaders(bytes, "input.npz");
    ArrayMap arrays;
    try {
        arrays = decodeNpz(bytes, "input.npz");
    } catch (const Error&) {  // the headers are valid, but not the data
    }
    for (const auto& [name, array] : arrays)
        if (headers.at(name).shape != array.shape)
            throw std::runtime_error("a header of another shape than the array");
}

void fuzzSafetensors(FuzzBytes bytes) {
    const Safetensors read = decodeSafetensors(bytes, "input.safetensors");
    for (const auto& [name, array] : read.arrays) checkArray(array);
    const auto written = encodeSafetensors(read);
    const Safetensors again = decodeSafetensors(written, "written.safetensors");
    if (again.arrays.size() != read.arrays.size() || again.metadata != read.metadata)
        throw std::runtime_error("tensors that read back as others");
    for (const auto& [name, array] : read.arrays) {
        const Array& other = again.arrays.at(name);
        if (other.dtype != array.dtype || other.shape != array.shape || other.data != array.data)
            throw std::runtime_error("a tensor that reads back as another");
    }
}

}  // namespace threefold::test
