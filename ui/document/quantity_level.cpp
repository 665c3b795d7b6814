#include "ui/document/quantities.h"

namespace threefold::ui::quantity {
namespace {

render::SceneValues levels(const Result& result, const render::SceneMesh& mesh) {
    const std::size_t first = result.reconstruction.level1.size();
    const std::size_t second = result.reconstruction.level2.size();
    render::SceneValues values(mesh.vertices.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = i < first ? 1.0F : i < second ? 2.0F : 3.0F;
    }
    return values;
}

QString whyNot(const Result& result, std::size_t) {
    const Reconstruction& r = result.reconstruction;
    return r.level1.empty() || r.level2.empty()
               ? Quantities::tr("This backend does not tell the levels apart")
               : QString();
}

}  // namespace

QuantityInfo level() {
    return {
        .name = Quantities::tr("Template level"),
        .explanation = Quantities::tr("The level of the template that a vertex came with: 1 has "
                                      "156 vertices, 2 has 618, 3 has 2466"),
        .steps = 3,
        .decimals = 0,
        .ofStage = [](const Result& result,
                      std::size_t stage) { return levels(result, *result.morph.stages[stage]); },
        .ofFit = levels,
        .whyNot = whyNot};
}

}  // namespace threefold::ui::quantity
