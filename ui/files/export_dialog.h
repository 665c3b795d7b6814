#pragma once

#include <string>
#include <utility>
#include <vector>

#include <QDialog>

#include "ui/files/mesh_export.h"

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace threefold::ui {

/// Dialog that asks which meshes to export, in which format, where and under which name. Lists the
/// files to write and asks before replacing any. Not modal: follows the document. Remembers the
/// last choice except the name.
class ExportDialog : public QDialog {
    Q_OBJECT

  public:
    ExportDialog(const ShownValues& shown, QSettings& settings, QWidget* parent = nullptr);

    ExportChoice choice() const;
    void accept() override;

  private:
    void addChoices(const MeshMorph& morph);
    void layOut();
    void connectFields();
    void suggestName();
    void refresh();
    void browse();
    /// Restores the last choice. `resultName`: the mesh to choose if none of the stored ones
    /// exists.
    void restore(const std::string& resultName);
    void saveChoice();

    const ShownValues shown_;
    const Document& document_;
    QSettings& settings_;
    QComboBox* format_;
    // Name and box, in the order of exportableMeshes().
    std::vector<std::pair<std::string, QCheckBox*>> meshes_;
    QComboBox* space_;
    QCheckBox* coloured_;
    QLineEdit* name_;
    QString suggested_;
    QLineEdit* folder_;
    QToolButton* browse_;
    QLabel* files_;
    QDialogButtonBox* buttons_;
    QPushButton* accept_ = nullptr;
};

}  // namespace threefold::ui
