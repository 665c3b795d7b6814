#include "ui/files/screenshot_writer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <QImage>
#include <QPainter>

#include "engine/formats/files/write_file.h"
#include "engine/formats/pictures/image_writers.h"
#include "render/offscreen.h"
#include "ui/document/background.h"

namespace threefold::ui {
namespace {

// Rows between two checks for cancellation; compressing them takes a few hundredths of a second.
constexpr std::size_t kRowsAtOnce = 32;

// Paints the labels on a band of the picture that starts at `row`. Returns the number of
// rows of the band.
int label(std::vector<std::uint8_t>& rgba, const ScreenshotWriter::Job& job, int row) {
    const int width = job.pixels.width();
    const auto rows = static_cast<int>(rgba.size() / 4 / static_cast<std::size_t>(width));
    QImage image(rgba.data(), width, rows, 4 * width, QImage::Format_RGBA8888);
    QPainter painter(&image);
    painter.translate(0, -row);
    paintLabels(painter, job.pixels, job.scene, *job.labels);
    return rows;
}

}  // namespace

ScreenshotWriter::ScreenshotWriter(const render::Instance& instance, QObject* parent)
    : QObject(parent), instance_(instance) {}

void ScreenshotWriter::write(Job job) {
    jobs_.push_back(std::move(job));
    if (jobs_.size() == 1) start();
}

void ScreenshotWriter::cancel() {
    if (jobs_.empty()) return;
    jobs_.erase(jobs_.begin() + 1, jobs_.end());
    thread_.request_stop();
}

void ScreenshotWriter::start() {
    thread_ = std::jthread([this, job = jobs_.front()](const std::stop_token& cancel) {
        run(job, cancel);
        QMetaObject::invokeMethod(this, &ScreenshotWriter::next, Qt::QueuedConnection);
    });
}

void ScreenshotWriter::next() {
    jobs_.pop_front();
    if (jobs_.empty())
        Q_EMIT ended();
    else
        start();
}

void ScreenshotWriter::run(const Job& job, const std::stop_token& cancel) {
    const int width = job.pixels.width(), height = job.pixels.height();
    const std::string name = job.file.string();
    try {
        const render::Device device(instance_);
        PngWriter png(width, height);
        const std::size_t slice = kRowsAtOnce * 4 * static_cast<std::size_t>(width);
        double writtenRows = 0;
        int row = 0;
        std::vector<std::uint8_t> labelled;
        const auto receive = [&](std::span<const std::uint8_t> rgba) {
            if (job.labels) {
                labelled.assign(rgba.begin(), rgba.end());
                row += label(labelled, job, row);
                rgba = labelled;
            }
            for (std::size_t offset = 0; offset < rgba.size(); offset += slice) {
                if (cancel.stop_requested()) throw Cancelled();
                const auto band = rgba.subspan(offset, std::min(slice, rgba.size() - offset));
                png.addRows(band);
                writtenRows += static_cast<double>(band.size()) / (4.0 * width);
                Q_EMIT progressed(writtenRows / height);
            }
        };
        renderTiled(device, job.scene, width, height, receive, cancel);
        writeFileAtomically(job.file, png.finish());
        Q_EMIT saved(QString::fromStdString(name));
    } catch (...) {
        if (const auto problem = currentErrorReport(name))
            Q_EMIT failed(*problem);
        else
            Q_EMIT cancelled();
    }
}

}  // namespace threefold::ui
