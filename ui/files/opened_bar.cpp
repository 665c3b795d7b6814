#include "ui/files/opened_bar.h"

#include <algorithm>
#include <optional>

#include <QAction>
#include <QBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "ui/document/connections.h"
#include "ui/document/document.h"
#include "ui/document/measured_meshes.h"
#include "ui/files/opened_files.h"
#include "ui/shell/actions.h"
#include "ui/shell/banner.h"
#include "ui/style/bounded_scroll.h"
#include "ui/style/elided_label.h"
#include "ui/style/number_format.h"
#include "ui/style/path_text.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

/// Text such as "moved into the frame: × 0.0072, turned by 90°, F(τ) 0.00 → 71.30 %".
QString movedText(const MeshAlignment& alignment, const MeasuredMesh& measured) {
    QString text =
        OpenedBar::tr("moved into the frame: × %1").arg(shortNumber(alignment.transform.scale));
    constexpr double kMinDegrees = 0.5;
    if (const double degrees = alignment.transform.rotationDegrees(); degrees > kMinDegrees)
        text += OpenedBar::tr(", turned by %1°").arg(fixedText(degrees, 0));
    if (alignment.fBefore && measured.scores())
        text += OpenedBar::tr(", F(τ) %1 → %2 %")
                    .arg(fixedText(*alignment.fBefore, 2),
                         fixedText(measured.scores()->measures.atTau().fScore, 2));
    return text;
}

/// Height of a column of bars: the sum of the visible bars' heights or, if more than four bars are
/// visible, of the first four bars' minimum heights.
int shownHeight(const QBoxLayout& bars) {
    constexpr int kMaxRows = 4;
    int full = 0;
    int limited = 0;
    int rows = 0;
    for (int i = 0; i < bars.count(); ++i) {
        const QWidget* bar = bars.itemAt(i)->widget();
        if (bar->isHidden()) continue;
        full += bar->sizeHint().height();
        if (rows++ < kMaxRows) limited += bar->minimumSizeHint().height();
    }
    return rows > kMaxRows ? limited : full;
}

}  // namespace

OpenedBar::OpenedBar(const FeatureContext& context, OpenedFiles& files, OpenedMeshSource& source)
    : source_(source),
      text_(new ElidedLabel(this)),
      space_(flatButton({}, {}, this)),
      truth_(flatButton(
          tr("Use as truth"),
          tr("Measure everything shown against this file, without running the network again"),
          this)),
      align_(flatButton({}, {}, this)),
      showAgain_(flatButton(tr("Show again"), tr("Show it beside this sample as well"), this)),
      document_(context.document),
      measured_(context.measured) {
    setObjectName(QStringLiteral("openedBar"));
    setAccessibleName(tr("Opened mesh"));
    text_->setTextFormat(Qt::PlainText);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    setTextRole(*text_, "muted");
    auto* close = flatButton(QStringLiteral("✕"), tr("Close this mesh"), this);
    setLayout(
        rowOf({stretched(text_), align_, space_, truth_, showAgain_, close}, 8, {16, 4, 8, 4}));
    connect(space_, &QToolButton::clicked, this, [this] {
        if (document_.result.current() != nullptr) return source_.toggleSpace();
        document_.look.change([](Look& look) { look.zUp = !look.zUp; });
    });
    connect(truth_, &QToolButton::clicked, this,
            [this, &files] { files.truthChoice().choose(source_.file(), source_.space()); });
    connect(align_, &QToolButton::clicked, &source_, [this] {
        if (source_.alignment())
            source_.undoAlignment();
        else
            source_.align();
    });
    connect(showAgain_, &QToolButton::clicked, &source_, &OpenedMeshSource::showAgain);
    connect(close, &QToolButton::clicked, &source_, &OpenedMeshSource::close);
    connect(&source_, &OpenedMeshSource::changed, this, &OpenedBar::refresh);
    connectChanged(this, &OpenedBar::refresh, document_.result, document_.opened, document_.look,
                   measured_);
    refresh();
}

QString OpenedBar::text() const {
    return isHidden() ? QString() : text_->fullText();
}

