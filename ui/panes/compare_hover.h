#pragma once

#include <QPointF>
#include <QStringList>
#include <QWidget>

#include "ui/document/shown_values.h"
#include "ui/panes/picking.h"
#include "ui/panes/viewport.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

/// A line of numbers that rarely resizes its neighbours: as wide as its widest text since it was
/// last empty, elided if there is less room.
class NumberLabel : public QWidget {
    Q_OBJECT

  public:
    explicit NumberLabel(QWidget* parent = nullptr);
    void setText(const QString& text);  ///< empty: hidden
    const QString& text() const { return text_; }

    QSize sizeHint() const override { return {widest_, fontMetrics().height()}; }
    QSize minimumSizeHint() const override { return {0, fontMetrics().height()}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QString text_;
    int widest_ = 0;
};

/// A tooltip of a few lines above the panes: inside them, beside the pointer and never under it.
/// Takes neither clicks nor focus.
class PointerTip : public QWidget {
    Q_OBJECT

  public:
    /// `window` holds the panes.
    PointerTip(QWidget& window, const Viewport& panes);

    /// `pointer` in the panes' logical pixels. No lines: hidden.
    void setLines(const QStringList& lines, QPoint pointer);
    const QStringList& lines() const { return lines_; }
    /// Keeps setLines() from covering `other` while that is shown; it must outlive this tip.
    void avoid(const PointerTip& other) { avoided_ = &other; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    const Viewport& panes_;
    const PointerTip* avoided_ = nullptr;
    QStringList lines_;
};

/// Describes a vertex: its mesh, index, value with unit, and position in world space and in the
/// reference camera's space. Empty if the vertex does not exist.
QString describeVertex(const ShownValues& shown, const PickedVertex& vertex);

/// Names a vertex by its mesh and index: "truth #1 204".
QString vertexName(const Document& document, const PickedVertex& vertex);

/// The lines of the vertex's PointerTip: mesh and index; value; position in world space.
QStringList vertexLines(const ShownValues& shown, const PickedVertex& vertex);

/// Finds the vertex under the pointer, sets it in the document, and describes it beside the pointer
/// and in the status line, which otherwise describes the marked vertex.
class VertexHover : public QObject {
    Q_OBJECT

  public:
    VertexHover(const FeatureContext& parts, const ShownValues& shown, Viewport& viewport,
                PickTrees& trees);

    struct Hit {
        std::optional<PickedVertex> vertex;
        bool awaitsTree = false;  ///< the PickTree of a mesh there is being built
    };
    /// The visible vertex at a position of the viewport, in logical pixels.
    Hit vertexAt(QPointF position);
    /// The tip beside the pointer leaves this one visible.
    void leaveVisible(const PointerTip& other) { tip_->avoid(other); }

  private:
    void pick();
    void updateText();

    Document& document_;
    const ShownValues shown_;
    Viewport& viewport_;
    PickTrees& trees_;
    NumberLabel* readout_;
    PointerTip* tip_;
    std::optional<QPointF> pointer_;
};

}  // namespace threefold::ui
