#pragma once

#include <optional>

#include <QDialog>
#include <QTimer>

#include "ui/batch/batch_plan.h"
#include "ui/batch/found_run.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSettings;
class QToolButton;

namespace threefold::ui {

/// Asks which items to evaluate, how, and where the results go. It keeps the choices in the
/// settings, and looks at the output folder while a person types: a run that is there is gone on
/// with, or begun anew.
class BatchDialog : public QDialog {
    Q_OBJECT

  public:
    BatchDialog(QSettings& settings, QWidget* parent = nullptr);

    void setSource(const std::filesystem::path& source);
    /// What is chosen, but for BatchPlan::dataSet.
    BatchPlan plan() const;

    QLineEdit& source() { return *source_; }
    QLineEdit& output() { return *output_; }
    QComboBox& protocol() { return *protocol_; }
    QCheckBox& again() { return *again_; }
    /// The output folder has been looked at.
    bool upToDate() const { return looked_ == asked_; }
    QString note() const;
    QPushButton& acceptButton() { return *accept_; }

  private:
    QWidget* fileField(QLineEdit& field, bool lists, const QString& title);
    void addItems(QFormLayout& form);
    void addMeasures(QFormLayout& form);
    void addOutput(QFormLayout& form);
    void browse(QLineEdit& field, bool list, const QString& title);
    void restore();
    void keep();
    void look();
    void refresh();

    QSettings& settings_;
    QLineEdit* source_;
    QLineEdit* images_;
    QLineEdit* truths_;
    QComboBox* protocol_;
    QCheckBox* earthMovers_;
    QLineEdit* output_;
    QLabel* note_;
    QCheckBox* again_;
    QCheckBox* meshes_;
    QPushButton* accept_ = nullptr;

    QTimer soon_;  ///< a look when the typing rests
    int asked_ = 0;
    int looked_ = 0;
    std::optional<FoundRun> found_;
    QString problem_;  ///< of the output folder
};

}  // namespace threefold::ui
