#include "ui/document/photograph_pane.h"

#include <algorithm>
#include <utility>

#include <glm/geometric.hpp>

#include "engine/sample/sample_views.h"
#include "ui/document/background.h"
#include "ui/document/connections.h"

namespace threefold::ui {
namespace {

// Corners of the box around the opaque pixels of the network's image; null if no pixel is opaque,
// or if the box is the whole image.
std::shared_ptr<const Points> cornersAround(const Image& image, const Camera& camera) {
    int left = image.width, right = -1, top = image.height, bottom = -1;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const auto pixel = static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                               static_cast<std::size_t>(x);
            if (image.rgba[4 * pixel + 3] < 128) continue;
            left = std::min(left, x);
            right = std::max(right, x);
            top = std::min(top, y);
            bottom = std::max(bottom, y);
        }
    const bool whole = right - left + 1 == image.width && bottom - top + 1 == image.height;
    if (right < left || whole) return nullptr;
    const double depth = glm::length(camera.centre);
    const double half = halfWidthAt(camera, depth);
    const auto corner = [&](int x, int y) {
        return glm::vec3(camera.toWorld(
            {half * (2.0 * x / image.width - 1), half * (1 - 2.0 * y / image.height), -depth}));
    };
    return std::make_shared<const Points>(Points{corner(left, top), corner(right + 1, top),
                                                 corner(left, bottom + 1),
                                                 corner(right + 1, bottom + 1)});
}

// The views of a pane of photographs, in the order of reading: `first`, then the others.
std::deque<int> viewsInOrder(const Sample& sample, const std::vector<int>& first) {
    constexpr std::size_t kMaxPanePhotographs = 24;  // 4 MB each
    std::deque<int> views(first.begin(), first.end());
    for (int view = 0; view < static_cast<int>(sample.viewCount()); ++view) {
        const bool usable = isUsableView(sample, static_cast<std::size_t>(view));
        if (usable && std::ranges::count(first, view) == 0) views.push_back(view);
    }
    views.resize(std::min(views.size(), kMaxPanePhotographs));
    return views;
}

}  // namespace

PhotographPane::PhotographPane(Document& document, std::shared_ptr<ViewCache> cache)
    : QObject(&document), document_(document), cache_(std::move(cache)) {
    connectChanged(this, &PhotographPane::readNext, document.result, document.look, document.run);
    readNext();
}

std::vector<render::Layer> PhotographPane::layers(glm::vec3 background) const {
    std::vector<render::Layer> layers;
    // The input shows another object than the photographs of the result.
    const ResultRef& result = document_.result.current();
    if (document_.run.showsAnotherSample() && result && result->sample == sample_) return layers;
    for (const Backdrop& photograph : photographs_)
        layers.push_back(layerOf(photograph, background));
    return layers;
}

// Reads one photograph after the other. While the network computes, and until the picture of its
// result is on the screen, reads only the first photograph, since more reading would slow down
// network and drawing.
void PhotographPane::readNext() {
    if (std::ranges::count(document_.look.current().panes, MeshId::photograph) == 0) return;
    const ReconstructionRun* run = document_.run.state().reconstruction();
    const ResultRef& result = document_.result.current();
    const bool running = run != nullptr && run->sample;
    const SampleRef sample = running ? run->sample : result ? result->sample : nullptr;
    if (!sample) return;
    followSample(sample, running ? run->views : result->views);
    if (isReading_ || pending_.empty()) return;
    if (!running && closedFor_ != result) {
        closedFor_ = result;
        firstPictureGate_.close();
    }
    if ((run != nullptr || firstPictureGate_.isClosed()) && !photographs_.empty()) return;
    const int view = pending_.front();
    pending_.pop_front();
    read(view);
}

void PhotographPane::followSample(const SampleRef& sample, const std::vector<int>& first) {
    if (sample_ == sample) return;
    sample_ = sample;
    photographs_.clear();
    readTask_.cancel();
    isReading_ = false;
    pending_ = viewsInOrder(*sample, first);
    Q_EMIT changed();
}

void PhotographPane::read(int view) {
    isReading_ = true;
    const auto continueReading = [this] {
        isReading_ = false;
        readNext();
    };
    struct Read {
        Backdrop photograph;
        Camera camera;
        std::shared_ptr<const Points> corners;
    };
    inBackground(
        this, readTask_.restart(),
        [sample = sample_, view, cache = photographs_.empty() ? cache_ : nullptr] {
            const auto index = static_cast<std::size_t>(view);
            const Camera camera = Camera::fromRow(sample->cameraRows[index]);
            return Read{
                makeBackdrop(camera, networkImage(*sample, view, readImage(sample->images[index]),
                                                  ViewResolution::photograph)),
                camera, cache ? cornersAround(*cache->read(*sample, view), camera) : nullptr};
        },
        [this, continueReading](Read read) {
            photographs_.push_back(std::move(read.photograph));
            if (read.corners) Q_EMIT objectSeen(read.corners, read.camera);
            Q_EMIT changed();
            continueReading();
        },
        // No message, since the run that used the photographs has reported the unreadable ones.
        [continueReading](const ErrorReport&) { continueReading(); });
}

}  // namespace threefold::ui
