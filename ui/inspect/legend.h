#pragma once

#include <array>
#include <vector>

#include <QAction>
#include <QContextMenuEvent>
#include <QLabel>
#include <QList>
#include <QMenu>
#include <QStackedWidget>
#include <QStringList>
#include <QToolButton>

#include "ui/document/shown_document.h"
#include "ui/inspect/legend_bar.h"

class QBoxLayout;

namespace threefold::ui {

struct ColouredMesh;
struct FeatureContext;

/// The legend under the panes: colour bar, histogram and range of the values. It has one bar for
/// all panes or, if each pane has a range of its own, one bar for each mesh with values, in the
/// order of the panes.
class Legend : public QWidget {
    Q_OBJECT

  public:
    /// `shown` must refer to `document`.
    Legend(Document& document, const ShownDocument& shown, QWidget* parent = nullptr);

    LegendBar& bar(std::size_t index) { return *bars_.at(index); }
    QString caption() const { return captions_.front(); }  ///< longest caption

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override {
        if (mode_->isVisible()) mode_->menu()->popup(event->globalPos());
    }

  private:
    void fillModeMenu();
    void refresh();
    void refreshBars(const QuantityInfo& info, const std::vector<ColouredMesh>& meshes,
                     bool separateBars);
    void refreshModes(const QuantityInfo& info, bool hasValues);
    void refreshCaptions(const QuantityInfo& info, bool hasValues);
    void refreshHelp(const QuantityInfo& info, const std::vector<ColouredMesh>& meshes,
                     bool separateBars);
    void updateCaption();
    void setRange(ValueRange range);
    void setRangeKept(bool kept);
    void setMode(RangeMode mode) {
        document_.look.change([&](Look& look) {
            look.range = mode;
            look.keepRange = false;
        });
    }
    void beginTyping(RangeEnd end);
    void endTyping();

    Document& document_;
    const ShownDocument shown_;
    std::array<LegendBar*, kMaxPanes> bars_;
    QLabel* reason_;
    QLabel* caption_;
    QStringList captions_{QString()};  ///< longest first
    QStackedWidget* below_;            ///< caption or fields
    ValueRangeFields* fields_;
    QToolButton* mode_;
    QList<QAction*> modes_, percentiles_;
    QAction* logarithmicAction_ = nullptr;
    QAction* keepRangeAction_ = nullptr;
    QWidget* focusReturn_ = nullptr;  ///< gets the focus after typing
};

/// Adds the legend as the first row under the panes.
Legend& addLegend(const FeatureContext& context, QBoxLayout& belowPanes);

}  // namespace threefold::ui
