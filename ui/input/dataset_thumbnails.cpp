#include "ui/input/dataset_thumbnails.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "engine/formats/pictures/image.h"
#include "engine/formats/pictures/image_readers.h"
#include "engine/sample/data_set.h"
#include "ui/style/image_conversion.h"

namespace threefold::ui {
namespace {

QImage decode(const QString& itemFolder) try {
    const std::filesystem::path file = firstRendering(itemFolder.toStdString());
    if (file.empty()) return {};
    const QImage whole = toQImage(readImage(file));
    return whole.scaled(DatasetThumbnails::kSide, DatasetThumbnails::kSide, Qt::KeepAspectRatio,
                        Qt::SmoothTransformation);
} catch (const std::exception&) {
    return {};
}

}  // namespace

QImage DatasetThumbnails::get(const QString& itemFolder) {
    if (const QImage* known = images_.object(itemFolder)) return *known;
    {
        const std::scoped_lock lock(mutex_);
        const auto asked = std::find(waiting_.begin(), waiting_.end(), itemFolder);
        if (asked != waiting_.end()) waiting_.erase(asked);
        waiting_.push_back(itemFolder);
        if (waiting_.size() > kMostWaiting) waiting_.pop_front();
    }
    thread_.start([this] { decodeNext(); });
    return {};
}

void DatasetThumbnails::keep(const QString& itemFolder, const QImage& image) {
    if (images_.contains(itemFolder)) return;
    images_.insert(itemFolder, new QImage(image));
    Q_EMIT ready(itemFolder);
}

void DatasetThumbnails::decodeNext() {
    QString folder;
    {
        const std::scoped_lock lock(mutex_);
        if (waiting_.empty()) return;  // dropped, or requested twice
        folder = std::move(waiting_.back());
        waiting_.pop_back();
    }
    QMetaObject::invokeMethod(this,
                              [this, folder, image = decode(folder)] { keep(folder, image); });
}

}  // namespace threefold::ui
