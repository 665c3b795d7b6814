#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include <QFileDialog>
#include <QSettings>
#include <QString>
#include <QStringList>

namespace threefold::ui {

/// Calls `accepted` if no file exists or the user agrees to replace the existing files, else
/// `refused`. Checks the files in the background, asks window-modally over `parent`, and returns at
/// once. Calls neither function if `receiver` is destroyed first, or if `parent` is destroyed
/// before the question.
void askToReplace(QWidget& parent, const std::vector<std::filesystem::path>& files,
                  QObject& receiver, std::function<void()> accepted,
                  std::function<void()> refused = {});

/// Setting that holds the folder last used by a file dialog.
struct RememberedFolder {
    QSettings& settings;
    QString key;
};

/// Texts and start folder of a file dialog.
struct FileDialogOptions {
    QWidget& parent;
    QString title;
    QStringList filters = {};                         ///< such as "Pictures (*.png)"
    QString folder = {};                              ///< start folder; empty: the user's home
    std::optional<RememberedFolder> remembered = {};  ///< overrides `folder`
    QString name = {};                                ///< suggested name of a file to save
};

/// Receives the chosen path of askForFile() or askForFolder().
using FileChosen = std::function<void(const std::filesystem::path&)>;
/// Asks for an existing file by a window-modal dialog, which deletes itself when it closes. Returns
/// at once; calls `chosen` unless the user cancels or `receiver` is destroyed first.
QFileDialog& askForFile(const FileDialogOptions& options, const QObject& receiver,
                        FileChosen chosen);
/// Asks for an existing folder; for all else see askForFile().
QFileDialog& askForFolder(const FileDialogOptions& options, const QObject& receiver,
                          FileChosen chosen);
/// Asks for a file to write; for all else see askForFile(). Adds the chosen filter's suffix if the
/// user types none. Asks before replacing a file, whatever the platform's dialog does, and asks for
/// another file if the answer is no. `chosen` also receives the filter.
QFileDialog& askForSavePath(
    const FileDialogOptions& options, QObject& receiver,
    std::function<void(const std::filesystem::path&, const QString& filter)> chosen);

}  // namespace threefold::ui
