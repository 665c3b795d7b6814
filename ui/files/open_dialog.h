#pragma once

#include <filesystem>
#include <vector>

#include <QFileDialog>

class QPushButton;
class QSettings;

namespace threefold::ui {

/// Dialog for anything that can be opened: files, or a folder by its own button. Uses Qt's dialog,
/// since native dialogs open either files or folders. Window-modal; remembers the folder; deletes
/// itself on closing.
class OpenDialog : public QFileDialog {
    Q_OBJECT

  public:
    OpenDialog(QWidget& parent, QSettings& settings);

  Q_SIGNALS:
    void chosen(const std::vector<std::filesystem::path>& files);

  private:
    void selectFolder(const QString& path);
    void openAll(const QStringList& files);

    QSettings& settings_;
    QPushButton* folder_;
    QString selectedFolder_;  ///< the folder that the button opens
};

}  // namespace threefold::ui
