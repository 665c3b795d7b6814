#pragma once

#include <utility>

#include <QObject>

#include "ui/results/look.h"

namespace threefold::ui {

/// Model of how the meshes are shown. Setters signal only changes. GUI thread only.
class LookModel : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;

    const Look& current() const { return look_; }
    void set(const Look& look);
    /// Applies `change` to a copy of the look, then sets the copy.
    template <class Change>
    void change(const Change& change) {
        Look look = look_;
        change(look);
        set(look);
    }

    /// Whether the blink key is held. Meanwhile the first two meshes swap panes, but not cameras.
    bool isBlinking() const { return blinking_; }
    void setBlinking(bool blinking) {
        if (std::exchange(blinking_, blinking) != blinking) Q_EMIT blinkingChanged();
    }

  Q_SIGNALS:
    /// Emitted like ResultModel::replaced() and changed().
    void replaced(const threefold::ui::Look& before);
    void changed(const threefold::ui::Look& before);
    void blinkingChanged();

  private:
    Look look_;
    bool blinking_ = false;
};

}  // namespace threefold::ui
