#include "ui/shell/replace_question.h"

#include <system_error>
#include <utility>

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

#include "ui/document/background.h"

namespace threefold::ui {
namespace {

namespace fs = std::filesystem;

struct ReplaceQuestion {
    Q_DECLARE_TR_FUNCTIONS(ReplaceQuestion)
};

std::vector<fs::path> existing(const std::vector<fs::path>& files) {
    std::vector<fs::path> found;
    for (const fs::path& file : files) {
        std::error_code unknown;  // writing reports the error
        if (fs::exists(file, unknown)) found.push_back(file);
    }
    return found;
}

void ask(QWidget& parent, const std::vector<fs::path>& files, QObject& receiver,
         std::function<void()> go, std::function<void()> stay) {
    QStringList names;
    for (const fs::path& file : files) names << QString::fromStdString(file.filename().string());
    const QString folder = QString::fromStdString(files.front().parent_path().string());
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
                     [box, replace, go = std::move(go), stay = std::move(stay)] {
                         const auto& answer = box->clickedButton() == replace ? go : stay;
                         if (answer) answer();
                     });
    box->open();
}

}  // namespace

void askToReplace(QWidget& parent, const std::vector<fs::path>& files, QObject& receiver,
                  std::function<void()> go, std::function<void()> stay) {
    const QPointer<QWidget> over(&parent);
    const auto answer = [over, &receiver, go = std::move(go),
                         stay = std::move(stay)](const std::vector<fs::path>& found) {
        if (found.empty()) {
            go();
        } else if (over) {
            ask(*over, found, receiver, go, stay);
        }
    };
    inBackground(
        &receiver, [files] { return existing(files); }, answer, [](const ErrorReport&) {});
}

}  // namespace threefold::ui
