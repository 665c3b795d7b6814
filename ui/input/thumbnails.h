#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <QCache>
#include <QImage>
#include <QObject>
#include <QString>

#include "ui/document/single_thread_pool.h"
#include "ui/document/view_cache.h"
#include "ui/results/result.h"

namespace threefold::ui {

/// Decodes a sample's views on its own thread, for the tiles and for a cache from which the next
/// reconstruction reads. An unreadable view gives a null image; the reconstruction reports it.
class Thumbnails : public QObject {
    Q_OBJECT

  public:
    static constexpr int kSide = 224;  ///< largest side of a thumbnail in pixels

    /// `cache` (not null) gets the decoded views.
    explicit Thumbnails(std::shared_ptr<ViewCache> cache) : cache_(std::move(cache)) {}

    /// Drops views not yet decoded, then decodes all views of `sample`: those in `first` from the
    /// last to the first, then the others.
    void load(const SampleRef& sample, const std::vector<int>& first);

  Q_SIGNALS:
    void ready(const threefold::ui::SampleRef& sample, int view, const QImage& image);

  private:
    const std::shared_ptr<ViewCache> cache_;
    SingleThreadPool thread_;
};

/// Cache of thumbnails of a data set's samples. A thread of the cache decodes each sample's first
/// rendering on demand, the latest request first. Keeps kMaxCached pictures and the latest
/// kMaxPending requests.
class DataSetThumbnails : public QObject {
    Q_OBJECT

  public:
    static constexpr int kSide = 64;  ///< largest side in pixels
    static constexpr qsizetype kMaxCached = 512;
    static constexpr std::size_t kMaxPending = 64;

    /// The picture, or null while it is being decoded: ready() follows unless the request is
    /// dropped. Always null if the sample has no readable rendering.
    QImage get(const QString& sampleFolder);
    std::size_t cachedCount() const { return static_cast<std::size_t>(images_.size()); }

  Q_SIGNALS:
    void ready(const QString& sampleFolder);

  private:
    void decodeNext();

    QCache<QString, QImage> images_{kMaxCached};  // GUI thread only

    std::mutex mutex_;
    std::deque<QString> pending_;  // the latest last
    SingleThreadPool thread_;
};

}  // namespace threefold::ui
