#pragma once

#include <filesystem>
#include <vector>

#include <QFileDialog>

class QPushButton;
class QSettings;

namespace threefold::ui {

/// Asks for anything that can be opened: files, or a folder by a button of its own. Uses Qt's
/// dialog, since platforms' dialogs open either files or folders. Window-modal; remembers the
/// folder; deletes itself when it closes.
class OpenDialog : public QFileDialog {
    Q_OBJECT

  public:
    OpenDialog(QWidget& parent, QSettings& settings);

  Q_SIGNALS:
    void chosen(const std::vector<std::filesystem::path>& files);

  private:
    void mark(const QString& path);
    void openAll(const QStringList& files);

    QSettings& settings_;
    QPushButton* folder_;
    QString marked_;  ///< the folder that the button opens
};

}  // namespace threefold::ui
