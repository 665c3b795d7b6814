#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include <QFileDialog>
#include <QSettings>
#include <QString>
#include <QStringList>

namespace threefold::ui {

/// Calls `go` if none of the files exists, or the user agrees to replace those that do; else
/// `stay`. Looks in the background, asks window-modally over `parent`, and returns at once. Calls
/// neither once `parent` or `receiver` is gone.
void askToReplace(QWidget& parent, const std::vector<std::filesystem::path>& files,
                  QObject& receiver, std::function<void()> go, std::function<void()> stay = {});

/// Texts of a file dialog and where it starts.
struct FileQuestion {
    QWidget& parent;
    QString title;
    QStringList filters = {};       ///< such as "Pictures (*.png)"
    QString folder = {};            ///< to start in; empty: the user's home
    QSettings* settings = nullptr;  ///< null: the folder is not remembered
    QString folderKey = {};         ///< setting of the last folder used; goes before `folder`
    QString name = {};              ///< suggested for a file to save
};

/// Each shows a window-modal dialog, returns at once and calls `chosen` unless the user cancels or
/// `receiver` is destroyed first. The dialog deletes itself when it closes.
using FileChosen = std::function<void(const std::filesystem::path&)>;
QFileDialog& askForFile(const FileQuestion& question, const QObject& receiver, FileChosen chosen);
QFileDialog& askForFolder(const FileQuestion& question, const QObject& receiver, FileChosen chosen);
/// A file to write, with the suffix of the chosen filter if the user types none. Asks before a file
/// is replaced, whatever the platform's dialog does, and asks for another file if the answer is no.
/// `chosen` also gets that filter.
QFileDialog& askWhereToSave(
    const FileQuestion& question, QObject& receiver,
    std::function<void(const std::filesystem::path&, const QString& filter)> chosen);

}  // namespace threefold::ui
