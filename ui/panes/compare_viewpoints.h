#pragma once

#include <array>

#include <QObject>

#include "ui/shell/window_parts.h"

class QAction;
class QMenu;

namespace threefold::ui {

/// Looking at the meshes from where the chosen photos were taken: a command for each slot.
class CompareViewpoints : public QObject {
    Q_OBJECT

  public:
    CompareViewpoints(const WindowParts& parts, QMenu& menu);

  private:
    void follow();

    static constexpr std::size_t kSlots = 8;
    Document& document_;
    std::array<QAction*, kSlots> slots_{};
};

}  // namespace threefold::ui
