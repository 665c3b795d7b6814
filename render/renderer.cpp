#include "render/renderer.h"

#include <algorithm>
#include <array>
#include <vector>

#include "render/recording.h"

namespace threefold::render {

Renderer::Renderer(const Device& device, VkFormat format, VkImageLayout finalLayout)
    : device_(device),
      passFormat_{format, finalLayout, chooseSamples(device)},
      pass_(makeRenderPass(device, passFormat_)),
      layers_(device, pass_.get(), passFormat_.samples),
      decorations_(std::in_place, device, pass_.get(), passFormat_.samples) {}

void Renderer::setSamples(VkSampleCountFlagBits samples) {
    passFormat_.samples = samples;
    pass_ = makeRenderPass(device_, passFormat_);
    layers_.setPass(pass_.get(), samples);
    decorations_.emplace(device_, pass_.get(), samples);
    profilePanel_.reset();
}

PreparedScene Renderer::prepare(VkCommandBuffer commands, const Scene& scene, VkExtent2D extent,
                                FrameResources& resources) {
    if (!scene.profilePanel || scene.tile) {
        profilePanel_.reset();
    } else {
        if (!profilePanel_)
            profilePanel_ = std::make_shared<ProfilePanel>(device_, passFormat_, pass_.get());
        resources.push_back(profilePanel_);
        profilePanel_->prepare(commands, scene.profilePanel, pixelRatioOf(scene), resources);
    }
    decorations_->prepare(scene);
    PreparedScene prepared = layers_.prepare(commands, scene, resources);
    if (!showsAmbientOcclusion(scene)) {
        ambientOcclusion_.reset();
    } else {
        if (!ambientOcclusion_) ambientOcclusion_ = std::make_shared<AmbientOcclusion>(device_);
        resources.push_back(ambientOcclusion_);
        ambientOcclusion_->recordPasses(commands, scene, layers_, prepared, views(scene, extent),
                                        extent, resources);
    }
    return prepared;
}

std::vector<PaneView> Renderer::views(const Scene& scene, VkExtent2D extent) const {
    const auto& maxViewport = device_.limits().maxViewportDimensions;
    return paneViews(scene, static_cast<int>(extent.width), static_cast<int>(extent.height),
                     static_cast<int>(std::min(maxViewport[0], maxViewport[1])));
}

void Renderer::markSubmitted() {
    layers_.markSubmitted();
    if (profilePanel_) profilePanel_->markSubmitted();
}

void Renderer::record(VkCommandBuffer commands, const Scene& scene, const PreparedScene& prepared,
                      glm::vec4 clear, VkFramebuffer framebuffer, VkExtent2D extent) const {
    const std::vector<PaneView> panes = views(scene, extent);
    VkClearValue depth{};
    depth.depthStencil = {1.0F, 0};
    const std::array clears{VkClearValue{.color = clearColour(clear)}, depth};
    beginPass(commands, pass_.get(), framebuffer, extent, clears);
    layers_.record(commands, scene, prepared, panes,
                   ambientOcclusion_ ? ambientOcclusion_->descriptorSet() : VK_NULL_HANDLE);
    decorations_->recordGrounds(commands, scene, panes);
    decorations_->record(commands, scene, panes, extent);
    if (profilePanel_) profilePanel_->record(commands, extent);
    vkCmdEndRenderPass(commands);
}

}  // namespace threefold::render
