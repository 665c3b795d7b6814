#include "ui/input/thumbnails.h"

#include <algorithm>
#include <exception>

#include "engine/formats/pictures/image.h"
#include "engine/sample/data_set.h"
#include "ui/style/image_conversion.h"

namespace threefold::ui {
namespace {

QImage thumbnail(ViewCache& cache, const Sample& sample, int view) try {
    QImage image = toQImage(*cache.prefetch(sample, view));
    if (std::max(image.width(), image.height()) <= Thumbnails::kSide) return image;
    return image.scaled(Thumbnails::kSide, Thumbnails::kSide, Qt::KeepAspectRatio,
                        Qt::SmoothTransformation);
} catch (const std::exception&) {
    return {};
}

QImage decode(const QString& sampleFolder) try {
    const std::filesystem::path file = firstImageOf(sampleFolder.toStdString());
    if (file.empty()) return {};
    const QImage image = toQImage(readImage(file));
    return image.scaled(DataSetThumbnails::kSide, DataSetThumbnails::kSide, Qt::KeepAspectRatio,
                        Qt::SmoothTransformation);
} catch (const std::exception&) {
    return {};
}

}  // namespace

void Thumbnails::load(const SampleRef& sample, const std::vector<int>& first) {
    thread_.clear();
    // The reconstruction reads the chosen views from the first on, so this thread begins with the
    // last chosen view.
    std::vector<int> views(first.rbegin(), first.rend());
    for (int view = 0; view < static_cast<int>(sample->viewCount()); ++view)
        if (std::find(first.begin(), first.end(), view) == first.end()) views.push_back(view);
    for (const int view : views) {
        thread_.start([this, cache = cache_, sample, view] {
            Q_EMIT ready(sample, view, thumbnail(*cache, *sample, view));
        });
    }
}

QImage DataSetThumbnails::get(const QString& sampleFolder) {
    if (const QImage* known = images_.object(sampleFolder)) return *known;
    {
        const std::scoped_lock lock(mutex_);
        std::erase(pending_, sampleFolder);
        pending_.push_back(sampleFolder);
        if (pending_.size() > kMaxPending) pending_.pop_front();
    }
    thread_.start([this] { decodeNext(); });
    return {};
}

void DataSetThumbnails::decodeNext() {
    QString folder;
    {
        const std::scoped_lock lock(mutex_);
        if (pending_.empty()) return;  // dropped, or requested twice
        folder = std::move(pending_.back());
        pending_.pop_back();
    }
    QMetaObject::invokeMethod(this, [this, folder, image = decode(folder)] {
        if (images_.contains(folder)) return;
        images_.insert(folder, new QImage(image));
        Q_EMIT ready(folder);
    });
}

}  // namespace threefold::ui
