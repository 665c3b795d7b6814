#include "engine/sample_rendering/truth_writing.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "engine/formats/pickle/pickle_writing.h"
#include "engine/views/camera.h"
#include "engine/views/preprocess.h"

namespace threefold {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie");

std::vector<float> rows(const SurfaceSamples& samples) {
    std::vector<float> values;
    values.reserve(samples.points.size() * 6);
    for (std::size_t i = 0; i < samples.points.size(); ++i)
        for (const glm::vec3& part : {samples.points[i], samples.normals[i]})
            values.insert(values.end(), {part.x, part.y, part.z});
    return values;
}

Array picture(const Image& image) {
    constexpr std::size_t kSide = kImageSize;
    std::vector<float> network(kSide * kSide * 3);
    preprocess(image, network);
    Array array{DType::u8, {kSide, kSide, 3}, {}};
    array.data.reserve(network.size());
    for (std::size_t pixel = 0; pixel < kSide * kSide; ++pixel)
        for (std::size_t channel = 0; channel < 3; ++channel)  // from the network's BGR
            array.data.push_back(
                static_cast<std::byte>(std::lround(network[3 * pixel + 2 - channel] * 255)));
    return array;
}

}  // namespace

std::string formatTruthPickle(const Image& image, const SurfaceSamples& samples) {
    const std::array<Array, 2> both{picture(image),
                                    makeArray(rows(samples), {samples.points.size(), 6})};
    return formatPickle(both);
}

std::string formatTruthPly(const SurfaceSamples& samples) {
    std::string ply = fmt::format(
        "ply\nformat binary_little_endian 1.0\ncomment camera space of view 00\n"
        "element vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
        "property float nx\nproperty float ny\nproperty float nz\nend_header\n",
        samples.points.size());
    const std::vector<float> values = rows(samples);
    const std::size_t header = ply.size();
    ply.resize(header + values.size() * sizeof(float));
    if (!values.empty()) std::memcpy(&ply[header], values.data(), values.size() * sizeof(float));
    return ply;
}

}  // namespace threefold
