#include "ui/files/export_dialog.h"

#include <algorithm>

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QToolButton>

#include "ui/document/connections.h"
#include "ui/document/shown_document.h"
#include "ui/files/file_kinds.h"
#include "ui/files/suggested_name.h"
#include "ui/results/quantities.h"
#include "ui/shell/file_dialogs.h"
#include "ui/style/path_text.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

const QString kFolderKey = QStringLiteral("files/exportFolder");
const QString kFormatKey = QStringLiteral("files/exportFormat");
const QString kMeshesKey = QStringLiteral("files/exportMeshNames");
const QString kSpaceKey = QStringLiteral("files/exportSpace");
constexpr const char* kCameraSpace = "camera";
/// Name of opened meshes in settings of earlier versions.
const QString kEarlierOpenedName = QStringLiteral("compared");
const QString kColouredKey = QStringLiteral("files/exportColoured");

/// Text of a mesh's check box, with a mnemonic. The mnemonic of a stage is the stage's number, or
/// the first letter of a stage without number.
QString choiceText(const Document& document, const ExportedMesh& mesh) {
    if (mesh.id.isOpened()) {
        QString name = document.opened.find(mesh.id)->name();
        return ExportDialog::tr("O&pened: %1").arg(name.replace('&', QLatin1String("&&")));
    }
    if (mesh.id == MeshId::fitted) return ExportDialog::tr("Fi&tted to the photographs");
    const ResultRef& result = document.result.current();
    const MeshMorph& morph = result ? result->morph : publishedMorph();
    QString title = stageTitle(*std::ranges::find(morph.stages, mesh.stage, &MorphStage::name));
    return title.insert(title.lastIndexOf(' ') + 1, '&');
}

QString toText(std::string_view name) {
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

QString nameInSettings(const ExportedMesh& mesh) {
    return toText(mesh.name());
}

/// Label of a format that can be written: its names and the content of its files.
QString formatLabel(MeshFormat format) {
    const QString names = QString::fromUtf8(infoOf(format).names);
    switch (format) {
        case MeshFormat::obj:
            return ExportDialog::tr("OBJ (text)");
        case MeshFormat::ply:
            return ExportDialog::tr("PLY (binary)");
        case MeshFormat::stl:
            return ExportDialog::tr("STL (binary, no colours)");
        case MeshFormat::glb:
            return ExportDialog::tr("GLB (binary)");
        case MeshFormat::xyz:
            return ExportDialog::tr("XYZ (vertices only)");
        default:
            return names;
    }
}

}  // namespace

ExportDialog::ExportDialog(const ShownDocument& shown, QSettings& settings, QWidget* parent)
    : QDialog(parent),
      shown_(shown),
      document_(shown.document),
      settings_(settings),
      format_(new QComboBox(this)),
      meshColumn_(columnOf({}, 4)),
      space_(new QComboBox(this)),
      coloured_(new QCheckBox(this)),
      name_(new QLineEdit(this)),
      folder_(new QLineEdit(this)),
      browse_(new QToolButton(this)),
      files_(roleLabel("muted", this)),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Cancel, this)) {
    setWindowTitle(tr("Export meshes"));
    setModal(false);
    addChoices();
    layOut();
    restore();
    connectFields();
    refresh();
}

void ExportDialog::addChoices() {
    for (const MeshFormat format : meshFormats(mesh_format_filters::writable))
        format_->addItem(formatLabel(format), static_cast<int>(format));
    space_->addItem(tr("Upright: world space"));
    space_->addItem(tr("As published: the reference view's camera space"));
    space_->setToolTip(
        tr("World space stands upright in other programs. The published scripts and `threefold "
           "reconstruct` write camera space. Both are in object units"));
    name_->setObjectName(QStringLiteral("exportName"));
    folder_->setObjectName(QStringLiteral("exportFolder"));
    files_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    browse_->setText(tr("Browse…"));
    accept_ = buttons_->addButton(tr("Export"), QDialogButtonBox::AcceptRole);
    accept_->setDefault(true);
}

