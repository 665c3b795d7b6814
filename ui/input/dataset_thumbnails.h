#pragma once

#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <thread>
#include <unordered_map>

#include <QImage>
#include <QObject>
#include <QString>

namespace threefold::ui {

/// Small pictures of items: their first rendering, decoded on a thread of its own when asked for,
/// the latest question first. Keeps a bounded number; questions that have gone stale are dropped.
class DatasetThumbnails : public QObject {
    Q_OBJECT

  public:
    static constexpr int kSide = 64;  ///< largest side in pixels
    static constexpr std::size_t kMostKept = 512;
    static constexpr std::size_t kMostWaiting = 64;

    explicit DatasetThumbnails(QObject* parent = nullptr);
    ~DatasetThumbnails() override;

    /// The picture if it is here; else null, and ready() follows unless so many others are asked
    /// for that this one is dropped. Null for good where the item has none that can be read.
    QImage get(const QString& itemFolder);
    std::size_t kept() const { return images_.size(); }

  Q_SIGNALS:
    void ready(const QString& itemFolder);

  private:
    void loop(const std::stop_token& closing);
    void keep(const QString& itemFolder, const QImage& image);

    // Of the window's thread: the pictures, the last used in front.
    struct Kept {
        QString folder;
        QImage image;
    };
    std::list<Kept> used_;
    std::unordered_map<QString, std::list<Kept>::iterator> images_;

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::deque<QString> waiting_;  // the latest at the end
    std::jthread thread_;
};

}  // namespace threefold::ui
