#include "ui/input/photograph_opener.h"

#include <memory>

#include "ui/document/background.h"
#include "ui/document/input_model.h"
#include "ui/input/photograph_sample.h"

namespace threefold::ui {

PhotographOpener::PhotographOpener(const FeatureContext& context)
    : QObject(&context.window), context_(context) {
    connect(&context.opener, &SampleOpener::requestBegan, this, [this] { openTask_.cancel(); });
    connect(&context.opener, &SampleOpener::requestFailed, this,
            [this](const ErrorReport&, const auto& location) { tryAsPhotographs(location); });
}

void PhotographOpener::tryAsPhotographs(const std::filesystem::path& folder) {
    if (folder.empty()) return;
    inBackground(
        this, openTask_.restart(), [folder] { return photographsWithoutCameras(folder); },
        [this](const std::vector<std::filesystem::path>& images) {
            if (!images.empty()) open(images);
        },
        [](const ErrorReport&) {});  // the banner already reports that the folder is no sample
}

void PhotographOpener::open(const std::vector<std::filesystem::path>& images,
                            const std::vector<int>& views) {
    inBackground(
        this, openTask_.restart(), [images, views] { return photographSample(images, views); },
        [this](const PhotographSample& photographs) {
            if (photographs.camerasKnown)
                return context_.opener.openSample(photographs.sample.folder, photographs.views);
            const auto sample = std::make_shared<const Sample>(photographs.sample);
            context_.input.setCamerasGuessed(sample);
            context_.opener.showInput(sample, photographs.views);
            context_.status.showMessage(
                tr("%1 photographs without cameras").arg(photographs.sample.viewCount()));
            Q_EMIT openedWithoutCameras();
        },
        [this](const ErrorReport& report) { context_.banner.show(report); }, "own images");
}

PhotographOpener& addPhotographOpener(const FeatureContext& context) {
    return *new PhotographOpener(context);
}

}  // namespace threefold::ui
