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
#include <QScrollArea>
#include <QString>
#include <QStringList>
#include <QToolButton>

namespace threefold::ui {

/// Makes a button without a frame; takes the focus by Tab but not by a click.
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

/// Element of rowOf() or columnOf(): a widget, a layout or a space.
struct BoxItem {
    BoxItem(QWidget* content, int factor = 0) : widget(content), stretch(factor) {}
    BoxItem(QLayout* inner) : layout(inner) {}
    BoxItem(int pixels) : space(pixels) {}

    QWidget* widget = nullptr;
    QLayout* layout = nullptr;
    int stretch = 0;
    int space = 0;  ///< in pixels, if neither is set; negative: stretches
};
/// A BoxItem that takes the remaining space.
inline constexpr int kStretch = -1;

/// Make a horizontal or vertical layout of `items`. `spacing` and `margins` in pixels.
QBoxLayout* rowOf(std::initializer_list<BoxItem> items, int spacing = 8, QMargins margins = {});
QBoxLayout* columnOf(std::initializer_list<BoxItem> items, int spacing = 8, QMargins margins = {});

/// Shows its content in full up to a bound in one direction; scrolls larger content.
class BoundedScroll : public QScrollArea {
    Q_OBJECT

  public:
    /// `bound`: largest shown size of the content in pixels; called at each layout.
    BoundedScroll(QWidget* content, Qt::Orientation direction, std::function<int()> bound,
                  QWidget* parent = nullptr);

    QSize sizeHint() const override { return bounded(widget()->sizeHint()); }
    QSize minimumSizeHint() const override;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QSize bounded(QSize whole) const;

    Qt::Orientation direction_;
    std::function<int()> bound_;
};

/// A line of plain text, elided with "…" to the available width. The tooltip shows the whole text
/// unless another tooltip is set.
class ElidedLabel : public QLabel {
    Q_OBJECT

  public:
    explicit ElidedLabel(QWidget* parent = nullptr, Qt::TextElideMode mode = Qt::ElideRight);

    void setWholeText(const QString& text, const QString& tooltip = {});
    const QString& wholeText() const { return whole_; }

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override {
        return {fontMetrics().horizontalAdvance(whole_) + 2, fontMetrics().height()};
    }

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void fit() { setText(fontMetrics().elidedText(whole_, mode_, contentsRect().width())); }

    Qt::TextElideMode mode_;
    QString whole_;
};

}  // namespace threefold::ui
