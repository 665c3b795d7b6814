#include "render/profile_panel.h"

#include <cmath>
#include <mutex>
#include <utility>

#include <imgui.h>
// Must follow imgui.h, which it needs.
#include <backends/imgui_impl_vulkan.h>

#include "engine/profile/stopwatch.h"
#include "render/pipeline.h"
#include "render/profile_panel_drawing.h"
#include "render/vulkan_check.h"

namespace threefold::render {
namespace {

constexpr float kFontSize = 13;  // logical pixels
// Number of vertex buffers, which are used in turn; more than there are frames in flight.
constexpr std::uint32_t kVertexBuffers = 3;

// Guards Dear ImGui's current context, a global variable, while drawing. With a single window, no
// thread waits for the mutex.
std::mutex& contextMutex() {
    static std::mutex mutex;
    return mutex;
}

class ContextLock {
  public:
    explicit ContextLock(ImGuiContext* context) : lock_(contextMutex()) {
        ImGui::SetCurrentContext(context);
    }
    ~ContextLock() { ImGui::SetCurrentContext(nullptr); }

  private:
    std::scoped_lock<std::mutex> lock_;
};

void check(VkResult result) {
    if (result != VK_SUCCESS) throwVulkan(result, "Dear ImGui", __FILE__, __LINE__);
}

// Dear ImGui 1.92 replaces its texture as glyphs are added, and frees the old one some frames
// later.
constexpr std::uint32_t kTextures = 8;

DescriptorPoolHandle makePool(const Device& device) {
    constexpr VkDescriptorPoolSize kSizes[] = {
        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, kTextures},
        {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, kTextures},  // since 1.92.8, which has separate samplers
        {VK_DESCRIPTOR_TYPE_SAMPLER, kTextures}};
    return makeDescriptorPool(device, kSizes, 2 * kTextures);
}

// Calls that differ between Dear ImGui 1.86 and 1.92.

void initialise(ImGui_ImplVulkan_InitInfo& info, VkRenderPass pass, VkSampleCountFlagBits samples) {
#if IMGUI_VERSION_NUM >= 19240
    info.PipelineInfoMain.RenderPass = pass;
    info.PipelineInfoMain.MSAASamples = samples;
    ImGui_ImplVulkan_Init(&info);
#elif IMGUI_VERSION_NUM >= 19030
    info.RenderPass = pass;
    info.MSAASamples = samples;
    ImGui_ImplVulkan_Init(&info);
#else
    info.MSAASamples = samples;
    ImGui_ImplVulkan_Init(&info, pass);
#endif
}

#if IMGUI_VERSION_NUM >= 19000
// Dear ImGui uploads glyphs itself, with the first frame that shows them.
void uploadGlyphs(VkCommandBuffer /*commands*/) {}
void dropStagedGlyphs() {}
#else
void uploadGlyphs(VkCommandBuffer commands) {
    ImGui_ImplVulkan_CreateFontsTexture(commands);
}
void dropStagedGlyphs() {
    ImGui_ImplVulkan_DestroyFontUploadObjects();
}
#endif

ImGuiContext* makeContext() {
    const ContextLock lock(nullptr);
    return ImGui::CreateContext();
}

ImVector<ImWchar> glyphsOf(const ProfilePanelView& view) {
    ImFontGlyphRangesBuilder builder;
    builder.AddRanges(ImGui::GetIO().Fonts->GetGlyphRangesDefault());
    // Characters of numbers: – − … narrow space.
    for (const ImWchar glyph : {0x2013, 0x2212, 0x2026, 0x202F}) builder.AddChar(glyph);
    for (const PanelRow* row : {&view.heading, &view.network, &view.frame, &view.panelCost}) {
        builder.AddText(row->label.c_str());
        for (const std::string& value : row->values) builder.AddText(value.c_str());
    }
    for (const PanelLegendEntry& entry : view.legend) builder.AddText(entry.text.c_str());
    for (const PanelFact& fact : view.facts) builder.AddText(fact.label.c_str());
    ImVector<ImWchar> ranges;
    builder.BuildRanges(&ranges);
    return ranges;
}

}  // namespace

