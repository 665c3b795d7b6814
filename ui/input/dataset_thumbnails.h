#pragma once

#include <deque>
#include <mutex>

#include <QCache>
#include <QImage>
#include <QObject>
#include <QString>

#include "ui/document/background.h"

namespace threefold::ui {

/// Small pictures of items: their first rendering, decoded on demand on its own thread, the latest
/// request first. Keeps kMostKept pictures and the latest kMostWaiting requests.
class DatasetThumbnails : public QObject {
    Q_OBJECT

  public:
    static constexpr int kSide = 64;  ///< largest side in pixels
    static constexpr qsizetype kMostKept = 512;
    static constexpr std::size_t kMostWaiting = 64;

    /// The picture, or null while it is being decoded: then ready() follows unless the request is
    /// dropped. Always null if the item has no readable rendering.
    QImage get(const QString& itemFolder);
    std::size_t kept() const { return static_cast<std::size_t>(images_.size()); }

  Q_SIGNALS:
    void ready(const QString& itemFolder);

  private:
    void decodeNext();
    void keep(const QString& itemFolder, const QImage& image);

    QCache<QString, QImage> images_{kMostKept};  // of the window's thread

    std::mutex mutex_;
    std::deque<QString> waiting_;  // the latest at the end
    OneThread thread_;
};

}  // namespace threefold::ui
