#include "ui/export_dialog.h"

#include <utility>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

#include "ui/theme.h"

namespace threefold::ui {
namespace {

enum Meshes { refinedOnly, coarseOnly, both };

}  // namespace

ExportDialog::ExportDialog(ResultRef result, const QString& folder, QWidget* parent)
    : QDialog(parent),
      result_(std::move(result)),
      format_(new QComboBox(this)),
      meshes_(new QComboBox(this)),
      folder_(new QLineEdit(folder, this)),
      files_(new QLabel(this)) {
    setWindowTitle(QStringLiteral("Export mesh"));
    format_->addItem(QStringLiteral("OBJ: vertices and faces"));
    format_->addItem(QStringLiteral("XYZ: vertices only"));
    meshes_->addItem(QStringLiteral("Refined"));
    meshes_->addItem(QStringLiteral("Coarse"));
    meshes_->addItem(QStringLiteral("Both"));
    setRank(*files_, "muted");
    files_->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto* browseButton = new QToolButton(this);
    browseButton->setText(QStringLiteral("Browse…"));
    auto* folderRow = new QHBoxLayout;
    folderRow->addWidget(folder_, 1);
    folderRow->addWidget(browseButton);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    accept_ = buttons->addButton(QStringLiteral("Export"), QDialogButtonBox::AcceptRole);
    accept_->setDefault(true);

    auto* space = new QLabel(QStringLiteral("Coordinates are in the camera space of the reference "
                                            "view, in object units."),
                             this);
    setRank(*space, "muted");
    space->setWordWrap(true);

    auto* form = new QFormLayout(this);
    form->setContentsMargins(16, 16, 16, 16);
    form->setVerticalSpacing(8);
    form->addRow(QStringLiteral("&Format"), format_);
    form->addRow(QStringLiteral("&Meshes"), meshes_);
    form->addRow(QStringLiteral("Fol&der"), folderRow);
    form->addRow(QStringLiteral("Files"), files_);
    form->addRow(space);
    form->addRow(buttons);
    // Labels much lower than their fields are put at the top of the row: these fields are.
    for (QWidget* label : {form->labelForField(format_), form->labelForField(meshes_),
                           form->labelForField(folderRow)}) {
        label->setMinimumHeight(format_->sizeHint().height());
    }
    if (auto* label = qobject_cast<QLabel*>(form->labelForField(folderRow))) {
        label->setBuddy(folder_);
    }
    constexpr int kWidth = 460;
    setMinimumWidth(kWidth);

    connect(format_, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    connect(meshes_, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    connect(folder_, &QLineEdit::textChanged, this, &ExportDialog::refresh);
    connect(browseButton, &QToolButton::clicked, this, &ExportDialog::browse);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    refresh();
}

ExportChoice ExportDialog::choice() const {
    ExportChoice choice;
    choice.format = format_->currentIndex() == 0 ? ExportFormat::obj : ExportFormat::xyz;
    choice.coarse = meshes_->currentIndex() != refinedOnly;
    choice.refined = meshes_->currentIndex() != coarseOnly;
    choice.folder = folder_->text().toStdString();
    return choice;
}

void ExportDialog::refresh() {
    QStringList names;
    for (const ExportFile& file : exportFiles(*result_, choice())) {
        names << QString::fromStdString(file.path.filename().string());
    }
    files_->setText(names.join('\n'));
    accept_->setEnabled(QDir(folder_->text()).exists() && !folder_->text().isEmpty());
    accept_->setToolTip(accept_->isEnabled() ? QString()
                                             : QStringLiteral("Choose a folder that exists."));
}

void ExportDialog::browse() {
    auto* dialog = new QFileDialog(this, QStringLiteral("Export to"), folder_->text());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, folder_, &QLineEdit::setText);
    dialog->open();
}

}  // namespace threefold::ui
