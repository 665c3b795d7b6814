#pragma once

#include <utility>
#include <vector>

#include <QDialog>
#include <QStringList>

#include "ui/files/mesh_export.h"

class QBoxLayout;
class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace threefold::ui {

/// Dialog that asks which meshes to export, in which format, where and under which name. Lists the
/// files to write and asks before replacing any. Not modal: follows the document, with a box for
/// each opened mesh. Remembers the last choice except the name.
class ExportDialog : public QDialog {
    Q_OBJECT

  public:
    ExportDialog(const ShownDocument& shown, QSettings& settings, QWidget* parent = nullptr);

    ExportChoice choice() const;
    void accept() override;

  private:
    using MeshBox = std::pair<ExportedMesh, QCheckBox*>;

    void addChoices();
    void layOut();
    /// Shows a box for each of exportableMeshes(), with its current name.
    void updateMeshes();
    /// Makes the missing boxes, and deletes the boxes of all other meshes.
    void makeBoxes(const std::vector<ExportedMesh>& meshes);
    void connectFields();
    void suggestName();
    void refresh();
    void browse();
    /// Restores the last choice; chooses exportableMeshAtSlider() if none of the stored meshes
    /// exists.
    void restore();
    void saveChoice();

    const ShownDocument shown_;
    const Document& document_;
    QSettings& settings_;
    QComboBox* format_;
    QBoxLayout* meshColumn_;
    std::vector<MeshBox> meshes_;  // in the order of exportableMeshes()
    QStringList stored_;           // ExportedMesh::name() of the last choice
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
