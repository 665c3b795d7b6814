#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "engine/devices/device_error.h"
#include "engine/network/cpu_backend.h"
#include "engine/network/cuda_plugin.h"
#include "engine/network/serial_backend.h"
#include "engine/raster/device_raster.h"
#include "engine/raster/draw.h"

namespace {

using threefold::CudaOptions;
using threefold::CudaPlugin;
using threefold::DeviceError;

/// The second of three devices, on which everything fails.
constexpr int kBadDevice = 1;

/// Back end that claims to be a GPU and computes on the processor.
class FakeGpu : public threefold::SerialBackend {
  public:
    /// Makes its own processor back end if CudaOptions::makeProcessorBackend is empty.
    FakeGpu(const std::shared_ptr<const threefold::Model>& model, const CudaOptions& options)
        : processor_(options.makeProcessorBackend ? options.makeProcessorBackend()
                                                  : threefold::makeCpuBackend(model, {})),
          precision_(options.precision),
          stepTimes_(options.tuning.stepTimes),
          library_(options.tuning.libraryKernels),
          device_(options.device),
          calibrated_(options.quantisationSamples.size()),
          settings_(" · " + std::to_string(options.tuning.streams) + " streams, " +
                    (options.tuning.cudaGraphs ? "graphs" : "launches") + ", " +
                    (options.tuning.pinned ? "pinned" : "pageable") + ", " +
                    std::to_string(options.tuning.memoryBytes >> 20U) + " and " +
                    std::to_string(options.tuning.maxCudaGraphBytes >> 20U) + " MiB, plans in " +
                    options.tuning.planFolder.string()) {
        if (options.log) options.log(threefold::LogLevel::debug, "stand-in" + settings_);
    }

    std::string description() const override {
        return "CUDA · Stand-in · " + std::string(precisionName(precision_)) +
               (library_ ? " · library" : " · fused") +
               (calibrated_ > 0 ? " · calibrated on " + std::to_string(calibrated_) : "");
    }
    threefold::Precision precision() const override { return precision_; }
    std::shared_ptr<const threefold::Model> model() const override { return processor_->model(); }

    threefold::Reconstruction compute(const threefold::NetworkInput& input,
                                      const threefold::BatchOptions& options) override {
        threefold::Reconstruction result = reconstructed(input, options);
        std::erase_if(result.timings, [&](const threefold::StepTiming& timing) {
            return !stepTimes_ ||
                   (!options.wantTimings && timing.step != threefold::RunStep::preprocess);
        });
        result.wallMilliseconds = kWallMilliseconds;
        return result;
    }

    void begin(std::span<const threefold::NetworkInput> inputs,
               const threefold::BatchOptions& options) override {
        if (inputs.size() > 1) {
            throw threefold::OutOfDeviceMemory(
                {"GPU 0", "", "has room for one mesh", "Take smaller batches."});
        }
        SerialBackend::begin(inputs, options);
    }

    /// The fake NVML derives the utilisation from the bus id: 20 % for device 0, 60 % for others.
    std::string pciBusId() const override { return device_ == 0 ? "0000:20:00.0" : "0000:60:00.0"; }

    std::optional<threefold::DeviceMemoryUse> memoryUse() const override {
        return threefold::DeviceMemoryUse{500'000'000, 300'000'000, 200'000'000, {1200, 3, 2}};
    }

  private:
    static constexpr double kWallMilliseconds = 0.5;

    /// Result of the processor. From the third call in a row with the same input, returns the last
    /// result instead, unless the caller observes or cancels the run: warm-up and repeated runs
    /// have equal inputs, and each run takes a second on the processor. The second call is
    /// computed, so that a sample after a single warm-up run has its own time.
    threefold::Reconstruction reconstructed(const threefold::NetworkInput& input,
                                            const threefold::BatchOptions& options) {
        const bool watched = options.progress || options.onCoarseMesh || options.probe;
        const bool again =
            last_ && last_->wantTimings == options.wantTimings && sameInput(last_->input, input);
        const int calls = again ? last_->calls + 1 : 1;
        if (watched || options.cancel.stop_requested() || calls < 3)
            last_ = Run{input, options.wantTimings, processor_->reconstruct(input, options)};
        last_->calls = calls;
        return last_->result;
    }

