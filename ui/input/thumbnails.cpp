#include "ui/input/thumbnails.h"

#include <algorithm>
#include <exception>

#include "engine/formats/pictures/image.h"
#include "ui/style/image_conversion.h"

namespace threefold::ui {
namespace {

QImage thumbnail(const Sample& sample, int view) try {
    const std::filesystem::path& file = sample.images[static_cast<std::size_t>(view)];
    QImage whole = toQImage(asNetworkSees(sample, view, readImage(file)));
    if (std::max(whole.width(), whole.height()) <= Thumbnails::kSide) return whole;
    return whole.scaled(Thumbnails::kSide, Thumbnails::kSide, Qt::KeepAspectRatio,
                        Qt::SmoothTransformation);
} catch (const std::exception&) {
    return {};
}

}  // namespace

Thumbnails::Thumbnails() {
    thread_ = std::jthread([this](const std::stop_token& closing) { loop(closing); });
}

Thumbnails::~Thumbnails() {
    thread_.request_stop();
    thread_.join();
}

void Thumbnails::load(const SampleRef& sample, const std::vector<int>& first) {
    {
        const std::scoped_lock lock(mutex_);
        sample_ = sample;
        waiting_.assign(first.begin(), first.end());
        for (int view = 0; view < static_cast<int>(sample->viewCount()); ++view) {
            const bool listed = std::find(first.begin(), first.end(), view) != first.end();
            if (!listed) waiting_.push_back(view);
        }
    }
    wake_.notify_one();
}

void Thumbnails::loop(const std::stop_token& closing) {
    while (true) {
        SampleRef sample;
        int view = 0;
        {
            std::unique_lock lock(mutex_);
            const bool more = wake_.wait(lock, closing, [this] { return !waiting_.empty(); });
            if (!more || closing.stop_requested()) return;
            sample = sample_;
            view = waiting_.front();
            waiting_.pop_front();
        }
        Q_EMIT ready(sample, view, thumbnail(*sample, view));
    }
}

}  // namespace threefold::ui
