#pragma once

#include <filesystem>
#include <set>
#include <vector>

#include <QWidget>

#include "ui/document/newest_task.h"
#include "ui/input/data_set_model.h"
#include "ui/input/data_set_tree.h"
#include "ui/input/thumbnails.h"
#include "ui/style/elided_label.h"

class QLabel;
class QLineEdit;
class QToolButton;

namespace threefold::ui {

/// Browser of a data set: search field, categories, samples. Scans and decodes pictures on other
/// threads.
class DataSetBrowser : public QWidget {
    Q_OBJECT

  public:
    explicit DataSetBrowser(QWidget* parent = nullptr);

    /// Scans `root` in the background.
    void setRoot(const std::filesystem::path& root);
    const std::filesystem::path& root() const { return root_; }

    /// Marks the open sample and scrolls to it.
    void setOpen(const std::filesystem::path& sampleFolder);
    /// Chooses the matching sample before (−1) or after (1) the current or open sample. Past either
    /// end, does nothing.
    void step(int step);
    /// Folder of the sample that step() would choose; empty: none.
    std::filesystem::path neighbour(int step) const {
        return model_.folderOf(neighbourIndex(step));
    }

    DataSetModel& model() { return model_; }
    const DataSetThumbnails& thumbnails() const { return thumbnails_; }
    bool isScanning() const { return scanning_; }

    QSize minimumSizeHint() const override;  ///< does not change during a scan

  Q_SIGNALS:
    void sampleChosen(const std::filesystem::path& folder);
    void dataSetRequested();  ///< "Open…" was clicked
    void firstFound();        ///< a scan has found its first samples
    /// A scan has ended early; the samples found so far stay.
    void failed(const threefold::ErrorReport& report);

  private:
    void filter(const QString& words);
    void scan();
    void append(std::vector<DataSetSample> samples);
    void revealOpen();
    void refreshCounts();
    void choose(const QModelIndex& sample);
    QModelIndex neighbourIndex(int step) const;

    std::filesystem::path root_;
    DataSetModel model_;
    DataSetThumbnails thumbnails_;
    NewestTask scanTask_;
    int scanNumber_ = 0;  // of the newest scan, from 1
    bool scanning_ = false;
    std::set<QString> unfolded_;       // titles of unfolded categories, restored after a search
    bool isFoldingByProgram_ = false;  // while the program, not the user, folds rows
    bool revealsOpen_ = true;          // until the open sample was revealed once

    QLabel* count_;
    ElidedLabel* name_;
    QToolButton* other_;
    QLineEdit* search_;
    DataSetTree* tree_;
    QWidget* progress_;
    QLabel* progressText_;
};

}  // namespace threefold::ui
