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

/// A button without a frame; the Tab key reaches it, a click leaves the focus where it is.
QToolButton* flatButton(const QString& text, const QString& tooltip, QWidget* parent,
                        const QString& accessibleName = {});

/// A label of a rank, see setRank().
QLabel* rankedLabel(const char* rank, QWidget* parent, const QString& text = {});

/// An empty menu that is gone once it is closed; with tooltips.
QMenu* passingMenu(QWidget* parent);

/// Actions for a menu, of which one is checked: one for each text. `chosen` gets the number of the
/// one that the user takes.
QList<QAction*> choicesOf(const QStringList& texts, QObject* parent,
                          std::function<void(std::size_t)> chosen);

/// What stands in a row or a column.
struct BoxItem {
    BoxItem(QWidget* shown, int share = 0) : widget(shown), stretch(share) {}
    BoxItem(QLayout* inner) : layout(inner) {}
    BoxItem(int pixels) : space(pixels) {}

    QWidget* widget = nullptr;
    QLayout* layout = nullptr;
    int stretch = 0;
    int space = 0;  ///< fixed, where neither is set; negative: grows
};
/// Room that grows.
inline constexpr int kGrowing = -1;

QBoxLayout* rowOf(std::initializer_list<BoxItem> items, int spacing = 8, QMargins margins = {});
QBoxLayout* columnOf(std::initializer_list<BoxItem> items, int spacing = 8, QMargins margins = {});

/// Shows all of its content up to a bound in one direction, and scrolls it there beyond.
class BoundedScroll : public QScrollArea {
    Q_OBJECT

  public:
    /// `bound`: the largest size in pixels that the content is shown at, asked at each layout.
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

/// One line of plain text, elided with "…" to the available width. The tooltip shows the whole text
/// unless another one is set.
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
