#pragma once

#include <QWidget>

#include "render/colour_map.h"

namespace threefold::ui {

/// The strip under the panes: which colour means which distance.
class Legend : public QWidget {
    Q_OBJECT

  public:
    explicit Legend(QWidget* parent = nullptr);

    /// `highest` in object units; 0 where no values are shown: a sentence says why.
    void show(render::ColourMap map, float highest, const QString& otherwise);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    render::ColourMap map_ = render::ColourMap::inferno;
    float highest_ = 0;
    QString otherwise_;
};

}  // namespace threefold::ui
