#include <optional>
#include <utility>
#include <vector>

#include <QAction>
#include <QCoreApplication>
#include <QMenu>

#include <glm/geometric.hpp>

#include "ui/panes/compare_arrangement.h"
#include "ui/panes/compare_features.h"
#include "ui/panes/compare_hover.h"
#include "ui/panes/viewport.h"
#include "ui/shell/actions.h"
#include "ui/shell/shell.h"
#include "ui/shell/status_line.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

class CompareDistance : public QObject {
    Q_DECLARE_TR_FUNCTIONS(CompareDistance)

  public:
    CompareDistance(const WindowParts& parts, PickTrees& trees, CompareHover& hover, QMenu& menu);

  private:
    void click(QPointF position);
    void addPointedEnd();
    void addEnd(const PickedVertex& vertex);
    void read();

    Document& document_;
    StatusLine& status_;
    CompareHover& hover_;
    QAction* clear_;
    ReadOut* readOut_;
    std::optional<QPointF> clicked_;  ///< waits for its mesh's PickTree
};

CompareDistance::CompareDistance(const WindowParts& parts, PickTrees& trees, CompareHover& hover,
                                 QMenu& menu)
    : QObject(&parts.window),
      document_(parts.document),
      status_(parts.status),
      hover_(hover),
      readOut_(new ReadOut) {
    readOut_->setObjectName(QStringLiteral("distanceReadOut"));
    readOut_->setToolTip(tr("The straight distance between two vertices, in object units"));
    parts.status.add(*readOut_);
    QAction* point =
        addCompareCommand(parts, menu, tr("&Distance from or to here"), Qt::Key_D,
                          tr("Take the vertex under the pointer, or the marked one, as one end of "
                             "a distance; Shift and a click do the same"));
    clear_ = addCompareCommand(parts, menu, tr("Clear the d&istance"), {},
                               tr("Take the line and its ends away (Esc)"));
    parts.actions.addEscape(*clear_, 3);
    connect(point, &QAction::triggered, this, &CompareDistance::addPointedEnd);
    connect(clear_, &QAction::triggered, this, [this] { document_.setDistanceEnds({}); });
    connect(&parts.viewport, &Viewport::shiftClicked, this, &CompareDistance::click);
    connect(&trees, &PickTrees::ready, this, [this] {
        if (clicked_) click(*std::exchange(clicked_, std::nullopt));
    });
    for (const auto signal : {&Document::distanceEndsChanged, &Document::openedChanged,
                              &Document::resultChanged, &Document::fitAdvanced}) {
        connect(&document_, signal, this, &CompareDistance::read);
    }
    connect(&document_, &Document::lookChanged, this, &CompareDistance::read);
    read();
}

void CompareDistance::click(QPointF position) {
    clicked_.reset();
    if (const auto vertex = hover_.vertexAt(position)) {
        addEnd(*vertex);
    } else {
        clicked_ = position;
    }
}

void CompareDistance::addPointedEnd() {
    const auto& vertex = document_.hovered() ? document_.hovered() : document_.marked();
    vertex ? addEnd(*vertex)
           : status_.say(tr("Point at a vertex, or mark one with N, to measure a distance"));
}

void CompareDistance::addEnd(const PickedVertex& vertex) {
    std::vector<PickedVertex> ends = document_.distanceEnds();
    if (ends.size() > 1) ends.clear();
    ends.push_back(vertex);
    document_.setDistanceEnds(std::move(ends));
}

void CompareDistance::read() {
    const std::vector<PickedVertex>& ends = document_.distanceEnds();
    clear_->setEnabled(!ends.empty());
    if (ends.empty()) {
        readOut_->setText({});
        return;
    }
    const auto first = placeOf(document_, ends.front());
    const auto last = placeOf(document_, ends.back());
    if (ends.size() < 2) {
        readOut_->setText(tr("distance from %1 to …").arg(vertexName(document_, ends.front())));
    } else if (first && last) {
        constexpr int kDecimals = 4;
        readOut_->setText(tr("%1 object units from %2 to %3")
                              .arg(fixed(glm::distance(*first, *last), kDecimals),
                                   vertexName(document_, ends.front()),
                                   vertexName(document_, ends.back())));
    } else {
        readOut_->setText({});
    }
}

}  // namespace

void addCompareDistance(const WindowParts& parts, PickTrees& trees, CompareHover& hover,
                        QMenu& menu) {
    new CompareDistance(parts, trees, hover, menu);
}

}  // namespace threefold::ui