void OpenedBar::refresh() {
    const OpenedMeshRef& mesh = document_.opened.find(source_.id());
    const bool open = mesh != nullptr;
    const std::optional<OpenedMeshSource::Hidden> hidden = source_.hidden();
    const bool ofFile = open && source_.space().has_value();
    setVisible(open || hidden);
    const std::optional<MeshAlignment> alignment = source_.alignment();
    space_->setVisible(ofFile && !alignment);
    align_->setVisible(ofFile && (alignment || source_.needsAlignment()));
    align_->setText(alignment ? tr("Put it back") : tr("Align (ICP)"));
    align_->setToolTip(
        alignment
            ? tr("Put the mesh back at the coordinates of its file")
            : tr("The mesh's position or size differs from the sample's: align the mesh to the "
                 "truth, or without a truth to the result, by iterated closest points"));
    truth_->setVisible(ofFile);
    showAgain_->setVisible(hidden.has_value());
    if (hidden) {
        text_->setFullText(
            tr("%1 was opened beside %2 and closed with it").arg(hidden->name, hidden->sample));
    }
    if (!open) return;
    const bool world = source_.space() == MeshSpace::world;
    const auto count = [](std::size_t number) {
        return groupedCount(static_cast<std::int64_t>(number));
    };
    const QString size = mesh->mesh->faces.empty()
                             ? tr("%1 points").arg(count(mesh->mesh->vertices.size()))
                             : tr("%1 triangles").arg(count(mesh->mesh->faces.size()));
    // Without a result there is no camera whose space the file could have; only the up axis
    // matters.
    const bool alone = document_.result.current() == nullptr;
    const bool zUp = document_.look.current().zUp;
    const QString space = alone   ? (zUp ? tr("z up") : tr("y up"))
                          : world ? tr("world space")
                                  : tr("reference view's camera space");
    QStringList parts{mesh->name(), size};
    if (mesh->result)
        parts << tr("%1 ms").arg(
            millisecondsText(mesh->result->reconstruction.network.milliseconds()));
    if (alignment) {
        parts << movedText(*alignment, measured_.mesh(source_.id()));
    } else if (ofFile)
        parts << (source_.isSpaceDetected() && !alone ? tr("%1 (detected)").arg(space) : space);
    if (const OpenedMeshRef& reference = document_.opened.reference())
        parts << tr("measured against %1").arg(reference->name());
    text_->setFullText(parts.join(QStringLiteral(" · ")), pathText(mesh->path));
    if (alone) {
        space_->setText(zUp ? tr("Y is up") : tr("Z is up"));
        space_->setToolTip(
            tr("Turn the view so that this axis of the files points up; their "
               "coordinates stay"));
    } else {
        space_->setText(world ? tr("Switch to camera space") : tr("Switch to world space"));
        space_->setToolTip(tr("Space of the coordinates: %1").arg(space));
    }
}

void addOpenedBars(const FeatureContext& context, OpenedFiles& files) {
    QBoxLayout* bars = columnOf({}, 0);
    auto* content = new QWidget;
    content->setLayout(bars);
    auto* scroll = new BoundedScroll(
        content, Qt::Vertical, [bars] { return shownHeight(*bars); },
        context.banner.parentWidget());
    if (auto* column = qobject_cast<QBoxLayout*>(context.banner.parentWidget()->layout()))
        column->insertWidget(column->indexOf(&context.banner) + 1, scroll);
    QAction* space =
        context.actions.add({.menu = MenuSection::fileMeshes,
                             .text = OpenedBar::tr("Switch opened mesh to world space")});
    QAction* close = context.actions.add({.menu = MenuSection::fileMeshes,
                                          .text = OpenedBar::tr("&Close opened mesh"),
                                          .keys = Qt::CTRL | Qt::Key_W,
                                          .tooltip = OpenedBar::tr("Close the mesh opened last")});
    const auto last = [&files](auto matches) -> OpenedMeshSource* {
        const auto match =
            std::find_if(files.meshSources().rbegin(), files.meshSources().rend(),
                         [&](const OpenedMeshSource* each) { return matches(*each); });
        return match == files.meshSources().rend() ? nullptr : *match;
    };
    const auto lastFile = [last] {
        return last([](const OpenedMeshSource& each) { return each.space().has_value(); });
    };
    const auto lastOpened = [last, &document = context.document] {
        return last([&](const OpenedMeshSource& each) {
            return document.opened.find(each.id()) || each.hidden();
        });
    };
    const auto refresh = [=] {
        const OpenedMeshSource* file = lastFile();
        space->setEnabled(file != nullptr && !file->alignment() &&
                          context.document.result.current() != nullptr);
        space->setText(file != nullptr && file->space() == MeshSpace::world
                           ? OpenedBar::tr("Switch opened mesh to camera space")
                           : OpenedBar::tr("Switch opened mesh to world space"));
        close->setEnabled(lastOpened() != nullptr);
    };
    QObject::connect(space, &QAction::triggered, &files, [lastFile] { lastFile()->toggleSpace(); });
    QObject::connect(close, &QAction::triggered, &files, [lastOpened] { lastOpened()->close(); });
    const auto add = [=, &files](OpenedMeshSource* source) {
        bars->addWidget(new OpenedBar(context, files, *source));
        QObject::connect(source, &OpenedMeshSource::changed, &files, refresh);
    };
    for (OpenedMeshSource* each : files.meshSources()) add(each);
    QObject::connect(&files, &OpenedFiles::meshSourceAdded, &files, add);
    QObject::connect(&context.document.result, &ResultModel::changed, &files, refresh);
    refresh();
}

}  // namespace threefold::ui
