#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTimer>

#include "ui/batch/batch_session.h"
#include "ui/style/path_text.h"

namespace threefold::ui {

/// Dialog that asks which samples to evaluate, how, and where the results go. Keeps the choices in
/// the settings. Checks the output folder while the user types: an evaluation found there is
/// continued or started over.
class BatchDialog : public QDialog {
    Q_OBJECT

  public:
    BatchDialog(QSettings& settings, QWidget* parent = nullptr);

    void setSource(const std::filesystem::path& source) { source_->setText(pathText(source)); }
    /// The choices, without BatchPlan::fallbackImageRoot.
    BatchPlan plan() const;

    // For tests.
    /// Whether the output folder has been checked.
    bool isUpToDate() const { return finishedCheck_ == requestedCheck_; }
    QString note() const { return note_->isHidden() ? QString() : note_->text(); }

  private:
    /// Choice kept in the settings: a Qt property of its field.
    struct Setting {
        const char* key;
        QWidget* field;
        const char* property;
    };

    QWidget* fileField(QLineEdit& field, bool allowsList, const QString& title);
    void addSamples(QFormLayout& form);
    void addMeasures(QFormLayout& form);
    void addOutput(QFormLayout& form);
    void connectFields();
    /// The views that the network sees; empty: the default views of each sample; nullopt: the text
    /// is not a list of 2 to 8 different numbers.
    std::optional<std::vector<int>> chosenViews() const;
    void browse(QLineEdit& field, bool list, const QString& title);
    std::vector<Setting> settings() const;
    void restore();
    void saveChoices();
    std::optional<FitRequest> chosenFit() const;
    void checkOutput();
    void refresh();

    QSettings& settings_;
    QLineEdit* source_;
    QLineEdit* images_;
    QLineEdit* truths_;
    QComboBox* protocol_;
    QCheckBox* earthMovers_;
    QComboBox* fit_;
    QSpinBox* fitNumber_;
    QComboBox* fitSurface_;
    QLineEdit* views_;
    QLineEdit* output_;
    QLabel* note_;
    QCheckBox* overwrite_;
    QCheckBox* meshes_;
    QPushButton* accept_ = nullptr;

    QTimer checkTimer_;  ///< checks the folder after typing, and repeatedly while a run holds it
    int requestedCheck_ = 0;
    int finishedCheck_ = 0;
    std::optional<FoundRun> foundRun_;
    QString problem_;  ///< of the output folder
};

}  // namespace threefold::ui
