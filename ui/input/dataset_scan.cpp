#include "ui/input/dataset_scan.h"

#include <memory>
#include <utility>

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include "engine/profile/stopwatch.h"

namespace threefold::ui {

DatasetScan::~DatasetScan() {
    stop_.request_stop();
}

void DatasetScan::start(const std::filesystem::path& root) {
    stop_.request_stop();
    stop_ = std::stop_source();
    running_ = true;
    const QPointer<DatasetScan> self(this);
    const auto tell = [self, run = ++run_](auto what) {
        QMetaObject::invokeMethod(qApp, [self, run, what = std::move(what)] {
            if (self && self->run_ == run) what(*self);
        });
    };
    QThreadPool::globalInstance()->start([root, token = stop_.get_token(), tell] {
        using Batch = std::vector<DataSetItem>;
        auto batch = std::make_shared<Batch>();
        Stopwatch sinceLast;
        const auto hand = [&] {
            tell([items = std::exchange(batch, std::make_shared<Batch>())](DatasetScan& scan) {
                Q_EMIT scan.found(*items);
            });
            sinceLast = {};
        };
        walkDataSet(root, token, [&](DataSetItem item) {
            constexpr std::size_t kMostAtOnce = 1024;
            constexpr double kMostMilliseconds = 60;
            batch->push_back(std::move(item));
            if (batch->size() >= kMostAtOnce || sinceLast.milliseconds() > kMostMilliseconds) {
                hand();
            }
        });
        if (!batch->empty()) hand();
        tell([complete = !token.stop_requested()](DatasetScan& scan) {
            scan.running_ = false;
            Q_EMIT scan.finished(complete);
        });
    });
}

void DatasetScan::cancel() {
    stop_.request_stop();
}

}  // namespace threefold::ui
