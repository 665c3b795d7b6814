#pragma once

#include <map>

#include <QImage>
#include <QWidget>

#include "ui/result.h"
#include "ui/thumbnails.h"
#include "ui/view_selection.h"

class QLabel;

namespace threefold::ui {

class ViewSlots;
class ViewStrip;

/// The left side: the item, the slots of the chosen views, and all of its views.
class InputPanel : public QWidget {
    Q_OBJECT

  public:
    explicit InputPanel(QWidget* parent = nullptr);

    /// Shows an item; its thumbnails arrive one by one. `sample` may be null: nothing is open.
    void show(const SampleRef& sample, const ViewSelection& selection);

    const SampleRef& sample() const { return sample_; }
    const ViewSelection& selection() const { return selection_; }
    ViewSlots& viewSlots() { return *slots_; }
    ViewStrip& strip() { return *strip_; }

  Q_SIGNALS:
    /// The user put a view into a slot. `swapped`: it had stood in another one.
    void viewsChanged(const std::vector<int>& views, bool swapped);

  private:
    void choose(int view);
    void refresh();

    SampleRef sample_;
    ViewSelection selection_;
    std::map<int, QImage> images_;
    QLabel* item_;
    QLabel* stripHeading_;
    ViewSlots* slots_;
    ViewStrip* strip_;
    Thumbnails thumbnails_;
};

}  // namespace threefold::ui
