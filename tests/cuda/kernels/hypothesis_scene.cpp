#include "tests/cuda/kernels/hypothesis_scene.h"

#include <cstring>
#include <new>
#include <random>

#include "cuda/kernels/element.h"
#include "cuda/portable/half.h"
#include "engine/model/architecture.h"

namespace threefold::cuda::test {
namespace {

constexpr int kSides[3] = {224, 112, 56};

/// Memory aligned to 256 bytes, as cudaMalloc() aligns it.
class DeviceBytes {
  public:
    explicit DeviceBytes(std::size_t bytes)
        : data_(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{256}))) {}

    std::byte* get() const { return data_.get(); }

  private:
    struct Free {
        void operator()(std::byte* data) const { ::operator delete (data, std::align_val_t{256}); }
    };
    std::unique_ptr<std::byte, Free> data_;
};

template <class T>
DeviceBytes copyOf(const std::vector<T>& values) {
    DeviceBytes bytes(values.size() * sizeof(T));
    std::memcpy(bytes.get(), values.data(), values.size() * sizeof(T));
    return bytes;
}

template <class T>
DeviceBytes converted(const std::vector<float>& values) {
    std::vector<T> narrow;
    narrow.reserve(values.size());
    for (const float value : values) narrow.push_back(fromFloat<T>(value));
    return copyOf(narrow);
}

DeviceBytes stored(const std::vector<float>& values, ElementType element) {
    switch (element) {
        case ElementType::float32:
            return copyOf(values);
        case ElementType::bfloat16:
            return converted<Bfloat16>(values);
        default:
            return converted<Half>(values);
    }
}

/// Number of values in a tap's map of one view.
std::size_t imageSize(std::size_t tap) {
    return static_cast<std::size_t>(kSides[tap]) * static_cast<std::size_t>(kSides[tap]) *
           tapChannels(tap);
}

}  // namespace

DeviceLimits limitsOf(int computeCapability) {
    std::size_t kibibytes = 227;
    if (computeCapability == 75) kibibytes = 64;
    if (computeCapability == 80) kibibytes = 163;
    if (computeCapability == 86 || computeCapability == 89 || computeCapability == 120) {
        kibibytes = 99;
    }
    return {computeCapability, 100, kibibytes * 1024, true};
}

HypothesisScene randomScene(int batch, int vertices, int views, std::uint32_t seed, float largest) {
    std::mt19937 random(seed);
    HypothesisScene scene;
    scene.batch = batch;
    std::vector<Camera> cameras;
    for (int view = 0; view < views; ++view) {
        CameraRow row{};
        row.azimuth = 15.0 + 47.3 * view;
        row.elevation = 27.5 - view;
        row.distance = 0.8;
        cameras.push_back(Camera::fromRow(row));
    }
    scene.projections = projectionsFrom(cameras);
    for (std::size_t tap = 0; tap < 3; ++tap) {
        scene.maps[tap].resize(static_cast<std::size_t>(batch * views) * imageSize(tap));
        for (float& value : scene.maps[tap]) {
            value = largest * static_cast<float>(random() >> 8) * 0x1p-24F;
        }
    }
    std::uniform_real_distribution<float> spread(-0.2F, 0.2F);
    for (int b = 0; b < batch; ++b) {
        Points points;
        for (int i = 0; i < vertices; ++i) {
            const float x = spread(random);
            const float y = spread(random);
            points.emplace_back(x, y, -0.8F + spread(random));
        }
        scene.points.push_back(std::move(points));
    }
    return scene;
}

void roundMaps(HypothesisScene& scene, Precision precision) {
    const ElementType element = storageOf(precision);
    for (std::vector<float>& values : scene.maps) {
        for (float& value : values) {
            if (element == ElementType::float16) value = toFloat(fromFloat<Half>(value));
            if (element == ElementType::bfloat16) value = toFloat(fromFloat<Bfloat16>(value));
        }
    }
}

FeaturePooling poolingOf(const HypothesisScene& scene, int batch) {
    std::vector<FeatureMap> maps;
    for (std::size_t tap = 0; tap < 3; ++tap) {
        const std::size_t before = static_cast<std::size_t>(batch * scene.views()) * imageSize(tap);
        maps.push_back({scene.maps[tap].data() + before, static_cast<std::size_t>(kSides[tap]),
                        tapChannels(tap)});
    }
    return FeaturePooling(scene.projections, maps, SamplerKind::bilinearPerView,
                          *simd::runnableNetworkKernels().back());
}

HypothesisOutput runHypothesisKernel(const HypothesisScene& scene, const Model& model,
                                     std::size_t block, Precision precision,
                                     const DeviceLimits& limits, const QuantisationRanges& ranges) {
    const DeviceBytes weights =
        copyOf(packHypothesisBlock(model, block, precision, limits, ranges));
    std::vector<ViewTransform> transforms;
    std::vector<float> points;
    for (int b = 0; b < scene.batch; ++b) {
        for (const FeatureProjection& projection : scene.projections) {
            ViewTransform transform{};
            for (int row = 0; row < 3; ++row) {
                for (int column = 0; column < 3; ++column) {
                    transform.rotation[3 * row + column] = projection.rotation[column][row];
                }
                transform.translation[row] = projection.translation[row];
            }
            transforms.push_back(transform);
        }
        for (const glm::vec3 p : scene.points[static_cast<std::size_t>(b)]) {
            points.insert(points.end(), {p.x, p.y, p.z});
        }
    }
    const DeviceBytes maps[3] = {stored(scene.maps[0], storageOf(precision)),
                                 stored(scene.maps[1], storageOf(precision)),
                                 stored(scene.maps[2], storageOf(precision))};
    HypothesisOutput output;
    output.moved.assign(points.size(), -1.0F);
    output.scores.assign(points.size() / 3 * model.templateMesh.hypothesisOffsets.size(), -1.0F);

    HypothesisArguments arguments;
    arguments.points = points.data();
    arguments.moved = output.moved.data();
    arguments.scores = output.scores.data();
    arguments.batch = scene.batch;
    arguments.vertices = static_cast<int>(scene.points.at(0).size());
    arguments.transforms = transforms.data();
    arguments.views = scene.views();
    for (std::size_t tap = 0; tap < 3; ++tap) {
        arguments.maps[tap] = {maps[tap].get(), kSides[tap], static_cast<int>(tapChannels(tap))};
    }
    arguments.weights = weights.get();
    arguments.ranges = isEightBit(precision) ? nullptr : output.ranges.input;
    launchHypothesisBlock(nullptr, precision, limits, arguments);
    return output;
}

}  // namespace threefold::cuda::test
