#include "engine/stereo/stereo_view.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <glm/matrix.hpp>

namespace threefold::stereo {
namespace {

/// Area-mean weights along one axis: for each target pixel its source pixels and their weights.
struct AreaWeights {
    AreaWeights(int from, int to) {
        const double ratio = static_cast<double>(from) / to;
        for (int i = 0; i < to; ++i) {
            const double begin = i * ratio;
            const double end = (i + 1) * ratio;
            first.push_back(static_cast<int>(begin));
            const int last = std::min(from, static_cast<int>(std::ceil(end - 1e-9)));
            std::vector<float> own;
            for (int pixel = first.back(); pixel < last; ++pixel) {
                const double covered =
                    std::min<double>(pixel + 1, end) - std::max<double>(pixel, begin);
                own.push_back(static_cast<float>(covered / ratio));
            }
            weights.push_back(std::move(own));
        }
    }
    std::vector<int> first;
    std::vector<std::vector<float>> weights;
};

/// Resizes a square picture to fewer pixels by area means.
std::vector<float> areaResized(const std::vector<float>& picture, int from, int to) {
    if (from == to) return picture;
    const AreaWeights axis(from, to);
    std::vector<float> narrow(static_cast<std::size_t>(from) * static_cast<std::size_t>(to));
    for (int row = 0; row < from; ++row) {
        const float* line =
            &picture[static_cast<std::size_t>(row) * static_cast<std::size_t>(from)];
        float* out = &narrow[static_cast<std::size_t>(row) * static_cast<std::size_t>(to)];
        for (std::size_t i = 0; i < axis.weights.size(); ++i) {
            float sum = 0;
            for (std::size_t j = 0; j < axis.weights[i].size(); ++j)
                sum += axis.weights[i][j] * line[static_cast<std::size_t>(axis.first[i]) + j];
            out[i] = sum;
        }
    }
    const auto width = static_cast<std::size_t>(to);
    std::vector<float> small(width * width);
    for (std::size_t row = 0; row < width; ++row)
        for (std::size_t j = 0; j < axis.weights[row].size(); ++j) {
            const float weight = axis.weights[row][j];
            const float* line = &narrow[(static_cast<std::size_t>(axis.first[row]) + j) * width];
            for (std::size_t i = 0; i < width; ++i) small[row * width + i] += weight * line[i];
        }
    return small;
}

std::vector<float> greyOf(const Image& image) {
    std::vector<float> grey(image.rgba.size() / 4);
    for (std::size_t i = 0; i < grey.size(); ++i) {
        const std::uint8_t* rgb = &image.rgba[4 * i];
        grey[i] = 0.299F * static_cast<float>(rgb[0]) + 0.587F * static_cast<float>(rgb[1]) +
                  0.114F * static_cast<float>(rgb[2]);
    }
    return grey;
}

void setMask(StereoView& view, std::vector<float> coverage) {
    view.mask.resize(coverage.size());
    for (std::size_t i = 0; i < coverage.size(); ++i) view.mask[i] = coverage[i] >= 0.5F ? 1 : 0;
    view.dilatedMask = dilated({view.side, view.side, view.mask}).inside;
}

}  // namespace

StereoProjection::StereoProjection(const Camera& camera, int side) : centre(camera.centre) {
    const double scale = static_cast<double>(side) / kInputSide;
    focalLength = scale * kFocalLength * camera.zoom;
    const double principalPoint = scale * kPrincipalPoint - 0.5;
    const glm::dmat3 rows = glm::transpose(camera.rotation);  // [0] is R's first row
    const glm::dvec3 forward = -rows[2];
    matrix = glm::transpose(glm::dmat3(focalLength * rows[0] + principalPoint * forward,
                                       -focalLength * rows[1] + principalPoint * forward, forward));
    translation = -(matrix * centre);
    inverseMatrix = glm::inverse(matrix);
}

glm::dvec3 StereoProjection::project(glm::dvec3 world) const {
    const glm::dvec3 pixel = matrix * world + translation;
    return {pixel.x / pixel.z, pixel.y / pixel.z, pixel.z};
}

StereoView stereoView(const Camera& camera, const Image& photograph, const Mask& mask, int side) {
    StereoView view(camera, side);
    view.grey = areaResized(greyOf(photograph), photograph.width, side);
    setMask(view, areaResized({mask.inside.begin(), mask.inside.end()}, mask.width, side));
    return view;
}

StereoView halved(const StereoView& view) {
    const int side = view.side / 2;
    StereoView half(view.camera, side);
    half.view = view.view;
    half.grey = areaResized(view.grey, view.side, side);
    setMask(half, areaResized({view.mask.begin(), view.mask.end()}, view.side, side));
    return half;
}

}  // namespace threefold::stereo
