#include "ui/style/translation.h"

#include <memory>

#include <QApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include "engine/error.h"
#include "engine/resources.h"

namespace threefold::ui {
namespace {

void install(QApplication& application, const QString& name, const QString& folder) {
    auto translator = std::make_unique<QTranslator>(&application);
    if (!translator->load(QLocale(), name, QStringLiteral("_"), folder)) return;
    QCoreApplication::installTranslator(translator.release());  // the application's child
}

}  // namespace

void installTranslations(QApplication& application) try {
    install(application, QStringLiteral("qtbase"),
            QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    install(application, QStringLiteral("threefold"),
            QString::fromStdString((resourceFolder() / "translations").string()));
} catch (const Error&) {
    // Missing resources are reported elsewhere.
}

}  // namespace threefold::ui
