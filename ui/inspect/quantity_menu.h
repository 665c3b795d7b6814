#pragma once

#include "ui/shell/feature_context.h"

namespace threefold::ui {

/// The menu of quantities, colour maps and scale, in the tool bar and the View menu. A quantity
/// that no mesh has is disabled; its tooltip gives the reason.
class QuantityMenu : public QObject {
    Q_OBJECT

  public:
    explicit QuantityMenu(const FeatureContext& context);

    QAction* action(Quantity quantity) const { return quantities_.at(static_cast<int>(quantity)); }

  private:
    void fill(QMenu& menu);
    void addMaps(QMenu& menu);
    void choose(Quantity quantity);
    void chooseNext(int step);
    void listFileValues();
    void refresh();

    FeatureContext context_;
    QList<QAction*> quantities_, maps_;
    QMenu* fileValues_ = nullptr;
    std::vector<std::string> listed_;  // names of the lines of fileValues_
    QMenu* mapMenu_ = nullptr;
    QAction* logarithmic_ = nullptr;
    QToolButton* button_ = nullptr;
};

/// Adds the menu to View and to the tool bar.
QuantityMenu& addQuantityMenu(const FeatureContext& context);

}  // namespace threefold::ui
