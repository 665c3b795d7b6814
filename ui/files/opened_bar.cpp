#include "ui/files/opened_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/document/document.h"
#include "ui/files/opened_files.h"
#include "ui/shell/actions.h"
#include "ui/shell/banner.h"
#include "ui/style/number_format.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

QToolButton* quietButton(QWidget* parent) {
    auto* button = new QToolButton(parent);
    setRank(*button, "flat");
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

}  // namespace

OpenedBar::OpenedBar(const WindowParts& parts, OpenedFiles& files)
    : files_(files),
      text_(new QLabel(this)),
      space_(quietButton(this)),
      truth_(quietButton(this)),
      otherSpace_(
          parts.actions.add(MenuName::file, tr("Take compared mesh for the other space"), {}, {})),
      close_(parts.actions.add(MenuName::file, tr("&Close compared mesh"), Qt::CTRL | Qt::Key_W,
                               tr("Show the coarse mesh in its place again"))),
      document_(parts.document) {
    setObjectName(QStringLiteral("openedBar"));
    setAccessibleName(tr("Opened mesh"));
    text_->setTextFormat(Qt::PlainText);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text_->setMinimumWidth(0);
    text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setRank(*text_, "muted");
    truth_->setText(tr("Use as truth"));
    truth_->setToolTip(
        tr("Measure the result against this file, without running the network "
           "again"));
    auto* close = quietButton(this);
    close->setText(QStringLiteral("✕"));
    close->setToolTip(close_->toolTip());
    close->setAccessibleName(tr("Close the compared mesh"));

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 4, 8, 4);
    row->setSpacing(8);
    row->addWidget(text_, 1);
    row->addWidget(space_);
    row->addWidget(truth_);
    row->addWidget(close);

    const auto turn = [this] {
        const bool world = files_.comparisonSpace() == MeshSpace::world;
        files_.setComparisonSpace(world ? MeshSpace::view : MeshSpace::world);
    };
    connect(space_, &QToolButton::clicked, this, turn);
    connect(otherSpace_, &QAction::triggered, this, turn);
    connect(truth_, &QToolButton::clicked, this,
            [this] { files_.useTruth(files_.comparisonFile(), files_.comparisonSpace()); });
    connect(close, &QToolButton::clicked, close_, &QAction::trigger);
    connect(close_, &QAction::triggered, &files_, &OpenedFiles::closeComparison);
    connect(&files_, &OpenedFiles::comparisonChanged, this, &OpenedBar::refresh);
    connect(&document_, &Document::resultChanged, this, &OpenedBar::refresh);
    if (auto* column = qobject_cast<QVBoxLayout*>(parts.banner.parentWidget()->layout())) {
        column->insertWidget(column->indexOf(&parts.banner) + 1, this);
    }
    refresh();
}

QString OpenedBar::text() const {
    return isHidden() ? QString() : text_->text();
}

void OpenedBar::refresh() {
    const OpenedMeshRef& mesh = document_.comparison();
    const bool open = mesh != nullptr && files_.comparisonSpace().has_value();
    setVisible(open);
    otherSpace_->setEnabled(open);
    close_->setEnabled(open);
    if (!open) return;
    const bool world = files_.comparisonSpace() == MeshSpace::world;
    const auto count = [](std::size_t number) {
        return groupedCount(static_cast<std::int64_t>(number));
    };
    const QString size = mesh->mesh->faces.empty()
                             ? tr("%1 points").arg(count(mesh->mesh->vertices.size()))
                             : tr("%1 triangles").arg(count(mesh->mesh->faces.size()));
    const QString space = world ? tr("world space") : tr("reference view's camera space");
    text_->setText(QStringLiteral("%1 · %2 · %3")
                       .arg(QString::fromStdString(mesh->path.filename().string()), size,
                            files_.spaceGuessed() ? tr("%1, by where it lies").arg(space) : space));
    text_->setToolTip(QString::fromStdString(mesh->path.string()));
    space_->setText(world ? tr("Take for camera space") : tr("Take for world space"));
    space_->setToolTip(tr("Its coordinates are taken for: %1. Change that").arg(space));
    otherSpace_->setText(space_->text());
    truth_->setEnabled(document_.result() != nullptr);
}

}  // namespace threefold::ui
