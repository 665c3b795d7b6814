#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include <QImage>
#include <QObject>

#include "ui/document/result.h"

namespace threefold::ui {

/// Decodes an item's views on a thread of its own. A view that cannot be read gives a null image:
/// the reconstruction is what reports it.
class Thumbnails : public QObject {
    Q_OBJECT

  public:
    static constexpr int kSide = 224;  ///< largest side of a thumbnail in pixels

    Thumbnails();
    ~Thumbnails() override;

    /// Forgets what is not yet decoded, then decodes all views, those in `first` first.
    void load(const SampleRef& sample, const std::vector<int>& first);

  Q_SIGNALS:
    void ready(const threefold::ui::SampleRef& sample, int view, const QImage& image);

  private:
    void loop(const std::stop_token& closing);

    std::mutex mutex_;
    std::condition_variable_any wake_;
    SampleRef sample_;
    std::deque<int> waiting_;
    std::jthread thread_;
};

}  // namespace threefold::ui
