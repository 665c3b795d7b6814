#include "render/ground_painter.h"

#include <algorithm>
#include <cstddef>

#include "render/shader_code.h"
#include "render/view_constants.h"
#include "render/view_state.h"
#include "resources/shaders/shared.h"

namespace threefold::render {
namespace {

bool isDrawn(const Pane& pane) {
    return pane.ground && pane.ground->reach > 0.0F && pane.ground->cell > 0.0F;
}

}  // namespace

GroundPainter::GroundPainter(const Device& device, VkRenderPass pass, VkSampleCountFlagBits samples)
    : device_(device),
      pass_(pass),
      samples_(samples),
      layout_(makePipelineLayout(device, {}, sizeof(shared::GroundConstants))) {}

void GroundPainter::prepare(const Scene& scene) {
    if (pipeline_ || std::ranges::none_of(scene.panes, isDrawn)) return;
    pipeline_ = makePipeline(device_, {.vertexCode = kGroundVertex,
                                       .fragmentCode = kGroundFragment,
                                       .use = PipelineUse::tested,
                                       .layout = layout_.get(),
                                       .pass = pass_,
                                       .samples = samples_});
}

void GroundPainter::record(VkCommandBuffer commands, const Scene& scene,
                           std::span<const PaneView> views) const {
    for (std::size_t i = 0; i < views.size(); ++i) {
        const Pane& pane = scene.panes[i];
        const PaneView& view = views[i];
        if (!isDrawn(pane) || isEmpty(view.seen)) continue;
        shared::GroundConstants constants{};
        setView(constants, scene, pane, view);
        constants.middle = pane.ground->middle;
        constants.reach = pane.ground->reach;
        constants.colour = pane.ground->colour;
        constants.cell = pane.ground->cell;
        setViewport(commands, view.viewport);
        setScissor(commands, view.seen);
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_.get());
        vkCmdPushConstants(commands, layout_.get(), kConstantStages, 0, sizeof(constants),
                           &constants);
        vkCmdDraw(commands, 6, 1, 0, 0);
    }
}

}  // namespace threefold::render
