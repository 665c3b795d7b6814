#include "ui/files/sample_layouts.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "engine/error.h"
#include "engine/formats/files/folders.h"
#include "engine/resources.h"
#include "ui/document/document.h"
#include "ui/document/input_model.h"

namespace threefold::ui {
namespace {

/// Panes for the samples of a bundled folder, in place of the default panes.
struct SampleLayout {
    const char* folder;  ///< folder of the samples, below bundledSamplesFolder()
    std::vector<MeshId> panes;
};

const std::vector<SampleLayout>& sampleLayouts() {
    static const std::vector<SampleLayout> kLayouts{
        {"photographs", {MeshId::photograph, MeshId::textured, MeshId::fitted}}};
    return kLayouts;
}

/// Panes of a sample's layout; empty: the default panes. Compares names only, since the window's
/// thread must not read files.
std::vector<MeshId> panesOf(const SampleRef& sample) try {
    if (!sample) return {};
    const auto clean = [](const std::filesystem::path& path) {
        return absolutePath(path).lexically_normal();
    };
    const std::filesystem::path folder = clean(sample->folder).parent_path();
    for (const SampleLayout& layout : sampleLayouts())
        if (folder == clean(bundledSamplesFolder() / layout.folder)) return layout.panes;
    return {};
} catch (const Error&) {
    return {};  // no samples are installed
}

}  // namespace

void addSampleLayouts(Document& document, InputModel& input) {
    QObject::connect(&input, &InputModel::sampleChanged, &document,
                     [&document, &input, lastPanes = std::vector<MeshId>()]() mutable {
                         std::vector<MeshId> panes = panesOf(input.sample());
                         // Without a fit, the network's mesh takes the pane of the fitted mesh, to
                         // show its distances to the truth.
                         if (!document.fit.choice().on)
                             std::ranges::replace(panes, MeshId::fitted, MeshId::result);
                         // Panes that were added for opened meshes make no other layout, and stay.
                         std::vector<MeshId> shown = document.look.current().panes;
                         std::vector<MeshId> opened = document.opened.ids();
                         if (!lastPanes.empty()) {
                             opened.clear();
                             std::ranges::copy_if(shown, std::back_inserter(opened),
                                                  &MeshId::isOpened);
                             std::erase_if(shown, [](MeshId id) { return id.isOpened(); });
                         }
                         if (shown != lastPanes) return;
                         lastPanes = panes;
                         if (!panes.empty())
                             panes.insert(panes.end(), opened.begin(), opened.end());
                         panes.resize(std::min(panes.size(), kMaxPanes));
                         document.look.change([&](Look& look) { look.panes = panes; });
                     });
}

}  // namespace threefold::ui
