#include "render/renderer.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include "render/linear_light.h"
#include "render/pane_constants.h"
#include "render/pane_layout.h"
#include "render/pipeline.h"
#include "render/shader_code.h"
#include "render/vulkan_check.h"

namespace threefold::render {
namespace {

constexpr std::array kShadings = {Shading::smooth, Shading::flat, Shading::wireframe,
                                  Shading::points};
constexpr std::array kMaps = {ColourMap::viridis, ColourMap::inferno};
static_assert(kMaps.size() == shared::kColourMapCount);

PipelineForm shadersOf(Shading shading) {
    const ShaderCode code = shaderCode();
    switch (shading) {
        case Shading::smooth:
            return {.vertexCode = code.smoothVertex, .fragmentCode = code.surfaceFragment};
        case Shading::flat:
            return {.vertexCode = code.flatVertex, .fragmentCode = code.surfaceFragment};
        case Shading::wireframe:
            return {.vertexCode = code.wireframeVertex, .fragmentCode = code.wireframeFragment};
        case Shading::points:
            break;
    }
    return {.vertexCode = code.pointsVertex, .fragmentCode = code.pointsFragment};
}

VkRect2D rectOf(const PaneRect& pane) {
    return {{pane.x, pane.y},
            {static_cast<std::uint32_t>(pane.width), static_cast<std::uint32_t>(pane.height)}};
}

// Drivers may round halves either way, so the byte is settled here: round(255 × value).
float exactByte(float value) {
    return std::round(255.0F * std::clamp(value, 0.0F, 1.0F)) / 255.0F;
}

VkClearColorValue clearColour(glm::vec4 colour) {
    return {{exactByte(colour.x), exactByte(colour.y), exactByte(colour.z), exactByte(colour.w)}};
}

void beginPass(VkCommandBuffer commands, VkRenderPass pass, VkFramebuffer framebuffer,
               VkExtent2D extent, glm::vec4 clear) {
    VkClearValue depth{};
    depth.depthStencil = {1.0F, 0};
    const std::array clears{VkClearValue{.color = clearColour(clear)}, depth};
    const VkRenderPassBeginInfo info{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                     .renderPass = pass,
                                     .framebuffer = framebuffer,
                                     .renderArea = {.extent = extent},
                                     .clearValueCount = static_cast<std::uint32_t>(clears.size()),
                                     .pClearValues = clears.data()};
    vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
}

void setView(VkCommandBuffer commands, const PaneRect& pane, const Layer& layer) {
    const VkViewport viewport{.x = static_cast<float>(pane.x),
                              .y = static_cast<float>(pane.y),
                              .width = static_cast<float>(pane.width),
                              .height = static_cast<float>(pane.height),
                              .maxDepth = 1.0F};
    const auto column = [&pane](float share) {
        return static_cast<int>(
            std::lround(std::clamp(share, 0.0F, 1.0F) * static_cast<float>(pane.width)));
    };
    const int from = column(layer.from);
    const int to = std::max(from, column(layer.to));
    const VkRect2D scissor = rectOf({pane.x + from, pane.y, to - from, pane.height});
    vkCmdSetViewport(commands, 0, 1, &viewport);
    vkCmdSetScissor(commands, 0, 1, &scissor);
}

// Cleared, not drawn: exact to the pixel and to the byte.
void drawDividers(VkCommandBuffer commands, const std::vector<PaneRect>& panes, glm::vec3 colour) {
    const VkClearAttachment divider{.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT,
                                    .clearValue = {.color = clearColour(glm::vec4(colour, 1.0F))}};
    for (std::size_t i = 1; i < panes.size(); ++i) {
        const int begin = panes[i - 1].x + panes[i - 1].width;
        if (begin >= panes[i].x || panes[i].height <= 0) continue;
        const VkClearRect rect{
            .rect = rectOf({begin, panes[i].y, panes[i].x - begin, panes[i].height}),
            .layerCount = 1};
        vkCmdClearAttachments(commands, 1, &divider, 1, &rect);
    }
}

}  // namespace

Renderer::Renderer(const Device& device, VkFormat format, VkImageLayout finalLayout)
    : device_(device),
      form_{format, finalLayout, chooseSamples(device)},
      pass_(makeRenderPass(device, form_)),
      setLayout_(makeSetLayout(device)),
      layout_(makePipelineLayout(device, setLayout_.get())),
      colourTable_(makeColourTable()),
      meshes_(device, setLayout_.get(), colourTable_) {
    for (const Shading shading : kShadings) {
        PipelineForm form = shadersOf(shading);
        form.layout = layout_.get();
        form.pass = pass_.get();
        form.samples = form_.samples;
        pipelines_[static_cast<std::size_t>(shading)] = makePipeline(device, form);
    }
}

Buffer Renderer::makeColourTable() const {
    std::vector<glm::vec4> entries;
    for (const ColourMap map : kMaps) {
        for (const glm::vec3 colour : colourTable(map)) {
            entries.emplace_back(toLinear(colour), 1.0F);
        }
    }
    const auto data = std::as_bytes(std::span(entries));
    Buffer table(device_, data.size(), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, MemoryUse::upload);
    std::memcpy(table.bytes().data(), data.data(), data.size());
    return table;
}

std::vector<std::shared_ptr<const DeviceMesh>> Renderer::prepare(VkCommandBuffer commands,
                                                                 const Scene& scene,
                                                                 KeptAlive& kept) {
    meshes_.tidy();
    std::vector<std::shared_ptr<const DeviceMesh>> meshes;
    for (const Pane& pane : scene.panes) {
        for (const Layer& layer : pane.layers) {
            meshes.push_back(layer.mesh ? meshes_.get(layer.mesh, layer.values, commands, kept)
                                        : nullptr);
        }
    }
    return meshes;
}

void Renderer::record(VkCommandBuffer commands, const Scene& scene,
                      std::span<const std::shared_ptr<const DeviceMesh>> meshes, glm::vec4 clear,
                      VkFramebuffer framebuffer, VkExtent2D extent) const {
    const std::vector<PaneRect> rects =
        paneLayout(static_cast<int>(extent.width), static_cast<int>(extent.height),
                   static_cast<int>(scene.panes.size()), scene.pixelRatio);

    beginPass(commands, pass_.get(), framebuffer, extent, clear);
    std::size_t next = 0;
    for (std::size_t i = 0; i < scene.panes.size(); ++i) {
        for (const Layer& layer : scene.panes[i].layers) {
            const auto& mesh = meshes[next++];
            if (!mesh || rects[i].width <= 0) continue;
            const shared::PaneConstants constants =
                paneConstants(scene, scene.panes[i], layer, rects[i], *mesh);
            setView(commands, rects[i], layer);
            vkCmdPushConstants(commands, layout_.get(),
                               VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0,
                               sizeof(constants), &constants);
            drawMesh(commands, *mesh, layer.shading);
        }
    }
    drawDividers(commands, rects, scene.divider);
    vkCmdEndRenderPass(commands);
}

void Renderer::drawMesh(VkCommandBuffer commands, const DeviceMesh& mesh, Shading shading) const {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                      pipelines_[static_cast<std::size_t>(shading)].get());
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_.get(), 0, 1,
                            &mesh.set, 0, nullptr);
    switch (shading) {
        case Shading::smooth:
            if (mesh.indexCount == 0) return;
            vkCmdBindIndexBuffer(commands, mesh.indices.handle(), 0, VK_INDEX_TYPE_UINT32);
            vkCmdDrawIndexed(commands, mesh.indexCount, 1, 0, 0, 0);
            return;
        case Shading::flat:
        case Shading::wireframe:
            if (mesh.indexCount > 0) vkCmdDraw(commands, mesh.indexCount, 1, 0, 0);
            return;
        case Shading::points:
            vkCmdDraw(commands, mesh.vertexCount * shared::kDiscIndices, 1, 0, 0);
            return;
    }
}

}  // namespace threefold::render
