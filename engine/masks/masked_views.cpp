#include "engine/masks/masked_views.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <utility>

#include "engine/compute/parallel.h"
#include "engine/error.h"

namespace threefold {

std::vector<MaskedView> loadMaskedViews(const Sample& sample, std::span<const int> views,
                                        const ViewReader& read, const std::stop_token& cancel,
                                        bool keepPhotographs) {
    std::vector<MaskedView> loaded(views.size());
    std::vector<std::exception_ptr> problems(views.size());
    parallelFor(
        resolveThreadCount(0), views.size(), cancel, [&](std::size_t i, std::size_t /*thread*/) {
            const auto index = static_cast<std::size_t>(views[i]);
            loaded[i] = {views[i], Camera::fromRow(sample.cameraRows.at(index)), std::nullopt};
            try {
                ObjectView object = objectView(sample, views[i], read(sample, views[i]));
                loaded[i].mask = std::move(object.mask);
                if (keepPhotographs) loaded[i].photograph = std::move(object.picture);
            } catch (const Error& error) {
                loaded[i].problem = error.report().problem;
                problems[i] = std::current_exception();
            }
        });
    if (!problems.empty() &&
        std::ranges::all_of(problems, [](const auto& problem) { return problem != nullptr; }))
        std::rethrow_exception(problems.front());
    return loaded;
}

}  // namespace threefold
