#include "ui/files/sample_layouts.h"

#include <algorithm>
#include <vector>

#include "engine/error.h"
#include "engine/formats/files/folders.h"
#include "engine/resources.h"
#include "ui/document/document.h"
#include "ui/document/input_model.h"

namespace threefold::ui {
namespace {

/// The panes in which samples of a bundled folder open, in place of the default ones.
struct SampleLayout {
    const char* folder;  ///< below bundledSamplesFolder(); the samples lie in it
    std::vector<MeshId> panes;
};

const std::vector<SampleLayout>& sampleLayouts() {
    static const std::vector<SampleLayout> kLayouts{
        {"photographs", {MeshId::photograph, MeshId::textured, MeshId::fitted}}};
    return kLayouts;
}

/// Compares names only: the window's thread reads no files. Empty: the default panes.
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
    return {};  // installed without samples
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
                         if (document.look.current().panes != lastPanes) return;
                         document.look.change([&](Look& look) { look.panes = panes; });
                         lastPanes = panes;
                     });
}

}  // namespace threefold::ui
