#include "ui/files/open_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QFileSystemModel>
#include <QHeaderView>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStandardPaths>
#include <QTreeView>
#include <QUrl>

#include "engine/error.h"
#include "engine/resources.h"
#include "ui/files/file_kinds.h"
#include "ui/style/path_text.h"

namespace threefold::ui {
namespace {

const QString kOpenFolderKey = QStringLiteral("files/openFolder");

QString filterOf(const QString& name, const QString& patterns) {
    return QStringLiteral("%1 (%2)").arg(name, patterns);
}

QList<QUrl> standardFolderUrls() {
    QList<QUrl> urls;
    for (const auto location : {QStandardPaths::HomeLocation, QStandardPaths::PicturesLocation}) {
        const QString folder = QStandardPaths::writableLocation(location);
        if (QDir(folder).exists()) urls << QUrl::fromLocalFile(folder);
    }
    try {
        urls << QUrl::fromLocalFile(pathText(bundledSamplesFolder()));
    } catch (const Error&) {
        // The program is installed without samples.
    }
    return urls;
}

}  // namespace

OpenDialog::OpenDialog(QWidget& parent, QSettings& settings)
    : QFileDialog(&parent, tr("Open")), settings_(settings), folder_(new QPushButton(this)) {
    setObjectName(QStringLiteral("openFiles"));
    setAttribute(Qt::WA_DeleteOnClose);
    setOption(QFileDialog::DontUseNativeDialog);
    setOption(QFileDialog::HideNameFilterDetails);
    setFileMode(QFileDialog::ExistingFiles);
    setSidebarUrls(standardFolderUrls());
    const QString meshes = meshFilePatterns();
    const QString images = imageFilePatterns();
    const QString cameras = QStringLiteral(" *.txt *.json *.sfm *.xml *.npz *.npy *.out");
    const QString others = QStringLiteral("*.dat *.threefold *.safetensors") + cameras;
    setNameFilters({filterOf(tr("All supported files"), meshes + ' ' + images + ' ' + others),
                    filterOf(tr("Meshes and points"), meshes),
                    filterOf(tr("Photographs and cameras"), images + cameras),
                    filterOf(tr("Truths"), QStringLiteral("*.dat ") + meshes),
                    filterOf(tr("Sessions"), QStringLiteral("*.threefold")),
                    filterOf(tr("Test lists"), QStringLiteral("*.txt")),
                    filterOf(tr("Models"), QStringLiteral("*.safetensors")),
                    filterOf(tr("All files"), QStringLiteral("*"))});
    folder_->setToolTip(
        tr("Open this folder: a sample, photographs with their cameras, or a data "
           "set"));
    folder_->setAutoDefault(false);
    if (auto* buttons = findChild<QDialogButtonBox*>(QStringLiteral("buttonBox")))
        buttons->addButton(folder_, QDialogButtonBox::ActionRole);

    connect(this, &QFileDialog::currentChanged, this, &OpenDialog::selectFolder);
    // directoryEntered() is not emitted for a typed folder.
    if (auto* files = findChild<QFileSystemModel*>())
        connect(files, &QFileSystemModel::rootPathChanged, this, &OpenDialog::selectFolder);
    connect(this, &QFileDialog::filesSelected, this, &OpenDialog::openAll);
    connect(folder_, &QPushButton::clicked, this, [this] {
        openAll({selectedFolder_});
        done(QDialog::Accepted);
    });
    const QString home = QStandardPaths::writableLocation(QStandardPaths::HomeLocation);
    setDirectory(settings.value(kOpenFolderKey, home).toString());
    selectFolder(directory().absolutePath());
    constexpr QSize kDefaultSize(960, 600);
    constexpr int kSidebarWidth = 160;
    resize(kDefaultSize);
    constexpr int kSizeColumn = 1;
    if (auto* files = findChild<QTreeView*>(QStringLiteral("treeView")))
        files->header()->setSectionResizeMode(kSizeColumn, QHeaderView::ResizeToContents);
    if (auto* splitter = findChild<QSplitter*>())
        splitter->setSizes({kSidebarWidth, kDefaultSize.width() - kSidebarWidth});
}

void OpenDialog::selectFolder(const QString& path) {
    selectedFolder_ = QFileInfo(path).isDir() ? path : directory().absolutePath();
    constexpr int kMaxWidth = 160;
    const QString fullName =
        QDir(selectedFolder_).isRoot() ? selectedFolder_ : QFileInfo(selectedFolder_).fileName();
    QString name = fontMetrics().elidedText(fullName, Qt::ElideMiddle, kMaxWidth);
    name.replace(QLatin1Char('&'), QLatin1String("&&"));
    folder_->setText(tr("Open fol&der “%1”").arg(name));
}

void OpenDialog::openAll(const QStringList& files) {
    if (files.isEmpty()) return;
    settings_.setValue(kOpenFolderKey, QFileInfo(files.first()).absolutePath());
    std::vector<std::filesystem::path> paths;
    for (const QString& file : files) paths.emplace_back(file.toStdString());
    Q_EMIT chosen(paths);
}

}  // namespace threefold::ui
