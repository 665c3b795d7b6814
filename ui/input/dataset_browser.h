#pragma once

#include <filesystem>
#include <set>

#include <QObject>
#include <QTreeView>
#include <QWidget>

#include "ui/document/background.h"
#include "ui/input/dataset_model.h"
#include "ui/input/thumbnails.h"
#include "ui/shell/window_parts.h"

class QLineEdit;

namespace threefold::ui {

class InputPanel;

/// The list of a DatasetModel. A click on a category folds it; a click or Enter on an item opens
/// it.
class DatasetTree : public QTreeView {
    Q_OBJECT

  public:
    /// `thumbnails` must outlive it.
    explicit DatasetTree(DatasetThumbnails& thumbnails, QWidget* parent = nullptr);

    /// Shown in the middle while there are no rows.
    void setEmptyText(const QString& text);

  Q_SIGNALS:
    void itemChosen(const QModelIndex& index);

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void drawBranches(QPainter*, const QRect&, const QModelIndex&) const override {}

  private:
    void choose(const QModelIndex& index);

    QString emptyText_;
};

/// A data set to browse: search field, categories, items. Other threads scan and decode pictures.
class DatasetBrowser : public QWidget {
    Q_OBJECT

  public:
    explicit DatasetBrowser(QWidget* parent = nullptr);

    /// Scans `root`.
    void setRoot(const std::filesystem::path& root);
    const std::filesystem::path& root() const { return root_; }

    /// Marks the item that the window shows and scrolls to it.
    void setOpen(const std::filesystem::path& itemFolder);
    /// Chooses the matching item before (−1) or after (1) the current or open one, if there is one.
    void step(int step);
    /// The folder of that item; empty if there is none.
    std::filesystem::path neighbour(int step) const {
        return model_.folderOf(neighbourIndex(step));
    }

    DatasetModel& model() { return model_; }
    DatasetTree& tree() { return *tree_; }
    QLineEdit& search() { return *search_; }
    const DatasetThumbnails& thumbnails() const { return thumbnails_; }
    bool scanning() const { return scanning_; }

    QSize minimumSizeHint() const override;  ///< the same while it scans

  Q_SIGNALS:
    void itemChosen(const std::filesystem::path& folder);
    void rootWanted();  ///< the user wants another data set
    void firstFound();  ///< of a scan, the first items are there

  private:
    void filter(const QString& words);
    void scan();
    void append(std::vector<DataSetItem> items);
    void revealOpen();
    void refreshCounts();
    void choose(const QModelIndex& item);
    QModelIndex neighbourIndex(int step) const;

    std::filesystem::path root_;
    DatasetModel model_;
    DatasetThumbnails thumbnails_;
    NewestRequest scan_;
    int scans_ = 0;  // begun so far
    bool scanning_ = false;
    std::set<QString> unfolded_;  // titles of categories, while nothing is searched for
    bool folding_ = false;        // the program folds, not the user
    bool followOpen_ = true;      // until the open item was revealed once

    QLabel* count_;
    ElidedLabel* name_;
    QToolButton* other_;
    QLineEdit* search_;
    DatasetTree* tree_;
    QWidget* progress_;
    QLabel* progressText_;
};

/// The data set browser below the input panel and its commands. Remembers the folder; by default
/// that of the bundled samples.
class DatasetFeature : public QObject {
    Q_OBJECT

  public:
    DatasetFeature(const WindowParts& parts, InputPanel& input);

    DatasetBrowser& browser() { return *browser_; }
    /// Browses `folder` and remembers it; `opensFirst`: opens its first item where nothing is
    /// shown.
    void openDataSet(const std::filesystem::path& folder, bool opensFirst = false);

  private:
    void askForDataSet();
    /// Browses a folder that could not be opened as a sample if it is a data set.
    void tryAsDataSet(const std::filesystem::path& folder);
    void readAhead();

    WindowParts parts_;
    InputPanel& input_;
    DatasetBrowser* browser_;
    NewestRequest ahead_;
    bool opensFirst_ = false;
};

}  // namespace threefold::ui
