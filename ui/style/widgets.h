#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>

#include <QAction>
#include <QBoxLayout>
#include <QLabel>
#include <QList>
#include <QMargins>
#include <QMenu>
#include <QString>
#include <QStringList>
#include <QToolButton>

namespace threefold::ui {

/// Sets the name by which findChild() finds `object`; returns `object`.
template <class Object>
Object* named(Object* object, const char* name) {
    object->setObjectName(QLatin1String(name));
    return object;
}

/// Makes a button without a frame, which takes the focus by Tab but not by a click.
QToolButton* flatButton(const QString& text, const QString& tooltip, QWidget* parent,
                        const QString& accessibleName = {});

/// Makes a label with a role, see setTextRole().
QLabel* roleLabel(const char* role, QWidget* parent, const QString& text = {});

/// Makes an empty menu that deletes itself when closed and shows tooltips.
QMenu* transientMenu(QWidget* parent);

/// Makes exclusive checkable actions, one for each text. `chosen` receives the index of the action
/// that the user triggers.
QList<QAction*> exclusiveActions(const QStringList& texts, QObject* parent,
                                 std::function<void(std::size_t)> chosen);

/// Element of rowOf() or columnOf(): a widget, a layout, a space or a stretch.
struct BoxItem {
    BoxItem(QWidget* content) : widget(content) {}
    BoxItem(QLayout* inner) : layout(inner) {}

    QWidget* widget = nullptr;
    QLayout* layout = nullptr;
    int space = 0;          ///< in pixels; used without widget, layout and stretch
    int stretchFactor = 0;  ///< of the widget or, without widget and layout, of empty space

  private:
    BoxItem() = default;
    friend BoxItem spacing(int pixels);
    friend BoxItem stretch();
};
BoxItem spacing(int pixels);  ///< a fixed space
BoxItem stretch();            ///< a space that takes the room that the other items leave
/// A widget that takes the remaining space; several such widgets share the space by their factors.
BoxItem stretched(QWidget* widget, int factor = 1);

/// Make a horizontal or vertical layout of `items`. `spacing` and `margins` in pixels.
QBoxLayout* rowOf(std::initializer_list<BoxItem> items, int spacing = 8, QMargins margins = {});
QBoxLayout* columnOf(std::initializer_list<BoxItem> items, int spacing = 8, QMargins margins = {});

}  // namespace threefold::ui
