#pragma once

#include <vector>

#include <QImage>
#include <QString>
#include <QWidget>

#include "render/scene.h"
#include "ui/document/document.h"
#include "ui/document/value_range.h"
#include "ui/input/outline_picture.h"

namespace threefold::ui {

/// Picture of a photograph's depth map, with the photograph's aspect ratio. All functions except
/// depthOf() are pure and may run on any thread.
struct DepthPicture {
    QImage colours;  ///< premultiplied; transparent: no reliable depth; null: no depth at all
    std::vector<float> depth;  ///< per pixel, row by row, in object units; 0: none
    render::ColourScale scale;
    double cameraUnitsPerObjectUnit = 0;  ///< 0: unknown
    bool isConsistent = false;            ///< checked against the other photographs' depths

    bool isNull() const { return colours.isNull(); }
    /// Depth at a position, such as "0.7120 · 1.32 camera units"; empty where no depth is known.
    /// `position`: fractions of the photograph's width and height.
    QString depthTextAt(QPointF position) const;
};

/// Range of the depths without the nearest and farthest 0.1 % of the values; {0, 0}: no depth.
ValueRange depthRange(const ViewDepthMap& depths);

/// Draws a depth map, which takes up to some 100 ms. `size`: of the picture, in pixels. `mapping`:
/// from pixels of the 224×224 image to the photograph; empty: the photograph is that image.
DepthPicture depthPicture(const ViewDepthMap& depths, QSize size, render::ColourMap map,
                          const PhotographMapping& mapping = {});

/// A view's depth map.
struct KnownDepths {
    const ViewDepthMap* map = nullptr;  ///< null: none; valid until the document changes
    bool isConsistent = false;          ///< see DepthPicture::isConsistent
};
/// Finds the depth map of one view in the document's result, or else the newest depth map of the
/// view in a running fit.
KnownDepths depthOf(const Document& document, const SampleRef& sample, int view);

/// Colour bar of a depth picture from nearest to farthest, with ticks in object units and, below,
/// in the units of the cameras.
class DepthLegend : public QWidget {
    Q_OBJECT

  public:
    explicit DepthLegend(QWidget* parent);
    /// Shows the range of the picture's depths.
    void setPicture(const DepthPicture& picture);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;  ///< leaves no room for the names of the units

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    render::ColourScale scale_;
    double cameraUnitsPerObjectUnit_ = 0;
};

}  // namespace threefold::ui