void ExportDialog::layOut() {
    QBoxLayout* folderRow = rowOf({stretched(folder_), browse_});
    auto* form = new QFormLayout(this);
    form->setContentsMargins(16, 16, 16, 16);
    form->setVerticalSpacing(8);
    form->addRow(tr("&Format"), format_);
    form->addRow(tr("Meshes"), meshColumn_);
    form->addRow(tr("Coor&dinates"), space_);
    form->addRow(QString(), coloured_);
    form->addRow(tr("&Name"), name_);
    form->addRow(tr("F&older"), folderRow);
    form->addRow(tr("Files"), files_);
    form->addRow(buttons_);
    // Qt aligns labels that are much lower than their fields to the top of the row.
    for (QWidget* label : {form->labelForField(format_), form->labelForField(space_),
                           form->labelForField(name_), form->labelForField(folderRow)})
        label->setMinimumHeight(format_->sizeHint().height());
    if (auto* label = qobject_cast<QLabel*>(form->labelForField(folderRow)))
        label->setBuddy(folder_);
    setMinimumWidth(460);
}

void ExportDialog::updateMeshes() {
    const std::vector<ExportedMesh> meshes = exportableMeshes(document_);
    if (!std::ranges::equal(meshes, meshes_, {}, {}, &MeshBox::first)) makeBoxes(meshes);
    for (const auto& [mesh, box] : meshes_) box->setText(choiceText(document_, mesh));
}

void ExportDialog::makeBoxes(const std::vector<ExportedMesh>& meshes) {
    const std::vector<MeshBox> previous = std::exchange(meshes_, {});
    for (const ExportedMesh& mesh : meshes) {
        const auto match = std::ranges::find(previous, mesh, &MeshBox::first);
        QCheckBox* box = match != previous.end() ? match->second : new QCheckBox(this);
        if (match == previous.end()) {
            box->setChecked(stored_.contains(nameInSettings(mesh)));
            connect(box, &QCheckBox::toggled, this, &ExportDialog::refresh);
        }
        meshColumn_->insertWidget(static_cast<int>(meshes_.size()), box);
        meshes_.emplace_back(mesh, box);
    }
    for (const auto& [mesh, box] : previous)
        if (std::ranges::find(meshes, mesh) == meshes.end()) delete box;
    QWidget* last = format_;
    std::vector<QWidget*> order;
    for (const auto& [mesh, box] : meshes_) order.push_back(box);
    order.insert(order.end(), {space_, coloured_, name_, folder_, browse_, buttons_});
    for (QWidget* next : order) {
        setTabOrder(last, next);
        last = next;
    }
}