/// A Dear ImGui context with glyphs on the device, for one font at one scale.
class ProfilePanel::Painter {
  public:
    Painter(const Device& device, const PassFormat& passFormat, VkRenderPass pass,
            const ProfilePanelView& view, float scale)
        : context_(makeContext()), font_(view.font), scale_(scale) {
        try {
            const ContextLock lock(context_);
            pool_ = makePool(device);
            ImGuiIO& io = ImGui::GetIO();
            io.IniFilename = nullptr;
            io.LogFilename = nullptr;
            addFont(view);
            ImGui_ImplVulkan_InitInfo info{};
            info.Instance = device.instance();
            info.PhysicalDevice = device.physicalDevice();
            info.Device = device.handle();
            info.QueueFamily = device.queueFamilyIndex();
            info.Queue = device.queue();
            info.DescriptorPool = pool_.get();
            info.MinImageCount = kVertexBuffers;
            info.ImageCount = kVertexBuffers;
            info.CheckVkResultFn = check;
            initialise(info, pass, passFormat.samples);
        } catch (...) {
            destroy();
            throw;
        }
    }
    ~Painter() { destroy(); }

    bool fits(const ProfilePanelView& view, float scale) const {
        return font_ == view.font && scale_ == scale;
    }

    bool onDevice = false;  // the upload was submitted

    void upload(VkCommandBuffer commands) {
        const ContextLock lock(context_);
        uploadGlyphs(commands);
    }
    void dropStaging() {
        const ContextLock lock(context_);
        dropStagedGlyphs();
    }

    void record(VkCommandBuffer commands, const ProfilePanelView& view, VkExtent2D extent) {
        const ContextLock lock(context_);
        const glm::vec2 pixels(static_cast<float>(extent.width), static_cast<float>(extent.height));
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = {pixels.x, pixels.y};
        io.DeltaTime = 1.0F / 60;  // nothing is animated
        ImGui_ImplVulkan_NewFrame();
        ImGui::NewFrame();
        const glm::vec2 picture = pixels / scale_;
        drawProfilePanel(*ImGui::GetBackgroundDrawList(), view, layoutProfilePanel(view, picture),
                         picture, scale_);
        ImGui::Render();
        ImGui_ImplVulkan_RenderDrawData(ImGui::GetDrawData(), commands);
    }

  private:
    void addFont(const ProfilePanelView& view) {
        ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
        ImFontConfig config;
        config.OversampleH = 2;
        config.PixelSnapH = true;
        config.SizePixels = std::round(kFontSize * scale_);
        glyphs_ = glyphsOf(view);
        config.GlyphRanges = glyphs_.Data;
        if (font_ && !font_->empty()) {
            config.FontDataOwnedByAtlas = false;
            // The atlas only reads the bytes.
            atlas.AddFontFromMemoryTTF(const_cast<unsigned char*>(font_->data()),
                                       static_cast<int>(font_->size()), config.SizePixels, &config,
                                       glyphs_.Data);
        } else {
            atlas.AddFontDefault(&config);
        }
        atlas.Flags |= ImFontAtlasFlags_NoMouseCursors;
    }

    void destroy() {
        const ContextLock lock(context_);
        if (ImGui::GetIO().BackendRendererUserData != nullptr) ImGui_ImplVulkan_Shutdown();
        ImGui::DestroyContext(context_);
    }

    ImGuiContext* context_;
    std::shared_ptr<const PanelFont> font_;
    ImVector<ImWchar> glyphs_;
    float scale_;
    DescriptorPoolHandle pool_;
};

ProfilePanel::ProfilePanel(const Device& device, const PassFormat& passFormat, VkRenderPass pass)
    : device_(device), passFormat_(passFormat), pass_(pass) {}

void ProfilePanel::prepare(VkCommandBuffer commands, ProfilePanelViewRef view, float scale,
                           FrameResources& resources) {
    const Stopwatch watch;
    view_ = std::move(view);
    // Recreate glyphs whose upload was never submitted.
    if (!painter_ || !painter_->onDevice || !painter_->fits(*view_, scale)) {
        painter_ = std::make_shared<Painter>(device_, passFormat_, pass_, *view_, scale);
        painter_->upload(commands);
        resources.push_back(std::shared_ptr<const void>(
            painter_.get(), [painter = std::weak_ptr(painter_)](const void*) {
                if (const auto alive = painter.lock()) alive->dropStaging();
            }));
    }
    resources.push_back(painter_);
    prepareMilliseconds_ = watch.milliseconds();
}

void ProfilePanel::record(VkCommandBuffer commands, VkExtent2D extent) {
    const Stopwatch watch;
    painter_->record(commands, *view_, extent);
    recordMilliseconds_ = watch.milliseconds();
}

void ProfilePanel::markSubmitted() {
    if (painter_) painter_->onDevice = true;
}

}  // namespace threefold::render
