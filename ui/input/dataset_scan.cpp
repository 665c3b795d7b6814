#include "ui/input/dataset_scan.h"

#include <utility>

#include <QPointer>
#include <QThreadPool>

#include "engine/profile/stopwatch.h"

namespace threefold::ui {

void DatasetScan::start(const std::filesystem::path& root) {
    running_ = true;
    const auto tell = [this, self = QPointer<QObject>(this), scan = ++scans_](auto what) {
        callLater(self, [this, scan, what = std::move(what)] {
            if (scan == scans_) what();
        });
    };
    QThreadPool::globalInstance()->start([this, root, token = newest_.start(), tell] {
        std::vector<DataSetItem> batch;
        Stopwatch sinceLast;
        const auto hand = [&] {
            tell([this, items = std::exchange(batch, {})] { Q_EMIT found(items); });
            sinceLast = {};
        };
        walkDataSet(root, token, [&](DataSetItem item) {
            constexpr std::size_t kMostAtOnce = 1024;
            constexpr double kMostMilliseconds = 60;
            batch.push_back(std::move(item));
            if (batch.size() >= kMostAtOnce || sinceLast.milliseconds() > kMostMilliseconds) hand();
        });
        if (!batch.empty()) hand();
        tell([this] {
            running_ = false;
            Q_EMIT finished();
        });
    });
}

}  // namespace threefold::ui