void ExportDialog::connectFields() {
    connect(format_, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    connect(coloured_, &QCheckBox::toggled, this, &ExportDialog::refresh);
    connect(name_, &QLineEdit::textChanged, this, &ExportDialog::refresh);
    connect(folder_, &QLineEdit::textChanged, this, &ExportDialog::refresh);
    connect(browse_, &QToolButton::clicked, this, &ExportDialog::browse);
    connect(buttons_, &QDialogButtonBox::accepted, this, &ExportDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(this, &QDialog::accepted, this, &ExportDialog::saveChoice);
    connectChanged(this, &ExportDialog::refresh, document_.result, document_.opened,
                   document_.look);
}

void ExportDialog::restore() {
    const QString home = QStandardPaths::writableLocation(QStandardPaths::HomeLocation);
    folder_->setText(settings_.value(kFolderKey, home).toString());
    const auto format =
        meshFormatFromExtension(settings_.value(kFormatKey).toString().toStdString());
    if (format) format_->setCurrentIndex(std::max(0, format_->findData(static_cast<int>(*format))));
    const bool camera = settings_.value(kSpaceKey).toString() == QLatin1String(kCameraSpace);
    space_->setCurrentIndex(camera ? 1 : 0);
    coloured_->setChecked(settings_.value(kColouredKey).toBool());
    stored_ = settings_.value(kMeshesKey).toStringList();
    if (stored_.contains(kEarlierOpenedName)) stored_ << toText(kOpenedMeshName);
    updateMeshes();
    // None of the stored meshes exists if nothing was stored, or only names of another model's
    // stages, or of a fitted mesh that the result lacks.
    const ExportSource source = exportSource(shown_, false);
    const bool anyChosen = std::ranges::any_of(meshes_, [&](const MeshBox& each) {
        return each.second->isChecked() && source.has(each.first);
    });
    const ExportedMesh atSlider = exportableMeshAtSlider(document_);
    for (const auto& [mesh, box] : meshes_)
        if (!anyChosen && mesh == atSlider) box->setChecked(true);
}

void ExportDialog::saveChoice() {
    settings_.setValue(kFolderKey, folder_->text());
    const std::string_view name = meshFormatExtension(choice().format);
    settings_.setValue(kFormatKey, QString::fromLatin1(name.data(), static_cast<int>(name.size())));
    settings_.setValue(kSpaceKey, space_->currentIndex() == 1 ? kCameraSpace : "world");
    settings_.setValue(kColouredKey, coloured_->isChecked());
    QStringList chosen;
    for (const ExportedMesh& mesh : choice().meshes) chosen << nameInSettings(mesh);
    chosen.removeDuplicates();
    settings_.setValue(kMeshesKey, chosen);
}

ExportChoice ExportDialog::choice() const {
    ExportChoice choice;
    choice.format = static_cast<MeshFormat>(format_->currentData().toInt());
    choice.meshes.clear();
    for (const auto& [mesh, box] : meshes_)
        if (box->isChecked()) choice.meshes.push_back(mesh);
    choice.space = space_->currentIndex() == 0 ? MeshSpace::world : MeshSpace::camera;
    choice.name = name_->text().trimmed().toStdString();
    choice.coloured = coloured_->isChecked();
    choice.folder = folder_->text().toStdString();
    return choice;
}

void ExportDialog::accept() {
    std::vector<std::filesystem::path> paths;
    for (const ExportFile& file : exportFiles(exportSource(shown_, choice().coloured), choice())) {
        paths.push_back(file.path);
        std::ranges::copy(file.texture, std::back_inserter(paths));
    }
    askToReplace(*this, paths, *this, [this] { QDialog::accept(); });
}

// Keeps a typed name until another sample or other views are shown.
void ExportDialog::suggestName() {
    const ResultRef& result = document_.result.current();
    const QString name =
        result ? QString::fromStdString(suggestedName(*result->sample, result->views)) : QString();
    name_->setEnabled(result != nullptr);
    if (name == suggested_) return;
    suggested_ = name;
    name_->setText(name);
}

void ExportDialog::refresh() {
    updateMeshes();
    suggestName();
    const ExportChoice chosen = choice();
    const ExportSource source = exportSource(shown_, false);
    for (const auto& [mesh, box] : meshes_) box->setEnabled(source.has(mesh));
    const Quantity quantity = document_.shownQuantity();
    const bool values = quantityInfo(quantity).hasValues();
    const bool texture = quantity == Quantity::photographs && source.result;
    const MeshFormatInfo& format = infoOf(chosen.format);
    coloured_->setText(texture  ? tr("Te&xture: photographs")
                       : values ? tr("&Vertex colours: %1").arg(shownQuantityInfo(document_).name)
                                : tr("&Vertex colours"));
    const bool supported = texture ? format.carriesTextures : format.carriesColours;
    coloured_->setEnabled((values || texture) && supported);
    coloured_->setToolTip(
        !supported && texture ? tr("This format carries no texture")
        : !supported          ? tr("This format carries no colours")
        : texture
            ? tr("The photographs on the screen, as one texture; for OBJ a file beside the mesh")
        : values ? tr("The colours on the screen, without shading")
                 : tr("Choose a quantity to colour by first"));
    const std::vector<ExportFile> files = exportFiles(source, chosen);
    QStringList names;
    for (const ExportFile& file : files) names << fileName(file.path);
    const bool folderExists = !folder_->text().isEmpty() && QDir(folder_->text()).exists();
    const bool isNameValid = !name_->text().contains(QLatin1Char('/'));
    const QString problem = !folderExists   ? tr("Choose a folder that exists.")
                            : !isNameValid  ? tr("Choose a name without “/”.")
                            : files.empty() ? tr("Select at least one mesh.")
                                            : QString();
    accept_->setEnabled(problem.isEmpty());
    files_->setText(problem.isEmpty() ? names.join('\n') : problem);
}

void ExportDialog::browse() {
    askForFolder(
        {.parent = *this, .title = tr("Export to"), .folder = folder_->text()}, *folder_,
        [this](const std::filesystem::path& folder) { folder_->setText(pathText(folder)); });
}

}  // namespace threefold::ui
