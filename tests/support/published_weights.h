#pragma once

#include <map>
#include <string>

#include "engine/formats/tensors/array.h"

namespace threefold::test {

/// Transposes a kernel from [out, in, height, width] to [height, width, in, out].
inline Array toHwio(const Array& kernel) {
    const std::size_t size = dtypeSize(kernel.dtype);
    const std::size_t out = kernel.shape[0], in = kernel.shape[1];
    const std::size_t height = kernel.shape[2], width = kernel.shape[3];
    Array result{
        kernel.dtype, {height, width, in, out}, std::vector<std::byte>(kernel.data.size())};
    std::size_t from = 0;
    for (std::size_t o = 0; o < out; ++o)
        for (std::size_t i = 0; i < in; ++i)
            for (std::size_t h = 0; h < height; ++h)
                for (std::size_t w = 0; w < width; ++w, ++from) {
                    const std::size_t to = ((h * width + w) * in + i) * out + o;
                    std::copy_n(kernel.data.begin() + static_cast<std::ptrdiff_t>(from * size),
                                size, result.data.begin() + static_cast<std::ptrdiff_t>(to * size));
                }
    return result;
}

/// Maps Threefold's weight names of stage 1 or 2 to the names in the published TensorFlow code
/// (METHOD.md §10), without ":0". Does not use the table of the reader under test.
inline std::map<std::string, std::string> publishedNames(int stage) {
    std::map<std::string, std::string> names;
    const std::string scope = stage == 1 ? "meshnetmvp2m/" : "meshnet/";
    for (int i = 1; i <= 18; ++i) {
        const std::string ours = "cnn.conv" + std::to_string(i);
        const std::string theirs = scope + "cnn/conv2d_" + std::to_string(i);
        names[ours + ".weight"] = theirs + "/W";
        names[ours + ".bias"] = theirs + "/b";
    }
    const auto addGraph = [&](const std::string& ours, const std::string& theirs) {
        names[ours + ".weights.0"] = theirs + "/weights_0";
        names[ours + ".weights.1"] = theirs + "/weights_1";
        names[ours + ".bias"] = theirs + "/bias";
    };
    if (stage == 1) {
        constexpr int kLengths[] = {14, 14, 15};
        int layer = 1;
        for (int block = 1; block <= 3; ++block)
            for (int i = 1; i <= kLengths[block - 1]; ++i, ++layer)
                addGraph("gcn" + std::to_string(block) + "_layers." + std::to_string(i - 1),
                         scope + "pixel2mesh/graph_conv_blk" + std::to_string(block) + "_" +
                             std::to_string(i) + "_layer_" + std::to_string(layer) + "_vars");
    } else {
        for (int i = 1; i <= 6; ++i) {
            addGraph("drb1.local_conv" + std::to_string(i),
                     scope + "pixel2mesh/graph_drb_blk1_layer_2/localgconv_" + std::to_string(i) +
                         "_vars");
            addGraph("drb2.local_conv" + std::to_string(i),
                     scope + "pixel2mesh/graph_drb_blk2_layer_5/localgconv_" +
                         std::to_string(i + 6) + "_vars");
        }
    }
    return names;
}

/// Weights of a stage in float32, with the names and layout of the published checkpoint. The
/// ending is appended to each name.
inline ArrayMap publishedWeights(const ArrayMap& ours, int stage, const std::string& ending = "") {
    const auto names = publishedNames(stage);
    ArrayMap published;
    for (const auto& [name, array] : ours) {
        const Array floats = makeArray(array.toFloat(), array.shape);
        published[names.at(name) + ending] = array.shape.size() == 4 ? toHwio(floats) : floats;
    }
    return published;
}

}  // namespace threefold::test
