#pragma once

#include <deque>
#include <filesystem>
#include <optional>
#include <thread>

#include <QElapsedTimer>
#include <QObject>
#include <QSize>
#include <QWidget>

#include "engine/error.h"
#include "render/device.h"
#include "render/scene.h"
#include "ui/files/picture_labels.h"

class QLabel;

namespace threefold::ui {

/// Draws scenes and writes them as PNG files, one after the other, on its own thread and device:
/// the panes stay responsive, and only a band of a 16384² picture is in memory. For the window's
/// thread; its destructor cancels and waits for the current tile.
class PictureWriter : public QObject {
    Q_OBJECT

  public:
    struct Order {
        render::Scene scene;
        QSize pixels;
        std::filesystem::path file;
        std::optional<PictureLabels> labels = {};  ///< none: the panes alone
    };

    /// `instance` must outlive it.
    PictureWriter(const render::Instance& instance, QObject* parent);

    void write(Order order);
    /// Drops all pictures not yet written; no file is touched.
    void cancel();

  Q_SIGNALS:
    void progressed(double share);  ///< 0…1 of the picture being written
    void saved(const QString& file);
    void failed(const threefold::ErrorReport& report);
    void cancelled();
    void ended();  ///< after saved, failed or cancelled, when no order waits

  private:
    void start();
    void next();
    void run(const Order& order, const std::stop_token& cancel);

    const render::Instance& instance_;
    std::deque<Order> orders_;  // the first is being written
    std::jthread thread_;
};

/// Progress of a picture and a button to cancel it; shown only if it takes long.
class PictureProgress : public QWidget {
    Q_OBJECT

  public:
    explicit PictureProgress(PictureWriter& writer);

  private:
    void advance(double share);

    QLabel* text_;
    QElapsedTimer since_;
};

}  // namespace threefold::ui
