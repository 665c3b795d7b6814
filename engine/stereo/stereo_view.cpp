#include "engine/stereo/stereo_view.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <glm/matrix.hpp>

namespace threefold::stereo {
namespace {

/// One axis of a picture in fewer pixels: the source pixels of each target pixel and their shares.
struct Shrinking {
    Shrinking(int from, int to) {
        const double ratio = static_cast<double>(from) / to;
        for (int i = 0; i < to; ++i) {
            const double begin = i * ratio;
            const double end = (i + 1) * ratio;
            first.push_back(static_cast<int>(begin));
            const int last = std::min(from, static_cast<int>(std::ceil(end - 1e-9)));
            std::vector<float> weights;
            for (int at = first.back(); at < last; ++at) {
                const double covered = std::min<double>(at + 1, end) - std::max<double>(at, begin);
                weights.push_back(static_cast<float>(covered / ratio));
            }
            shares.push_back(std::move(weights));
        }
    }
    std::vector<int> first;
    std::vector<std::vector<float>> shares;
};

/// Area means of a square picture.
std::vector<float> shrunk(const std::vector<float>& picture, int from, int to) {
    if (from == to) return picture;
    const Shrinking axis(from, to);
    std::vector<float> narrow(static_cast<std::size_t>(from) * static_cast<std::size_t>(to));
    for (int row = 0; row < from; ++row) {
        const float* line =
            &picture[static_cast<std::size_t>(row) * static_cast<std::size_t>(from)];
        float* out = &narrow[static_cast<std::size_t>(row) * static_cast<std::size_t>(to)];
        for (std::size_t i = 0; i < axis.shares.size(); ++i) {
            float sum = 0;
            for (std::size_t j = 0; j < axis.shares[i].size(); ++j)
                sum += axis.shares[i][j] * line[static_cast<std::size_t>(axis.first[i]) + j];
            out[i] = sum;
        }
    }
    const auto width = static_cast<std::size_t>(to);
    std::vector<float> small(width * width);
    for (std::size_t row = 0; row < width; ++row)
        for (std::size_t j = 0; j < axis.shares[row].size(); ++j) {
            const float share = axis.shares[row][j];
            const float* line = &narrow[(static_cast<std::size_t>(axis.first[row]) + j) * width];
            for (std::size_t i = 0; i < width; ++i) small[row * width + i] += share * line[i];
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

void setMask(StereoView& view, std::vector<float> share) {
    view.mask.resize(share.size());
    for (std::size_t i = 0; i < share.size(); ++i) view.mask[i] = share[i] >= 0.5F ? 1 : 0;
    view.dilated = dilated({view.side, view.side, view.mask}).inside;
}

}  // namespace

Projection::Projection(const Camera& camera, int side) : centre(camera.origin) {
    const double scale = static_cast<double>(side) / kImageSize;
    focal = scale * kFocalLength * camera.zoom;
    const double middle = scale * kImageCentre - 0.5;
    const glm::dmat3 rows = glm::transpose(camera.rotation);  // [0] is R's first row
    const glm::dvec3 forward = -rows[2];
    linear = glm::transpose(glm::dmat3(focal * rows[0] + middle * forward,
                                       -focal * rows[1] + middle * forward, forward));
    offset = -(linear * centre);
    inverse = glm::inverse(linear);
}

glm::dvec3 Projection::project(glm::dvec3 world) const {
    const glm::dvec3 at = linear * world + offset;
    return {at.x / at.z, at.y / at.z, at.z};
}

StereoView stereoView(const Camera& camera, const Image& photograph, const Mask& mask, int side) {
    StereoView view{side, camera, Projection(camera, side), {}, {}, {}};
    view.grey = shrunk(greyOf(photograph), photograph.width, side);
    setMask(view, shrunk({mask.inside.begin(), mask.inside.end()}, mask.width, side));
    return view;
}

StereoView halved(const StereoView& view) {
    const int side = view.side / 2;
    StereoView half{side, view.camera, Projection(view.camera, side), {}, {}, {}, view.view};
    half.grey = shrunk(view.grey, view.side, side);
    setMask(half, shrunk({view.mask.begin(), view.mask.end()}, view.side, side));
    return half;
}

}  // namespace threefold::stereo
