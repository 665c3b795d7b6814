#include "ui/panes/peaks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <glm/geometric.hpp>

#include "engine/bounding_box.h"

namespace threefold::ui {

std::vector<std::size_t> peaks(const render::SceneMesh& mesh, const std::vector<float>& values,
                               std::size_t maxCount) {
    const Points& points = mesh.vertices;
    if (values.size() != points.size()) return {};
    const auto greater = [&](std::size_t a, std::size_t b) {
        return values[a] != values[b] ? values[a] > values[b] : a < b;
    };
    std::vector<bool> excluded(points.size());
    Box3f box;
    for (std::size_t i = 0; i < points.size(); ++i) {
        excluded[i] = std::isnan(values[i]) || !threefold::isFinite(points[i]);
        if (excluded[i]) continue;
        box.include(points[i]);
    }
    for (const glm::u32vec3 f : mesh.faces) {
        for (const auto& [a, b] : {std::pair{f.x, f.y}, {f.y, f.z}, {f.z, f.x}}) {
            if (a == b || std::max(a, b) >= points.size()) continue;
            if (std::isnan(values[a]) || std::isnan(values[b])) continue;
            excluded[greater(a, b) ? b : a] = true;
        }
    }
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!excluded[i]) candidates.push_back(i);
    std::ranges::sort(candidates, greater);

    constexpr float kMinSeparation = 0.01F;
    const float separation = kMinSeparation * box.diagonal();
    std::vector<std::size_t> chosen;
    for (const std::size_t candidate : candidates) {
        if (chosen.size() >= maxCount) break;
        if (std::ranges::none_of(chosen, [&](std::size_t other) {
                return glm::distance(points[other], points[candidate]) < separation;
            }))
            chosen.push_back(candidate);
    }
    return chosen;
}

}  // namespace threefold::ui
