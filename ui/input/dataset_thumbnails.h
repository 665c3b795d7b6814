#pragma once

#include <deque>
#include <list>
#include <mutex>
#include <unordered_map>

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
    static constexpr std::size_t kMostKept = 512;
    static constexpr std::size_t kMostWaiting = 64;

    /// The picture, or null while it is being decoded: then ready() follows unless the request is
    /// dropped. Always null if the item has no readable rendering.
    QImage get(const QString& itemFolder);
    std::size_t kept() const { return images_.size(); }

  Q_SIGNALS:
    void ready(const QString& itemFolder);

  private:
    void decodeNext();
    void keep(const QString& itemFolder, const QImage& image);

    // Of the window's thread: the pictures, the last used in front.
    struct Kept {
        QString folder;
        QImage image;
    };
    std::list<Kept> used_;
    std::unordered_map<QString, std::list<Kept>::iterator> images_;

    std::mutex mutex_;
    std::deque<QString> waiting_;  // the latest at the end
    OneThread thread_;
};

}  // namespace threefold::ui
