#pragma once

#include <deque>
#include <filesystem>
#include <thread>

#include <QElapsedTimer>
#include <QObject>
#include <QSize>
#include <QWidget>

#include "engine/error.h"
#include "render/device.h"
#include "render/scene.h"

class QLabel;

namespace threefold::ui {

/// Draws pictures of scenes and writes them as PNG files, one after the other, on a thread and a
/// device of its own: the panes go on, and of a picture of 16384² only a band is in memory.
/// Of the window's thread; its end cancels, and waits for the tile that is being drawn.
class PictureWriter : public QObject {
    Q_OBJECT

  public:
    struct Order {
        render::Scene scene;
        QSize pixels;
        std::filesystem::path file;
    };

    /// `instance` must outlive it.
    PictureWriter(const render::Instance& instance, QObject* parent);

    void write(Order order);
    /// Everything that is not written yet; no file is touched.
    void cancel();

  Q_SIGNALS:
    void progressed(double share);  ///< 0…1 of the picture being written
    void saved(const QString& file);
    void failed(const threefold::ErrorReport& report);
    void cancelled();
    void ended();  ///< after one of the three before, when no other order waits

  private:
    void start();
    void next();
    void run(const Order& order, const std::stop_token& cancel);

    const render::Instance& instance_;
    std::deque<Order> orders_;  // the first is being written
    std::jthread thread_;
};

/// How far a picture is, and a way to stop it; seen only where that takes a while.
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
