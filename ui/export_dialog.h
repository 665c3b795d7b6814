#pragma once

#include <QDialog>

#include "ui/mesh_export.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace threefold::ui {

/// Asks what to export and where, and names the files it will write.
class ExportDialog : public QDialog {
    Q_OBJECT

  public:
    ExportDialog(ResultRef result, const QString& folder, QWidget* parent = nullptr);

    ExportChoice choice() const;

  private:
    void refresh();
    void browse();

    ResultRef result_;
    QComboBox* format_;
    QComboBox* meshes_;
    QLineEdit* folder_;
    QLabel* files_;
    QPushButton* accept_;
};

}  // namespace threefold::ui
