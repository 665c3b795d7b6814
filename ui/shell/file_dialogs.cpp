#include "ui/shell/file_dialogs.h"

#include <system_error>

#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QStandardPaths>

#include "ui/document/background.h"
#include "ui/style/path_text.h"

namespace threefold::ui {
namespace {

namespace fs = std::filesystem;

struct ReplaceQuestion {
    Q_DECLARE_TR_FUNCTIONS(ReplaceQuestion)
};

std::vector<fs::path> existing(const std::vector<fs::path>& files) {
    std::vector<fs::path> existingFiles;
    for (const fs::path& file : files) {
        std::error_code unknown;  // writing reports the error
        if (fs::exists(file, unknown)) existingFiles.push_back(file);
    }
    return existingFiles;
}

void ask(QWidget& parent, const std::vector<fs::path>& files, QObject& receiver,
         std::function<void()> accepted, std::function<void()> refused) {
    QStringList names;
    for (const fs::path& file : files) names << fileName(file);
    const QString folder = pathText(files.front().parent_path());
    const QString text = files.size() == 1
                             ? ReplaceQuestion::tr("This file exists in %1. Replace it?")
                             : ReplaceQuestion::tr("These files exist in %1. Replace them?");
    auto* box = new QMessageBox(QMessageBox::Warning, ReplaceQuestion::tr("Replace files"),
                                text.arg(folder), QMessageBox::Cancel, &parent);
    box->setObjectName(QStringLiteral("replaceQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(names.join('\n'));
    QAbstractButton* replace =
        box->addButton(ReplaceQuestion::tr("&Replace"), QMessageBox::AcceptRole);
    box->setDefaultButton(QMessageBox::Cancel);
    box->setEscapeButton(QMessageBox::Cancel);
    QObject::connect(box, &QMessageBox::finished, &receiver,
                     [box, replace, accepted = std::move(accepted), refused = std::move(refused)] {
                         const auto& answer = box->clickedButton() == replace ? accepted : refused;
                         if (answer) answer();
                     });
    box->open();
}

using Answer = std::function<void(const fs::path& file, const QString& filter)>;

/// "png" of "Pictures (*.png)".
QString suffixOf(const QString& filter) {
    return filter.section(QStringLiteral("*."), 1).section(QLatin1Char(')'), 0, 0);
}

QFileDialog& ask(const FileDialogOptions& options, QFileDialog::FileMode mode,
                 const QObject& receiver, Answer answer) {
    auto* dialog = new QFileDialog(&options.parent, options.title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(mode);
    dialog->setOption(QFileDialog::ShowDirsOnly, mode == QFileDialog::Directory);
    if (!options.filters.isEmpty()) dialog->setNameFilters(options.filters);
    if (mode == QFileDialog::AnyFile) {
        dialog->setAcceptMode(QFileDialog::AcceptSave);
        // Native dialogs would ask about the name without its default suffix.
        dialog->setOption(QFileDialog::DontConfirmOverwrite);
        dialog->setDefaultSuffix(suffixOf(options.filters.value(0)));
        QObject::connect(
            dialog, &QFileDialog::filterSelected, dialog,
            [dialog](const QString& filter) { dialog->setDefaultSuffix(suffixOf(filter)); });
    }
    QString folder = options.folder;
    if (folder.isEmpty()) folder = QStandardPaths::writableLocation(QStandardPaths::HomeLocation);
    const std::optional<RememberedFolder>& remembered = options.remembered;
    if (remembered) folder = remembered->settings.value(remembered->key, folder).toString();
    dialog->setDirectory(folder);
    if (!options.name.isEmpty()) dialog->selectFile(options.name);
    QObject::connect(dialog, &QFileDialog::filesSelected, &receiver,
                     [dialog, remembered, answer = std::move(answer)](const QStringList& files) {
                         if (files.isEmpty()) return;
                         if (remembered)
                             remembered->settings.setValue(remembered->key,
                                                           QFileInfo(files.first()).absolutePath());
                         answer(files.first().toStdString(), dialog->selectedNameFilter());
                     });
    dialog->open();
    return *dialog;
}

Answer withoutFilter(FileChosen chosen) {
    return [chosen = std::move(chosen)](const fs::path& file, const QString&) { chosen(file); };
}

}  // namespace

void askToReplace(QWidget& parent, const std::vector<fs::path>& files, QObject& receiver,
                  std::function<void()> accepted, std::function<void()> refused) {
    const QPointer<QWidget> guard(&parent);
    const auto answer = [guard, &receiver, accepted = std::move(accepted),
                         refused = std::move(refused)](const std::vector<fs::path>& existingFiles) {
        if (existingFiles.empty()) {
            accepted();
        } else if (guard) {
            ask(*guard, existingFiles, receiver, accepted, refused);
        }
    };
    inBackground(
        &receiver, [files] { return existing(files); }, answer, [](const ErrorReport&) {});
}

QFileDialog& askForFile(const FileDialogOptions& options, const QObject& receiver,
                        FileChosen chosen) {
    return ask(options, QFileDialog::ExistingFile, receiver, withoutFilter(std::move(chosen)));
}

QFileDialog& askForFolder(const FileDialogOptions& options, const QObject& receiver,
                          FileChosen chosen) {
    return ask(options, QFileDialog::Directory, receiver, withoutFilter(std::move(chosen)));
}

QFileDialog& askForSavePath(const FileDialogOptions& options, QObject& receiver, Answer chosen) {
    return ask(options, QFileDialog::AnyFile, receiver,
               [options, &receiver, chosen = std::move(chosen)](const fs::path& file,
                                                                const QString& filter) {
                   FileDialogOptions again = options;
                   again.name = fileName(file);
                   askToReplace(
                       options.parent, {file}, receiver,
                       [chosen, file, filter] { chosen(file, filter); },
                       [again, &receiver, chosen] { askForSavePath(again, receiver, chosen); });
               });
}

}  // namespace threefold::ui
