#pragma once

#include <filesystem>
#include <set>

#include <QWidget>

#include "ui/input/dataset_model.h"
#include "ui/input/dataset_scan.h"
#include "ui/input/dataset_thumbnails.h"

class QLabel;
class QLineEdit;
class QToolButton;

namespace threefold::ui {

class DatasetTree;
class ElidedLabel;

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

    DatasetModel& model() { return model_; }
    DatasetTree& tree() { return *tree_; }
    QLineEdit& search() { return *search_; }
    const DatasetThumbnails& thumbnails() const { return thumbnails_; }
    bool scanning() const { return scan_.running(); }

    QSize minimumSizeHint() const override;  ///< the same while it scans

  Q_SIGNALS:
    void itemChosen(const std::filesystem::path& folder);
    void rootWanted();  ///< the user wants another data set

  private:
    void filter(const QString& words);
    void append(std::vector<DataSetItem> items);
    void restoreFolds();
    void revealOpen();
    void refreshCounts();
    void choose(const QModelIndex& item);

    std::filesystem::path root_;
    DatasetModel model_;
    DatasetScan scan_;
    DatasetThumbnails thumbnails_;
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

}  // namespace threefold::ui
