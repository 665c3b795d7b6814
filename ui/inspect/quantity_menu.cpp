#include "ui/inspect/quantity_menu.h"

#include <QToolBar>

#include "ui/document/connections.h"
#include "ui/document/document.h"
#include "ui/document/shown_document.h"
#include "ui/results/quantities.h"

namespace threefold::ui {

QuantityMenu::QuantityMenu(const FeatureContext& context)
    : QObject(&context.window), context_(context) {
    QMenu& menu = context_.actions.menu(MenuSection::viewColour);
    fill(menu);
    button_ = new QToolButton(&context_.actions.toolBar());
    button_->setObjectName(QStringLiteral("quantity"));
    button_->setMenu(&menu);
    button_->setPopupMode(QToolButton::InstantPopup);
    button_->setToolTip(tr("Quantity and colour map (Q: next quantity)"));
    button_->setFocusPolicy(Qt::TabFocus);
    context_.actions.toolBar().insertWidget(context_.actions.frame, button_);

    connectChanged(this, &QuantityMenu::refresh, context_.document.result, context_.document.opened,
                   context_.document.look);
    refresh();
}

void QuantityMenu::fill(QMenu& menu) {
    QStringList names;
    for (const Quantity quantity : kAllQuantities) names << quantityInfo(quantity).name;
    quantities_ =
        exclusiveActions(names, this, [this](std::size_t i) { choose(kAllQuantities[i]); });
    fileValues_ = new QMenu(quantityInfo(Quantity::fileValues).name, &menu);
    fileValues_->setToolTipsVisible(true);
    for (const Quantity quantity : kAllQuantities)
        if (quantity == Quantity::fileValues)
            menu.addMenu(fileValues_);
        else
            menu.addAction(action(quantity));
    menu.insertSeparator(quantities_[1]);  // after the plain surface
    menu.addSeparator();
    addMaps(menu);
    Actions& actions = context_.actions;
    logarithmic_ = actions.addToggle(
        {.menu = MenuSection::viewColour,
         .text = tr("Lo&garithmic scale"),
         .keys = Qt::Key_G,
         .tooltip = tr("Colours by the logarithm of the values")},
        [](const Look& look) { return look.scale == render::ValueScale::logarithmic; },
        [](Look& look, bool on) {
            look.scale = on ? render::ValueScale::logarithmic : render::ValueScale::linear;
        });
    menu.addSeparator();
    actions.add({.menu = MenuSection::viewColour,
                 .text = tr("Ne&xt quantity"),
                 .keys = Qt::Key_Q,
                 .tooltip = tr("Colour by the next available quantity")},
                this, [this] { chooseNext(1); });
    actions.add({.menu = MenuSection::viewColour,
                 .text = tr("Pre&vious quantity"),
                 .keys = Qt::SHIFT | Qt::Key_Q,
                 .tooltip = tr("Colour by the previous available quantity")},
                this, [this] { chooseNext(-1); });
}

void QuantityMenu::addMaps(QMenu& menu) {
    mapMenu_ = menu.addMenu(tr("Colour &map"));
    QStringList names;
    for (const render::ColourMap map : render::kAllColourMaps) {
        const QString name = QString::fromUtf8(render::colourMapName(map));
        names << '&' + name.left(1).toUpper() + name.mid(1);
    }
    maps_ = exclusiveActions(names, this, [this](std::size_t i) {
        context_.document.look.change([&](Look& look) { look.map = render::kAllColourMaps[i]; });
    });
    mapMenu_->addActions(maps_);
    mapMenu_->addSeparator();
    // The action is only in this menu, so that its shortcut is disabled with the menu.
    QAction* next = mapMenu_->addAction(tr("&Next map"), this, [this] {
        context_.document.look.change([](Look& look) {
            const auto index = static_cast<std::size_t>(look.map) + 1;
            look.map = render::kAllColourMaps[index % render::kAllColourMaps.size()];
        });
    });
    next->setShortcut(Qt::Key_M);
    next->setToolTip(tr("Next colour map") + QStringLiteral(" (M)"));
}

void QuantityMenu::choose(Quantity quantity) {
    context_.document.look.set(withQuantity(context_.document.look.current(), quantity));
}

// Lists the names of the values in the files of opened meshes, one line each.
void QuantityMenu::listFileValues() {
    const std::vector<std::string> names = context_.document.opened.fileValueNames();
    fileValues_->menuAction()->setEnabled(!names.empty());
    fileValues_->menuAction()->setToolTip(action(Quantity::fileValues)->toolTip());
    const bool shown = context_.document.shownQuantity() == Quantity::fileValues;
    if (names != listed_) {
        listed_ = names;
        fileValues_->clear();
        for (const std::string& name : names) {
            QAction* line = fileValues_->addAction(QString::fromStdString(name).replace('&', "&&"));
            line->setCheckable(true);
            connect(line, &QAction::triggered, this, [this, name] {
                Look look = withQuantity(context_.document.look.current(), Quantity::fileValues);
                look.fileValues = name;
                context_.document.look.set(look);
                refresh();  // the click has unchecked a line that was already chosen
            });
        }
    }
    const QList<QAction*> lines = fileValues_->actions();
    for (std::size_t i = 0; i < names.size(); ++i)
        lines[static_cast<int>(i)]->setChecked(shown && names[i] == context_.document.fileValues());
}

void QuantityMenu::chooseNext(int step) {
    const auto count = static_cast<int>(quantities_.size());
    int index = static_cast<int>(context_.document.shownQuantity());
    for (int i = 0; i < count; ++i) {
        index = (index + step + count) % count;
        if (!quantities_[index]->isEnabled()) continue;
        choose(kAllQuantities[static_cast<std::size_t>(index)]);
        return;
    }
}

void QuantityMenu::refresh() {
    const Look& look = context_.document.look.current();
    for (const Quantity quantity : kAllQuantities) {
        const QuantityInfo info = quantityInfo(quantity);
        const QString reason = missingReason(context_.shown, quantity);
        action(quantity)->setEnabled(reason.isEmpty());
        action(quantity)->setChecked(quantity == context_.document.shownQuantity());
        const QString unit = info.unit.isEmpty() ? QString() : QStringLiteral(" · ") + info.unit;
        action(quantity)->setToolTip(reason.isEmpty() ? info.explanation + unit : reason);
    }
    listFileValues();
    const QuantityInfo info = shownQuantityInfo(context_.document);
    maps_[static_cast<int>(look.map)]->setChecked(true);
    // Signed values always have the diverging map and a linear scale.
    mapMenu_->setEnabled(!info.diverging);
    logarithmic_->setEnabled(!info.diverging);
    button_->setText(info.name + QStringLiteral(" ▾"));
    button_->setAccessibleName(tr("Colour: %1").arg(info.name));
}

QuantityMenu& addQuantityMenu(const FeatureContext& context) {
    return *new QuantityMenu(context);
}

}  // namespace threefold::ui
