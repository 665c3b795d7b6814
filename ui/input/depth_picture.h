#pragma once

#include <vector>

#include <QImage>
#include <QString>
#include <QWidget>

#include "render/scene.h"
#include "ui/document/document.h"
#include "ui/document/value_range.h"
#include "ui/input/outline.h"

namespace threefold::ui {

/// A photograph's depth map as a picture of the photograph's shape. All but depthOf() is pure, for
/// any thread.
struct DepthPicture {
    QImage colours;  ///< premultiplied; transparent where no depth is sure; null: no depth at all
    std::vector<float> depth;  ///< of its pixels, by rows, in object units; 0: none
    render::ValueColours scale;
    double ownUnits = 0;   ///< the cameras' own units in an object unit; 0: they have none
    bool checked = false;  ///< compared with the other photographs' depths

    bool isNull() const { return colours.isNull(); }
    /// "0.7120 · 1.32 of yours" at a place, as shares of the photograph's width and
    /// height; empty where no depth is known.
    QString valueAt(QPointF place) const;
};

/// Nearest and farthest, but for a thousandth of the values at either end.
ValueRange depthRange(const ViewDepths& depths);

/// `size`: of the picture, in pixels. `place`: where a pixel of the 224×224 image falls in the
/// photograph; empty: the photograph is that image. Takes up to some 100 ms.
DepthPicture depthPicture(const ViewDepths& depths, QSize size, render::ColourMap map,
                          const OutlinePlace& place = {});

/// The document's depth map of a view of `sample`: the result's, or the newest of the fit that is
/// under way. Null: none.
struct KnownDepths {
    const ViewDepths* map = nullptr;
    bool checked = false;
};
KnownDepths depthOf(const Document& document, const SampleRef& sample, int view);

/// The colours of a depth picture from the nearest to the farthest value, with ticks in object
/// units and, below, in the cameras' own.
class DepthLegend : public QWidget {
    Q_OBJECT

  public:
    explicit DepthLegend(QWidget* parent);
    void setPicture(const DepthPicture& picture);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;  ///< without the names of units

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    render::ValueColours scale_;
    double ownUnits_ = 0;
};

}  // namespace threefold::ui
