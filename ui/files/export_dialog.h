#pragma once

#include <string>
#include <utility>
#include <vector>

#include <QDialog>

#include "ui/files/mesh_export.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace threefold::ui {

/// Asks which meshes to export, in which format, where and under which name; lists the files it
/// will write and asks before it replaces any. Not modal: follows what the window shows. Remembers
/// the last choice except the name.
class ExportDialog : public QDialog {
    Q_OBJECT

  public:
    ExportDialog(const Document& document, QSettings& settings, QWidget* parent = nullptr);

    ExportChoice choice() const;
    void accept() override;

  private:
    void suggestName();
    void refresh();
    void browse();
    void restore();
    void keep();

    const Document& document_;
    QSettings& settings_;
    QComboBox* format_;
    std::vector<std::pair<std::string, QCheckBox*>> meshes_;  // by exportableMeshes()
    QComboBox* space_;
    QCheckBox* coloured_;
    QLineEdit* name_;
    QString suggested_;
    QLineEdit* folder_;
    QLabel* files_;
    QPushButton* accept_;
};

}  // namespace threefold::ui
