#pragma once

#include <functional>

#include <QObject>
#include <QPalette>

#include "ui/shell/window_parts.h"

namespace threefold::ui {

/// The system's palette as it is now, whatever palette the application has set for itself.
QPalette systemPalette();

/// Takes over the system's colours when they change while the program runs. A theme chosen by the
/// user stays.
class ThemeFollower : public QObject {
    Q_OBJECT

  public:
    explicit ThemeFollower(const WindowParts& parts,
                           std::function<QPalette()> readPalette = systemPalette);
    /// For tests: where the palette is read from when the system says that it has changed.
    void readFrom(std::function<QPalette()> readPalette) { readPalette_ = std::move(readPalette); }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    Shell& window_;
    std::function<QPalette()> readPalette_;
};

}  // namespace threefold::ui
