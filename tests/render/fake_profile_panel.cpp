#include "tests/render/fake_profile_panel.h"

#include <fmt/format.h>

#include "engine/formats/files/file_bytes.h"

namespace threefold::render {
namespace {

constexpr glm::vec3 kTeal{0.24F, 0.48F, 0.55F}, kBlue{0.29F, 0.51F, 0.93F},
    kLight{0.43F, 0.63F, 0.98F}, kWarm{0.88F, 0.65F, 0.27F}, kHot{0.91F, 0.46F, 0.24F};

struct Part {
    const char* name;
    float duration;
    int lane;
    glm::vec3 colour;
};

FlameRow fakeRun(float factor, bool gpu) {
    const Part parts[] = {{"load", 4.7F, 0, glm::vec3(0.57F)}, {"preprocess", 1, 0, kTeal},
                          {"cnn1", 17, gpu ? 1 : 0, kBlue},    {"graph1", 5, gpu ? 1 : 0, kLight},
                          {"graph3", 9, gpu ? 1 : 0, kLight},  {"block1", 31, gpu ? 1 : 0, kWarm},
                          {"block2", 39, gpu ? 1 : 0, kHot}};
    FlameRow run;
    float now = 0;
    for (const Part& part : parts) {
        const float duration = part.duration * factor;
        run.push_back({now,
                       duration,
                       part.lane,
                       part.colour,
                       {fmt::format("{} · run 7", part.name), fmt::format("{:.1f} ms", duration)}});
        now += duration;
    }
    return run;
}

}  // namespace

ProfilePanelView fakeProfilePanel(bool dark) {
    ProfilePanelView view;
    view.heading = {"live profile", {"last", "median", "p95"}};
    view.network = {"network ms", {"101", "98.4", "117"}};
    view.frame = {"frame ms", {"9.42", "8.10", "17.9"}};
    view.panelCost = {"overlay ms", {"0.09", "0.08", "0.12"}};
    auto flames = std::make_shared<FlameGraph>();
    flames->lanes = {"CPU", "GPU 1"};
    for (int i = 0; i < 6; ++i) {
        flames->rows.push_back(fakeRun(1.0F - 0.04F * static_cast<float>(i % 3), i < 2));
    }
    view.flames = flames;
    view.legend = {
        {kTeal, "pre"}, {kBlue, "cnn"}, {kLight, "graph"}, {kWarm, "block 1"}, {kHot, "block 2"}};
    for (int i = 0; i < 90; ++i) {
        view.frames.push_back(6.0F + static_cast<float>((i * 7) % 9) +
                              (i % 31 == 30 ? 9.0F : 0.0F) + (i == 70 ? 26.0F : 0.0F));
    }
    view.budgetText = "16.7";
    view.facts = {{"host MB", "412"}, {"device MB", "96"}, {"queue", "12"}, {"dropped", "3"}};
    if (!dark) {
        view.colours.panel = {0.97F, 0.97F, 0.98F, 0.9F};
        view.colours.text = {0.11F, 0.12F, 0.14F};
        view.colours.muted = {0.36F, 0.39F, 0.44F};
        view.colours.line = {0.85F, 0.86F, 0.88F};
    }
    view.font = testFont();
    return view;
}

ProfilePanelView emptyProfilePanel() {
    ProfilePanelView view = fakeProfilePanel();
    view.flames = nullptr;
    view.frames.clear();
    for (PanelRow* row : {&view.network, &view.frame, &view.panelCost})
        row->values = {"–", "–", "–"};
    return view;
}

std::shared_ptr<const PanelFont> testFont() {
    const std::vector<std::byte> bytes =
        readFile("/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf");
    auto font = std::make_shared<PanelFont>(bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        (*font)[i] = std::to_integer<unsigned char>(bytes[i]);
    }
    return font;
}

}  // namespace threefold::render
