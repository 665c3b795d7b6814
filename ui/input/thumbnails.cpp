#include "ui/input/thumbnails.h"

#include <algorithm>
#include <exception>

#include "engine/formats/pictures/image.h"
#include "ui/style/image_conversion.h"

namespace threefold::ui {
namespace {

QImage thumbnail(const Sample& sample, int view) try {
    const std::filesystem::path& file = sample.images[static_cast<std::size_t>(view)];
    QImage whole = toQImage(asNetworkSees(sample, view, readImage(file)));
    if (std::max(whole.width(), whole.height()) <= Thumbnails::kSide) return whole;
    return whole.scaled(Thumbnails::kSide, Thumbnails::kSide, Qt::KeepAspectRatio,
                        Qt::SmoothTransformation);
} catch (const std::exception&) {
    return {};
}

}  // namespace

void Thumbnails::load(const SampleRef& sample, const std::vector<int>& first) {
    thread_.clear();
    std::vector<int> views = first;
    for (int view = 0; view < static_cast<int>(sample->viewCount()); ++view) {
        if (std::find(first.begin(), first.end(), view) == first.end()) views.push_back(view);
    }
    for (const int view : views) {
        thread_.start(
            [this, sample, view] { Q_EMIT ready(sample, view, thumbnail(*sample, view)); });
    }
}

}  // namespace threefold::ui
