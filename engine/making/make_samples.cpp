#include "engine/making/make_samples.h"

#include <omp.h>

#include <cstddef>
#include <exception>
#include <mutex>
#include <new>
#include <set>
#include <utility>

#include "engine/error.h"
#include "engine/network/parallel.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;
using Outcome = MakingResult::Outcome;

class Making {
  public:
    Making(const fs::path& root, const SampleSettings& settings, const std::stop_token& cancel,
           const MakingFunction& report)
        : root_(root), settings_(settings), cancel_(cancel), report_(report) {}

    /// Throws Cancelled.
    void make(const ItemMesh& mesh, bool isFirstOfName, int threads) {
        MakingResult result;
        result.mesh = mesh;
        const Stopwatch watch;
        try {
            if (!isFirstOfName)
                throw InputError({mesh.file.string(), "",
                                  "another mesh has the same category and name",
                                  "Rename one of them."});
            if (!settings_.overwrite && isMade(root_, mesh)) {
                result.outcome = Outcome::skipped;
            } else {
                result.sample = makeSample(mesh, root_, settings_, threads, cancel_);
                result.outcome = Outcome::made;
            }
        } catch (const Cancelled&) {
            throw;
        } catch (const std::bad_alloc&) {
            result.error = mesh.file.string() + ": not enough memory";
        } catch (const Error& error) {
            result.error = error.what();
        } catch (const fs::filesystem_error& error) {
            result.error = error.what();
        }
        result.milliseconds = watch.milliseconds();
        const std::lock_guard<std::mutex> lock(mutex_);
        if (report_) report_(result);
        results_.push_back(std::move(result));
    }

    std::vector<MakingResult> take() { return std::move(results_); }

  private:
    const fs::path& root_;
    const SampleSettings& settings_;
    const std::stop_token& cancel_;
    const MakingFunction& report_;
    std::mutex mutex_;
    std::vector<MakingResult> results_;
};

}  // namespace

std::vector<MakingResult> makeSamples(std::span<const ItemMesh> meshes, const fs::path& root,
                                      const SampleSettings& settings, int threads,
                                      const std::stop_token& cancel, const MakingFunction& report) {
    checkSettings(settings);
    const int all = threads > 0 ? threads : omp_get_max_threads();
    std::set<std::pair<std::string, std::string>> names;
    std::vector<bool> isFirst;
    for (const ItemMesh& mesh : meshes)
        isFirst.push_back(names.emplace(mesh.category, mesh.item).second);

    const bool sideBySide = meshes.size() >= static_cast<std::size_t>(all);
    Making making(root, settings, cancel, report);
    try {
        parallelFor(sideBySide ? all : 1, meshes.size(), cancel, [&](std::size_t i, std::size_t) {
            making.make(meshes[i], isFirst[i], sideBySide ? 1 : all);
        });
    } catch (const Cancelled&) {
        // What is finished stays and is told.
    }
    return making.take();
}

}  // namespace threefold
