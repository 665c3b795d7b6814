#include "ui/files/file_kinds.h"

#include <algorithm>
#include <array>

#include <QCoreApplication>
#include <QMimeData>
#include <QUrl>

#include "engine/formats/meshes/mesh_formats.h"
#include "engine/formats/pictures/picture_formats.h"
#include "engine/sample/test_list.h"
#include "ui/style/path_text.h"

namespace threefold::ui {
namespace {

struct FileKinds {
    Q_DECLARE_TR_FUNCTIONS(FileKinds)
};

constexpr std::array kImages{".png", ".jpg", ".jpeg", ".webp", ".heic", ".heif", ".avif"};

}  // namespace

FileKind fileKind(const std::filesystem::path& file) {
    const QString extension = QString::fromStdString(file.extension().string()).toLower();
    if (extension == QLatin1String(".threefold")) return FileKind::session;
    if (extension == QLatin1String(".dat")) return FileKind::truth;
    if (extension == QLatin1String(".safetensors")) return FileKind::model;
    if (isTestList(file) && file.filename() != "points3D.txt") return FileKind::list;
    if (isPictureName(file)) return FileKind::image;
    return looksLikeMeshFile(file) ? FileKind::mesh : FileKind::sample;
}

QString meshFilePatterns() {
    QStringList patterns;
    for (const std::string& extension : meshExtensions())
        patterns << QStringLiteral("*%1").arg(QString::fromStdString(extension));
    return patterns.join(' ');
}

QString imageFilePatterns() {
    QStringList patterns;
    for (const char* image : kImages) {
        const QString pattern = QStringLiteral("*%1").arg(QLatin1String(image));
        patterns << pattern << pattern.toUpper();
    }
    return patterns.join(' ');
}

std::vector<std::filesystem::path> filesOf(const QMimeData& data) {
    std::vector<std::filesystem::path> files;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile()) files.emplace_back(url.toLocalFile().toStdString());
    return files;
}

QString dropHint(const std::vector<std::filesystem::path>& files, FileRole role, bool hasResult) {
    if (files.empty()) return {};
    const auto count = [&](FileKind kind) { return std::ranges::count(files, kind, fileKind); };
    const auto has = [&](FileKind kind) { return count(kind) > 0; };
    // OpenedFiles::open() opens a session alone.
    if (has(FileKind::session)) return FileKinds::tr("Drop to restore the session");
    const bool hasPoints = has(FileKind::mesh) || has(FileKind::truth);
    const bool replacesTruth = has(FileKind::truth) && hasResult;
    if (replacesTruth || (hasPoints && role == FileRole::truth))
        return FileKinds::tr("Drop as truth");
    if (has(FileKind::model)) return FileKinds::tr("Drop to load this model");
    if (has(FileKind::list)) return FileKinds::tr("Drop to evaluate this list");
    // Without a result, a pickle is opened as the sample that it belongs to.
    const bool hasSample = has(FileKind::sample) || has(FileKind::truth);
    if (count(FileKind::image) > 1 && !hasSample) return FileKinds::tr("Drop to use these images");
    const auto meshes = count(FileKind::mesh);
    if (meshes > 1 && meshes == std::ssize(files) && !hasResult) {
        if (meshes > 2)
            return FileKinds::tr("Drop to compare %1 meshes against %2")
                .arg(QString::number(meshes - 1), fileName(files.back()));
        return FileKinds::tr("Drop to compare %1 against %2")
            .arg(fileName(files.front()), fileName(files.back()));
    }
    if (hasResult && has(FileKind::mesh) && !has(FileKind::sample) && !has(FileKind::image))
        return FileKinds::tr("Drop to compare · with Shift: as truth");
    return FileKinds::tr("Drop to open");
}

}  // namespace threefold::ui
