#include "ui/files/opened_bar.h"

#include <QAction>
#include <QBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "ui/document/document.h"
#include "ui/files/opened_files.h"
#include "ui/shell/actions.h"
#include "ui/shell/banner.h"
#include "ui/style/number_format.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
OpenedBar::OpenedBar(const WindowParts& parts, OpenedFiles& files)
    : files_(files),
      text_(new QLabel(this)),
      space_(flatButton({}, {}, this)),
      truth_(flatButton(
          tr("Use as truth"),
          tr("Measure the result against this file, without running the network again"), this)),
      otherSpace_(
          parts.actions.add(MenuName::compare, tr("Switch compared mesh to world space"), {}, {})),
      close_(parts.actions.add(MenuName::compare, tr("&Close compared mesh"), Qt::CTRL | Qt::Key_W,
                               tr("Show the coarse mesh again"))),
      document_(parts.document) {
    setObjectName(QStringLiteral("openedBar"));
    setAccessibleName(tr("Opened mesh"));
    text_->setTextFormat(Qt::PlainText);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text_->setMinimumWidth(0);
    text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setRank(*text_, "muted");
    auto* close =
        flatButton(QStringLiteral("✕"), close_->toolTip(), this, tr("Close the compared mesh"));
    setLayout(rowOf({{text_, 1}, space_, truth_, close}, 8, {16, 4, 8, 4}));

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
    if (auto* column = qobject_cast<QBoxLayout*>(parts.banner.parentWidget()->layout())) {
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
                            files_.spaceGuessed() ? tr("%1 (detected)").arg(space) : space));
    text_->setToolTip(QString::fromStdString(mesh->path.string()));
    space_->setText(world ? tr("Switch to camera space") : tr("Switch to world space"));
    space_->setToolTip(tr("Its coordinates are read as %1").arg(space));
    otherSpace_->setText(world ? tr("Switch compared mesh to camera space")
                               : tr("Switch compared mesh to world space"));
    truth_->setEnabled(document_.result() != nullptr);
}

}  // namespace threefold::ui
