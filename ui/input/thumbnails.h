#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <QImage>
#include <QObject>

#include "ui/document/background.h"
#include "ui/document/result.h"
#include "ui/document/view_cache.h"

namespace threefold::ui {

/// Decodes an item's views on its own thread, for the tiles and for a cache from which the next
/// reconstruction reads them. A view that cannot be read gives a null image; the
/// reconstruction reports it.
class Thumbnails : public QObject {
    Q_OBJECT

  public:
    static constexpr int kSide = 224;  ///< largest side of a thumbnail in pixels

    void setCache(std::shared_ptr<ViewCache> cache) { cache_ = std::move(cache); }
    /// Drops views not yet decoded, then decodes all of `sample`, beginning with `first`.
    void load(const SampleRef& sample, const std::vector<int>& first);

  Q_SIGNALS:
    void ready(const threefold::ui::SampleRef& sample, int view, const QImage& image);

  private:
    std::shared_ptr<ViewCache> cache_ = std::make_shared<ViewCache>();
    OneThread thread_;
};

}  // namespace threefold::ui
