#pragma once

#include <functional>

#include <QObject>
#include <QPalette>

#include "ui/shell/window_parts.h"

namespace threefold::ui {

/// The system's present palette, regardless of the application's own.
QPalette systemPalette();

/// Follows the system's colours when they change. A theme chosen by the user stays.
class ThemeFollower : public QObject {
    Q_OBJECT

  public:
    explicit ThemeFollower(const WindowParts& parts);
    /// For tests: replaces the source of the system's palette.
    void readFrom(std::function<QPalette()> readPalette) { readPalette_ = std::move(readPalette); }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    Shell& window_;
    std::function<QPalette()> readPalette_ = systemPalette;
};

}  // namespace threefold::ui
