#include "ui/inspect/mesh_facts.h"

#include <algorithm>

#include <QLabel>
#include <QSignalBlocker>

#include "ui/document/background.h"
#include "ui/document/connections.h"
#include "ui/style/number_format.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

/// "yes", or why the mesh encloses no volume: "no · 3 boundary edges".
QString watertightText(const MeshProperties& properties) {
    if (properties.isWatertight()) return MeshFacts::tr("yes");
    QStringList parts{MeshFacts::tr("no")};
    if (properties.boundaryEdgeCount > 0)
        parts << MeshFacts::tr("%1 boundary edges")
                     .arg(groupedCount(static_cast<std::int64_t>(properties.boundaryEdgeCount)));
    if (properties.nonManifoldEdgeCount > 0)
        parts << MeshFacts::tr("%1 edges of 3 faces or more")
                     .arg(groupedCount(static_cast<std::int64_t>(properties.nonManifoldEdgeCount)));
    return parts.join(QStringLiteral(" · "));
}

}  // namespace

MeshFacts::MeshFacts(Document& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      choice_(named(new QComboBox(this), "choice")),
      grid_(new QGridLayout),
      cells_(*grid_, [this](int, int column) { return makeCell(column); }) {
    choice_->setAccessibleName(tr("Mesh whose size is shown"));
    choice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice_->setMinimumContentsLength(8);
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(8);
    grid_->setVerticalSpacing(5);
    grid_->setColumnStretch(1, 1);
    setLayout(columnOf({roleLabel("heading", this, tr("MESH")), choice_, grid_}));
    connect(choice_, &QComboBox::currentIndexChanged, this, [this] {
        chosen_ = choice_->currentData();
        refresh();
    });
    connectChanged(this, &MeshFacts::updateFromDocument, document.opened, document.result);
    updateFromDocument();
}

void MeshFacts::updateFromDocument() {
    std::erase_if(known_, [](const auto& entry) { return entry.first.expired(); });
    {
        const QSignalBlocker blocker(choice_);
        choice_->clear();
        for (const MeshId id : document_.opened.ids())
            choice_->addItem(document_.opened.find(id)->name(), QString::fromStdString(id.name()));
        if (const OpenedMeshRef& reference = document_.opened.reference())
            choice_->addItem(reference->name(), QString::fromStdString(MeshId::truth.name()));
        choice_->setCurrentIndex(std::max(0, choice_->findData(chosen_)));
    }
    choice_->setVisible(choice_->count() > 1);
    setVisible(!document_.result.current() && choice_->count() > 0);
    refresh();
}

render::SceneMeshRef MeshFacts::chosenMesh() const {
    if (document_.result.current() || choice_->count() == 0) return nullptr;
    const auto id = MeshId::fromName(choice_->currentData().toString().toStdString());
    if (!id) return nullptr;
    const OpenedMeshRef& mesh =
        *id == MeshId::truth ? document_.opened.reference() : document_.opened.find(*id);
    return mesh ? mesh->mesh : nullptr;
}

void MeshFacts::refresh() {
    lines_ = 0;
    cells_.begin();
    if (const render::SceneMeshRef mesh = chosenMesh()) {
        const bool hasFaces = !mesh->faces.empty();
        const auto count = [](std::size_t number) {
            return groupedCount(static_cast<std::int64_t>(number));
        };
        addLine(hasFaces ? tr("Vertices") : tr("Points"), count(mesh->vertices.size()));
        if (hasFaces) addLine(tr("Triangles"), count(mesh->faces.size()));
        request(mesh);
        const Known& known = known_.at(mesh);
        const auto add = [&](const QString& name, const QString& note, const auto& text) {
            addLine(name, known ? text(*known) : QStringLiteral("…"), note);
        };
        add(tr("Size"),
            tr("Width, height and depth of its box along x, y and z, units of the file"),
            [](const MeshProperties& of) {
                return tr("%1 × %2 × %3")
                    .arg(shortNumber(of.size.x), shortNumber(of.size.y), shortNumber(of.size.z));
            });
        if (hasFaces) {
            add(tr("Area"), tr("Of all triangles, squared units of the file"),
                [](const MeshProperties& of) { return shortNumber(of.area); });
            add(tr("Watertight"),
                tr("Whether every edge has two triangles, so that they enclose a volume; vertices "
                   "at one position count as one"),
                watertightText);
            add(tr("Components"), tr("Parts that share no vertex"),
                [&](const MeshProperties& of) { return count(of.componentCount); });
            add(tr("Handles"),
                tr("Genus: number of holes through all parts together; 1 for a ring, a dash where "
                   "the mesh is not watertight"),
                [&](const MeshProperties& of) {
                    const std::optional<std::size_t> handles = of.genus();
                    return handles ? count(*handles) : QStringLiteral("–");
                });
        }
    }
    cells_.finish();
}

void MeshFacts::request(const render::SceneMeshRef& mesh) {
    if (!known_.try_emplace(mesh, nullptr).second) return;
    constexpr std::size_t kFewFaces = 5000;  // measured at once, in a millisecond
    if (mesh->faces.size() <= kFewFaces && mesh->vertices.size() <= kFewFaces) {
        known_[mesh] =
            std::make_shared<const MeshProperties>(meshProperties(mesh->vertices, mesh->faces));
        return;
    }
    inBackground(
        this, [mesh] { return meshProperties(mesh->vertices, mesh->faces); },
        [this, mesh](const TaskResult<MeshProperties>& outcome) {
            if (outcome.value)
                known_[mesh] = std::make_shared<const MeshProperties>(*outcome.value);
            refresh();
        });
}

void MeshFacts::addLine(const QString& name, const QString& value, const QString& note) {
    cells_.set(lines_, 0, name, note);
    cells_.set(lines_, 1, value, note);
    ++lines_;
}

QLabel* MeshFacts::makeCell(int column) {
    if (column == 0) return roleLabel("muted", this);
    auto* label = new QLabel(this);
    label->setFont(numberFont(font()));
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setWordWrap(true);
    return label;
}

QString MeshFacts::value(const QString& line) const {
    for (int row = 0; row < lines_; ++row)
        if (cells_.find(row, 0)->text() == line) return cells_.find(row, 1)->text();
    return {};
}

}  // namespace threefold::ui
