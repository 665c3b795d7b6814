#include "engine/sample_rendering/make_samples.h"

#include <omp.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample_rendering/publish_queue.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;
using Outcome = MakingResult::Outcome;

/// One line for whatever ended a mesh. Throws Cancelled, and what is no matter of one mesh: a GPU
/// that is not there would fail them all.
std::string errorOf(const std::exception_ptr& failure, const fs::path& file) {
    try {
        std::rethrow_exception(failure);
    } catch (const Cancelled&) {
        throw;
    } catch (const DeviceError&) {
        throw;
    } catch (const std::bad_alloc&) {
        return file.string() + ": not enough memory. Close other programs, or use fewer --threads.";
    } catch (const Error& error) {
        return error.what();
    } catch (const fs::filesystem_error& error) {
        return error.what();
    }
}

/// For each mesh the first that has its name.
std::vector<const ItemMesh*> firstsOfTheirNames(std::span<const ItemMesh> meshes) {
    std::map<std::pair<std::string_view, std::string_view>, const ItemMesh*> firsts;
    std::vector<const ItemMesh*> result;
    result.reserve(meshes.size());
    for (const ItemMesh& mesh : meshes) {
        const std::pair<std::string_view, std::string_view> name(mesh.category, mesh.item);
        result.push_back(firsts.emplace(name, &mesh).first->second);
    }
    return result;
}

/// Throws InputError where it is not the mesh that a sample of its name is made from.
void requireOwnName(const ItemMesh& mesh, const ItemMesh& first) {
    if (&mesh == &first) return;
    throw InputError({mesh.file.string(), "",
                      fmt::format("its sample would be {}_{}, and so is the one of {}",
                                  mesh.category, mesh.item, first.file.string()),
                      "Rename one of them, or leave one out."});
}

/// Throws IoError where there is no space left: further samples would fail one after the other.
void requireSpace(const fs::path& root) {
    constexpr std::uintmax_t kLeast = 1 << 20;
    std::error_code error;
    const fs::space_info space = fs::space(root, error);
    if (!error && space.capacity > 0 && space.available < kLeast)
        throw IoError({root.string(), "", "its disk is full",
                       "Make room; the same command then goes on where it was."});
}

class Making {
  public:
    Making(std::span<const ItemMesh> meshes, const fs::path& root, const SampleSettings& settings,
           std::size_t mostWaiting, const std::stop_token& cancel, const MakingFunction& report)
        : meshes_(meshes),
          root_(root),
          settings_(settings),
          cancel_(cancel),
          report_(report),
          firsts_(firstsOfTheirNames(meshes)),
          results_(meshes.size()),
          queue_(root, mostWaiting, [this](PublishQueue::Item item, const auto& failure) {
              publish(std::move(item), failure);
          }) {}

    /// Throws Cancelled.
    void make(std::size_t number, int threads) {
        const ItemMesh& mesh = meshes_[number];
        MakingResult result;
        std::optional<PreparedSample> sample;
        const Stopwatch watch;
        try {
            requireOwnName(mesh, *firsts_[number]);
            if (!settings_.overwrite && isMade(root_, mesh)) {
                result.outcome = Outcome::skipped;
            } else {
                sample.emplace(prepareSample(mesh, root_, settings_, threads, cancel_));
            }
        } catch (...) {
            requireSpace(root_);
            result.error = errorOf(std::current_exception(), mesh.file);
        }
        result.milliseconds = watch.milliseconds();
        if (sample) {
            queue_.add({number, std::move(*sample), result.milliseconds});
        } else {
            tell(number, std::move(result));
        }
    }

    void finish() { queue_.finish(); }

    /// In the order of the meshes.
    std::vector<MakingResult> take() {
        std::vector<MakingResult> results;
        for (std::optional<MakingResult>& result : results_)
            if (result) results.push_back(std::move(*result));
        return results;
    }

  private:
    void publish(PublishQueue::Item item, const std::exception_ptr& failure) {
        MakingResult result;
        const Stopwatch watch;
        try {
            if (failure) std::rethrow_exception(failure);
            result.sample = publishSample(std::move(item.sample), settings_.overwrite);
            result.outcome = Outcome::made;
        } catch (...) {
            requireSpace(root_);
            result.error = errorOf(std::current_exception(), meshes_[item.mesh].file);
        }
        result.milliseconds = item.milliseconds + watch.milliseconds();
        tell(item.mesh, std::move(result));
    }

    void tell(std::size_t number, MakingResult result) {
        result.mesh = meshes_[number];
        const std::scoped_lock lock(mutex_);
        if (report_) report_(result);
        results_[number] = std::move(result);
    }

    std::span<const ItemMesh> meshes_;
    const fs::path& root_;
    const SampleSettings& settings_;
    const std::stop_token& cancel_;
    const MakingFunction& report_;
    const std::vector<const ItemMesh*> firsts_;
    std::mutex mutex_;
    std::vector<std::optional<MakingResult>> results_;
    PublishQueue queue_;
};

}  // namespace

std::vector<MakingResult> makeSamples(std::span<const ItemMesh> meshes, const fs::path& root,
                                      const SampleSettings& settings, int threads,
                                      const std::stop_token& cancel, const MakingFunction& report) {
    checkSettings(settings);
    const int all = threads > 0 ? threads : omp_get_max_threads();
    removeLeftFolders(root);
    const bool sideBySide = meshes.size() >= static_cast<std::size_t>(all);
    constexpr std::size_t kWaitingOfThread = 4;
    Making making(meshes, root, settings, kWaitingOfThread * static_cast<std::size_t>(all), cancel,
                  report);
    try {
        parallelFor(sideBySide ? all : 1, meshes.size(), cancel,
                    [&](std::size_t i, std::size_t) { making.make(i, sideBySide ? 1 : all); });
    } catch (const Cancelled&) {
        // What is finished stays and is told.
    }
    making.finish();
    return making.take();
}

std::vector<MakingResult> planSamples(std::span<const ItemMesh> meshes, const fs::path& root,
                                      const SampleSettings& settings) {
    checkSettings(settings);
    const std::vector<const ItemMesh*> firsts = firstsOfTheirNames(meshes);
    std::vector<MakingResult> results(meshes.size());
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        results[i].mesh = meshes[i];
        try {
            requireOwnName(meshes[i], *firsts[i]);
            if (!settings.overwrite && isMade(root, meshes[i])) {
                results[i].outcome = Outcome::skipped;
            } else {
                results[i].sample = placeOf(meshes[i], root, settings);
                results[i].outcome = Outcome::made;
            }
        } catch (const InputError& error) {
            results[i].error = error.what();
        }
    }
    return results;
}

}  // namespace threefold
