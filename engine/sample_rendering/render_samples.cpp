#include "engine/sample_rendering/render_samples.h"

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
using Outcome = RenderResult::Outcome;

/// For each mesh, the first mesh with the same name.
std::vector<const SourceMesh*> firstOfEachName(std::span<const SourceMesh> meshes) {
    std::map<std::pair<std::string_view, std::string_view>, const SourceMesh*> firsts;
    std::vector<const SourceMesh*> result;
    for (const SourceMesh& mesh : meshes) {
        const std::pair<std::string_view, std::string_view> name(mesh.category, mesh.id);
        result.push_back(firsts.emplace(name, &mesh).first->second);
    }
    return result;
}

/// Throws InputError if `mesh` is not `first`, the only mesh of its name that is rendered.
void requireUniqueName(const SourceMesh& mesh, const SourceMesh& first) {
    if (&mesh == &first) return;
    throw InputError({mesh.file.string(), "",
                      fmt::format("its sample would be {}_{}, like that of {}", mesh.category,
                                  mesh.id, first.file.string()),
                      "Rename one of them, or leave one out."});
}

/// Throws IoError if the disk is full: all further samples would fail.
void requireSpace(const fs::path& root) {
    constexpr std::uintmax_t kMinBytes = 1 << 20;
    std::error_code error;
    const fs::space_info space = fs::space(root, error);
    if (!error && space.capacity > 0 && space.available < kMinBytes)
        throw IoError({root.string(), "", "the disk is full",
                       "Free some space; the same command then continues."});
}

/// One line for the error of one mesh. Rethrows Cancelled and DeviceError: a missing GPU fails all
/// meshes. Throws IoError if the disk is full.
std::string errorOf(const std::exception_ptr& failure, const fs::path& file, const fs::path& root) {
    try {
        std::rethrow_exception(failure);
    } catch (const DeviceError&) {
        throw;
    } catch (const std::bad_alloc&) {
        return file.string() +
               ": not enough memory. Close other programs, or use fewer threads (`threads`).";
    } catch (const Error& error) {
        requireSpace(root);
        return error.what();
    } catch (const fs::filesystem_error& error) {
        requireSpace(root);
        return error.what();
    }
}

class SampleRun {
  public:
    SampleRun(std::span<const SourceMesh> meshes, const fs::path& root,
              const RenderOptions& options, std::size_t maxWaiting, const std::stop_token& cancel,
              const RenderReportFunction& report)
        : meshes_(meshes),
          root_(root),
          options_(options),
          cancel_(cancel),
          report_(report),
          firsts_(firstOfEachName(meshes)),
          results_(meshes.size()),
          queue_(root, maxWaiting, [this](PublishQueue::Entry entry, const auto& failure) {
              publish(std::move(entry), failure);
          }) {}

    /// Renders one mesh and queues its sample. Throws Cancelled.
    void render(std::size_t index, int threads) {
        const SourceMesh& mesh = meshes_[index];
        RenderResult result;
        std::optional<PreparedSample> sample;
        const Stopwatch watch;
        try {
            requireUniqueName(mesh, *firsts_[index]);
            if (!options_.overwrite && isRendered(root_, mesh)) {
                result.outcome = Outcome::skipped;
                result.isOutdated = isNewerThanSample(root_, mesh);
            } else {
                sample.emplace(prepareRenderedSample(mesh, root_, options_, threads, cancel_));
            }
        } catch (...) {
            result.error = errorOf(std::current_exception(), mesh.file, root_);
        }
        result.milliseconds = watch.milliseconds();
        if (sample)
            queue_.add({index, std::move(*sample), result.milliseconds});
        else
            finishMesh(index, std::move(result));
    }

    void finish() { queue_.finish(); }

    /// Results so far, in the order of the meshes.
    std::vector<RenderResult> take() {
        std::vector<RenderResult> results;
        for (std::optional<RenderResult>& result : results_)
            if (result) results.push_back(std::move(*result));
        return results;
    }

  private:
    void publish(PublishQueue::Entry entry, const std::exception_ptr& failure) {
        RenderResult result;
        const Stopwatch watch;
        try {
            if (failure) std::rethrow_exception(failure);
            result.paths = entry.sample.paths;
            result.sample = publishSample(std::move(entry.sample), options_.overwrite);
            result.outcome = Outcome::made;
        } catch (...) {
            result.error = errorOf(std::current_exception(), meshes_[entry.mesh].file, root_);
        }
        result.milliseconds = entry.milliseconds + watch.milliseconds();
        finishMesh(entry.mesh, std::move(result));
    }

    void finishMesh(std::size_t index, RenderResult result) {
        result.mesh = meshes_[index];
        const std::scoped_lock lock(mutex_);
        if (report_) report_(result);
        results_[index] = std::move(result);
    }

    std::span<const SourceMesh> meshes_;
    const fs::path& root_;
    const RenderOptions& options_;
    const std::stop_token& cancel_;
    const RenderReportFunction& report_;
    const std::vector<const SourceMesh*> firsts_;
    std::mutex mutex_;
    std::vector<std::optional<RenderResult>> results_;
    PublishQueue queue_;
};

}  // namespace

std::vector<RenderResult> renderSamples(std::span<const SourceMesh> meshes, const fs::path& root,
                                        const RenderOptions& options, int threads,
                                        const std::stop_token& cancel,
                                        const RenderReportFunction& report) {
    requireValidOptions(options);
    const int threadCount = resolveThreadCount(threads);
    removeStaleFolders(root);
    const bool meshesInParallel = meshes.size() >= static_cast<std::size_t>(threadCount);
    constexpr std::size_t kWaitingPerThread = 4;
    SampleRun run(meshes, root, options, kWaitingPerThread * static_cast<std::size_t>(threadCount),
                  cancel, report);
    try {
        parallelFor(
            meshesInParallel ? threadCount : 1, meshes.size(), cancel,
            [&](std::size_t i, std::size_t) { run.render(i, meshesInParallel ? 1 : threadCount); });
    } catch (const Cancelled&) {
        // Finished samples stay and are reported.
    }
    run.finish();
    return run.take();
}

std::vector<RenderResult> planSamples(std::span<const SourceMesh> meshes, const fs::path& root,
                                      const RenderOptions& options) {
    requireValidOptions(options);
    const std::vector<const SourceMesh*> firsts = firstOfEachName(meshes);
    std::vector<RenderResult> results(meshes.size());
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        results[i].mesh = meshes[i];
        try {
            requireUniqueName(meshes[i], *firsts[i]);
            if (!options.overwrite && isRendered(root, meshes[i])) {
                results[i].outcome = Outcome::skipped;
                results[i].isOutdated = isNewerThanSample(root, meshes[i]);
            } else {
                results[i].paths = samplePathsFor(meshes[i], root, options);
                results[i].outcome = Outcome::made;
            }
        } catch (const InputError& error) {
            results[i].error = error.what();
        }
    }
    return results;
}

}  // namespace threefold