    static bool sameInput(const threefold::NetworkInput& a, const threefold::NetworkInput& b) {
        const auto sameCamera = [](const threefold::Camera& one, const threefold::Camera& other) {
            return one.rotation == other.rotation && one.centre == other.centre &&
                   one.zoom == other.zoom;
        };
        return a.depthOffset == b.depthOffset &&
               std::ranges::equal(a.cameras, b.cameras, sameCamera) &&
               std::ranges::equal(a.images, b.images, {}, &threefold::Image::rgba,
                                  &threefold::Image::rgba);
    }

    struct Run {
        threefold::NetworkInput input;
        bool wantTimings;  ///< BatchOptions::wantTimings
        threefold::Reconstruction result;
        int calls = 1;  ///< in a row with this input
    };

    std::unique_ptr<threefold::Backend> processor_;
    threefold::Precision precision_;
    bool stepTimes_;
    bool library_;
    int device_;
    std::size_t calibrated_;
    std::string settings_;
    std::optional<Run> last_;
};

std::vector<threefold::GpuDescription> devices() {
#if defined(FAKE_NO_DRIVER)
    throw DeviceError({"GPU", "", "there is no NVIDIA driver", "Install one."});
#else
    const threefold::GpuDescription gpu{"Stand-in", 90, 1, std::size_t{1} << 30, "000.00", "none"};
    return {gpu, gpu, gpu};
#endif
}

std::unique_ptr<threefold::Backend> makeBackend(std::shared_ptr<const threefold::Model> model,
                                                const CudaOptions& options) {
    if (options.device == kBadDevice) {
        throw DeviceError({"GPU 1", "", "stands in for a broken one", "Use another."});
    }
    return std::make_unique<FakeGpu>(model, options);
}

std::vector<threefold::GpuCheck> check(const std::shared_ptr<const threefold::Model>& /*model*/,
                                       const CudaOptions& options) {
    const std::string precision(precisionName(options.precision));
    return {{"pooling, " + precision, true, 1e-7, 1e-6, 0.25, 0.5, ""},
            {"convolutions, " + precision, options.device != kBadDevice, 1e-2, 1e-1, 2, 0, "slow"}};
}

threefold::GpuPeakRates peakRates(int /*device*/, threefold::Precision /*precision*/) {
    return {1e6, 1e6};
}

void timeSteps(const std::shared_ptr<const threefold::Model>& /*model*/, const CudaOptions& options,
               std::span<const threefold::NetworkInput> inputs, int replays,
               const std::function<void(const threefold::CapturedStep&)>& report,
               const std::stop_token& /*cancel*/) {
    const auto batch = static_cast<double>(inputs.size());
    report({"preprocess", "upload", 1, 1e6 * batch, 0, 0.5});
    if (options.device == kBadDevice) {
        throw DeviceError({"GPU 1", "", "stands in for a broken one", "Use another."});
    }
    report(
        {"cnn1", options.tuning.libraryKernels ? "library" : "fused", 2, 2e6, 4e9, 1.0 * replays});
}

/// Draws on the processor.
class FakeGpuRaster : public threefold::raster::DeviceRaster {
  public:
    class Views : public Drawing {
      public:
        explicit Views(const threefold::RasterOptions& options) : options_(options) {}
        void draw(const threefold::raster::SnappedView& snapped,
                  std::span<const float> previousDepths, threefold::RasterImage& image) override {
            drawBasic(snapped, options_, previousDepths, image);
        }
        void finish() override {}

      private:
        const threefold::RasterOptions& options_;
    };

    std::unique_ptr<Drawing> begin(const threefold::Faces& /*faces*/,
                                   const threefold::RasterOptions& options) override {
        return std::make_unique<Views>(options);
    }
};

std::unique_ptr<threefold::raster::DeviceRaster> makeRaster(int device) {
    if (device == kBadDevice) {
        throw DeviceError({"GPU 1", "", "stands in for a broken one", "Use another."});
    }
    return std::make_unique<FakeGpuRaster>();
}

}  // namespace

#if defined(FAKE_NO_ENTRY)
#define ENTRY_NAME anotherLibrarysFunction
#else
#define ENTRY_NAME threefoldCudaPlugin
#endif

extern "C" const CudaPlugin* ENTRY_NAME() {
#if defined(FAKE_OLD_VERSION)
    const std::string version = "0.0.1";
#else
    const std::string version = threefold::cudaPluginVersion();
#endif
    static const CudaPlugin plugin = [&version] {
        CudaPlugin table{version,   devices,   makeBackend, check,
                         peakRates, timeSteps, makeRaster,  {90}};
#if defined(FAKE_INCOMPLETE)
        table.peakRates = nullptr;
#endif
        return table;
    }();
    return &plugin;
}
