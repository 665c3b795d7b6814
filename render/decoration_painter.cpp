#include "render/decoration_painter.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <shaders/code.h>

#include "engine/formats/pictures/srgb.h"
#include "render/recording.h"

namespace threefold::render {
namespace {

// Logical pixels.
constexpr float kAxesFromCorner = 38.0F;  // from the pane's corner to the axes' origin
constexpr float kAxisLength = 20.0F, kAxisHalfWidth = 1.1F;
constexpr float kLetterDistance = 28.0F;  // from the origin
constexpr float kLetterHalfSize = 3.2F;
constexpr float kRingHalfWidth = 1.0F, kRingOutline = 1.0F;
constexpr float kGripHalfWidth = 3.5F, kGripHalfHeight = 16.0F, kGripOutline = 1.0F;

constexpr float kRingShade = 0.65F, kGripShade = 0.35F;  // opacities of the outlines
// Colours of the axes: of similar contrast to white and black backgrounds.
constexpr std::array kAxisColours{glm::vec3(0.85F, 0.26F, 0.23F), glm::vec3(0.16F, 0.57F, 0.28F),
                                  glm::vec3(0.25F, 0.50F, 0.91F)};

struct Stroke {
    glm::vec2 from, to;  // letters: −1…1, y down
};

std::vector<Stroke> letterStrokes(int axis) {
    if (axis == 0) return {{{-1, -1}, {1, 1}}, {{-1, 1}, {1, -1}}};
    if (axis == 1) return {{{-1, -1}, {0, 0}}, {{1, -1}, {-1, 1}}};
    return {{{-1, -1}, {1, -1}}, {{1, -1}, {-1, 1}}, {{-1, 1}, {1, 1}}};
}

shared::DecorationConstants strokeShape(Stroke stroke, glm::vec3 colour, float ratio) {
    const glm::vec2 along = stroke.to - stroke.from;
    const float half = kAxisHalfWidth * ratio;
    shared::DecorationConstants shape{};
    shape.centre = 0.5F * (stroke.from + stroke.to);
    shape.halfSize = {0.5F * glm::length(along) + half, half};
    shape.corner = half;
    shape.colour = glm::vec4(colour, 1.0F);
    shape.outlineWidth = ratio;
    shape.angle = std::atan2(along.y, along.x);
    return shape;
}

// Outline colour that shows on any background: dark around a light colour, light around a dark one.
glm::vec4 outlineOf(glm::vec3 colour, float shade) {
    const glm::vec3 light = linearFromSrgb(colour);
    const float luminance = 0.2126F * light.x + 0.7152F * light.y + 0.0722F * light.z;
    constexpr float kMidGrey = 0.18F;
    return luminance > kMidGrey ? glm::vec4(0.0F, 0.0F, 0.0F, shade)
                                : glm::vec4(1.0F, 1.0F, 1.0F, std::max(shade, 0.85F));
}

// Pixel of the target at which a point is visible, rounded to the subpixel grid of vertices.
std::optional<glm::vec2> pixelAt(const Pane& pane, const PixelRect& whole, glm::vec3 position) {
    const glm::vec2 size = sizeOf(whole);
    const glm::vec4 clip = pane.camera.toClipSpace(position, size);
    if (!(clip.z > 0.0F)) return std::nullopt;
    constexpr float kGrid = 256.0F, kFar = 1e6F;
    const auto onGrid = [&](float ndc, float length) {
        return std::round(0.5F * (1.0F + ndc) * length * kGrid) / kGrid;
    };
    const glm::vec2 pixel{onGrid(clip.x / clip.w, size.x), onGrid(clip.y / clip.w, size.y)};
    if (!(std::abs(pixel.x) < kFar && std::abs(pixel.y) < kFar)) return std::nullopt;
    return pixel + glm::vec2(whole.x, whole.y);
}

shared::DecorationConstants ring(const Marker& marker, glm::vec2 centre, float ratio) {
    const float radius = std::clamp(marker.radius, 1.0F, 256.0F) * ratio;
    return {.centre = centre,
            .halfSize = {radius, radius},
            .corner = radius,
            .halfWidth = kRingHalfWidth * ratio,
            .colour = glm::vec4(marker.colour, 1.0F),
            .outline = outlineOf(marker.colour, kRingShade),
            .outlineWidth = kRingOutline * ratio};
}

shared::DecorationConstants grip(const PixelRect& line, glm::vec3 colour, float ratio) {
    const float half = std::round(kGripHalfWidth * ratio);
    return {.centre = centreOf(line),
            .halfSize = {half, std::round(kGripHalfHeight * ratio)},
            .corner = half,
            .halfWidth = 0.0F,
            .colour = glm::vec4(colour, 1.0F),
            .outline = outlineOf(colour, kGripShade),
            .outlineWidth = kGripOutline * ratio};
}

// The line between a pane and the previous pane, which is to the left or at the end of the row
// above.
PixelRect divider(const PixelRect& before, const PixelRect& pane) {
    const int right = before.x + before.width, below = before.y + before.height;
    return pane.y == before.y ? PixelRect{right, before.y, pane.x - right, before.height}
                              : PixelRect{pane.x, below, right - pane.x, pane.y - below};
}

// The line of a seam, centred on the column at which its right side begins.
PixelRect seamLine(const PaneView& view, float position, float ratio) {
    const int width = dividerWidth(ratio);
    const PixelRect leftSide = columnsOf({view.whole, view.whole, view.whole}, 0.0F, position);
    return {leftSide.x + leftSide.width - width / 2, view.whole.y, width, view.whole.height};
}

bool showsGround(const Pane& pane) {
    return pane.ground && pane.ground->radius > 0.0F && pane.ground->spacing > 0.0F;
}

bool showsDecoration(const Pane& pane) {
    return pane.seamPosition.has_value() || !pane.markers.empty() || pane.axes;
}

template <class Constants>
void drawQuad(VkCommandBuffer commands, VkPipeline pipeline, VkPipelineLayout layout,
              const Constants& constants) {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdPushConstants(commands, layout, kConstantStages, 0, sizeof(constants), &constants);
    vkCmdDraw(commands, 6, 1, 0, 0);
}

}  // namespace

std::vector<shared::DecorationConstants> axisIndicatorStrokes(const OrbitCamera& camera,
                                                              const PixelRect& pane, float ratio) {
    const glm::mat3 rotation(camera.viewMatrix());
    std::array order{0, 1, 2};
    // The view looks along −z.
    std::ranges::sort(order, {}, [&](int axis) { return rotation[axis].z; });
    const glm::vec2 centre(static_cast<float>(pane.x) + kAxesFromCorner * ratio,
                           static_cast<float>(pane.y + pane.height) - kAxesFromCorner * ratio);
    std::vector<shared::DecorationConstants> shapes;
    for (const int axis : order) {
        const glm::vec3 colour = kAxisColours[static_cast<std::size_t>(axis)];
        const glm::vec2 along = ratio * glm::vec2(rotation[axis].x, -rotation[axis].y);
        shapes.push_back(strokeShape({centre, centre + kAxisLength * along}, colour, ratio));
        const glm::vec2 letter = centre + kLetterDistance * along;
        for (const Stroke stroke : letterStrokes(axis)) {
            const float half = kLetterHalfSize * ratio;
            shapes.push_back(strokeShape({letter + half * stroke.from, letter + half * stroke.to},
                                         colour, ratio));
        }
    }
    return shapes;
}

DecorationPainter::DecorationPainter(const Device& device, VkRenderPass pass,
                                     VkSampleCountFlagBits samples)
    : device_(device),
      pass_(pass),
      samples_(samples),
      ground_{makePipelineLayout(device, {}, sizeof(shared::GroundConstants)), {}},
      decoration_{makePipelineLayout(device, {}, sizeof(shared::DecorationConstants)), {}} {}

void DecorationPainter::makeIfMissing(QuadPipeline& quads, PipelineDescription description) {
    if (quads.pipeline) return;
    description.layout = quads.layout.get();
    description.pass = pass_;
    description.samples = samples_;
    quads.pipeline = makePipeline(device_, description);
}

void DecorationPainter::prepare(const Scene& scene) {
    if (std::ranges::any_of(scene.panes, showsGround))
        makeIfMissing(ground_, {.vertexShader = kGroundVertex,
                                .fragmentShader = kGroundFragment,
                                .drawMode = DrawMode::blendedWithDepthTest});
    if (std::ranges::any_of(scene.panes, showsDecoration))
        makeIfMissing(decoration_, {.vertexShader = kDecorationVertex,
                                    .fragmentShader = kDecorationFragment,
                                    .drawMode = DrawMode::blendedWithoutDepthTest});
}

void DecorationPainter::recordGrounds(VkCommandBuffer commands, const Scene& scene,
                                      std::span<const PaneView> views) const {
    for (std::size_t i = 0; i < views.size(); ++i) {
        const Pane& pane = scene.panes[i];
        const PaneView& view = views[i];
        if (!showsGround(pane) || isEmpty(view.visible)) continue;
        shared::GroundConstants constants{};
        setView(constants, scene, pane, view);
        constants.centre = pane.ground->centre;
        constants.radius = pane.ground->radius;
        constants.colour = pane.ground->colour;
        constants.spacing = pane.ground->spacing;
        constants.zUp = pane.ground->upAxis == UpAxis::z ? 1 : 0;
        setViewport(commands, view.viewport);
        setScissor(commands, view.visible);
        drawQuad(commands, ground_.pipeline.get(), ground_.layout.get(), constants);
    }
}

void DecorationPainter::record(VkCommandBuffer commands, const Scene& scene,
                               std::span<const PaneView> views, VkExtent2D extent) const {
    const PixelRect target{0, 0, static_cast<int>(extent.width), static_cast<int>(extent.height)};
    const float ratio = pixelRatioOf(scene);
    const auto draw = [&](shared::DecorationConstants shape) {
        shape.targetSize = glm::vec2(extent.width, extent.height);
        drawQuad(commands, decoration_.pipeline.get(), decoration_.layout.get(), shape);
    };
    setViewport(commands, target);
    for (std::size_t i = 0; i < views.size(); ++i) {
        const PaneView& view = views[i];
        const Pane& pane = scene.panes[i];
        // A transparent picture, which is composited over another background, has no dividers.
        if (i > 0 && scene.background.w > 0)
            fillRectangle(commands, intersection(divider(views[i - 1].whole, view.whole), target),
                          glm::vec4(scene.dividerColour, 1.0F));
        if (isEmpty(view.visible)) continue;
        setScissor(commands, view.visible);
        for (const Marker& marker : pane.markers) {
            const auto centre = pixelAt(pane, view.whole, marker.position);
            if (centre) draw(ring(marker, *centre, ratio));
        }
        if (pane.axes) {
            for (shared::DecorationConstants shape :
                 axisIndicatorStrokes(pane.camera, view.whole, ratio)) {
                shape.outline = glm::vec4(glm::vec3(scene.background), 0.6F);
                draw(shape);
            }
        }
        if (!pane.seamPosition) continue;
        const PixelRect line = seamLine(view, *pane.seamPosition, ratio);
        fillRectangle(commands, intersection(line, view.visible),
                      glm::vec4(scene.seamColour, 1.0F));
        draw(grip(line, scene.seamColour, ratio));
    }
}

}  // namespace threefold::render
