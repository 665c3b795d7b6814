#pragma once

#include <QPointF>
#include <QStringList>
#include <QWidget>

#include "ui/panes/picking.h"
#include "ui/panes/viewport.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {

/// A line of numbers that never resizes its neighbours: as wide as its widest text so far, elided
/// if there is less room.
class ReadOut : public QWidget {
    Q_OBJECT

  public:
    explicit ReadOut(QWidget* parent = nullptr);
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

/// A few lines beside the pointer, over the panes. Lies inside the panes, clear of the pointer and
/// its surroundings. Takes neither clicks nor focus.
class PointerTip : public QWidget {
    Q_OBJECT

  public:
    /// `window` holds the panes.
    PointerTip(QWidget& window, const Viewport& panes);

    /// `pointer` in the panes' logical pixels. No lines: hidden.
    void setLines(const QStringList& lines, QPoint pointer);
    const QStringList& lines() const { return lines_; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    const Viewport& panes_;
    QStringList lines_;
};

/// Describes a vertex: its mesh, index, value with unit, and position in the world and in the
/// reference camera's space. Empty without such a vertex.
QString describeVertex(const Document& document, const PickedVertex& vertex);

/// "refined #1 204": a vertex by its mesh and index.
QString vertexName(const Document& document, const PickedVertex& vertex);

/// The same beside the pointer: mesh and index; value; position in the world.
QStringList vertexLines(const Document& document, const PickedVertex& vertex);

/// Finds the vertex under the pointer, sets it in the document, and describes it beside the pointer
/// and in the status line, which otherwise describes the marked vertex.
class CompareHover : public QObject {
    Q_OBJECT

  public:
    CompareHover(const WindowParts& parts, Viewport& viewport, PickTrees& trees);

    /// The visible vertex at a position of the viewport, in logical pixels. None, too, until its
    /// mesh is prepared: see PickTrees::ready().
    std::optional<PickedVertex> vertexAt(QPointF position);

  private:
    void pick();
    void read();

    Document& document_;
    Viewport& viewport_;
    PickTrees& trees_;
    ReadOut* readOut_;
    PointerTip* tip_;
    std::optional<QPointF> pointer_;
};

}  // namespace threefold::ui
