#include "ui/input/thumbnails.h"

#include <algorithm>
#include <exception>

#include "ui/style/image_conversion.h"

namespace threefold::ui {
namespace {

QImage thumbnail(ViewCache& cache, const Sample& sample, int view) try {
    QImage whole = toQImage(*cache.prefetch(sample, view));
    if (std::max(whole.width(), whole.height()) <= Thumbnails::kSide) return whole;
    return whole.scaled(Thumbnails::kSide, Thumbnails::kSide, Qt::KeepAspectRatio,
                        Qt::SmoothTransformation);
} catch (const std::exception&) {
    return {};
}

}  // namespace

void Thumbnails::load(const SampleRef& sample, const std::vector<int>& first) {
    thread_.clear();
    // The worker begins with the first: read the last of them meanwhile.
    std::vector<int> views(first.rbegin(), first.rend());
    for (int view = 0; view < static_cast<int>(sample->viewCount()); ++view) {
        if (std::find(first.begin(), first.end(), view) == first.end()) views.push_back(view);
    }
    for (const int view : views) {
        thread_.start([this, cache = cache_, sample, view] {
            Q_EMIT ready(sample, view, thumbnail(*cache, *sample, view));
        });
    }
}

}  // namespace threefold::ui
