#include <algorithm>

#include "cuda/kernels/fit_terms.h"
#include "engine/fitting/outline_terms.h"
#include "engine/fitting/term_weights.h"

namespace threefold::cuda {

PackedFitViews packFitViews(std::span<const fitting::OutlineTerms* const> views) {
    PackedFitViews packed;
    for (const fitting::OutlineTerms* terms : views) {
        FitView view;
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column)
                view.rotation[3 * row + column] = terms->rotation()[column][row];
            view.offset[row] = terms->offset()[row];
        }
        view.firstDistance = packed.distances.size();
        view.firstPlace = packed.places.size();
        view.placeCount = static_cast<std::uint32_t>(terms->places().size());
        view.size = terms->outline().mask().width;
        view.pixel = terms->outline().pixel();
        packed.mostPlaces = std::max(packed.mostPlaces, view.placeCount);
        packed.views.push_back(view);
        const std::vector<float>& distances = terms->outline().distances();
        packed.distances.insert(packed.distances.end(), distances.begin(), distances.end());
        for (const fitting::OutlineTerms::Place& place : terms->places()) {
            const glm::vec3 plane = fitting::kNormalPixels * place.plane;
            packed.places.push_back({place.place.x,
                                     place.place.y,
                                     place.normal.x,
                                     place.normal.y,
                                     {plane.x, plane.y, plane.z}});
        }
    }
    return packed;
}

}  // namespace threefold::cuda
