#include "ui/document/comparison_values.h"

#include <cmath>
#include <utility>

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include "engine/error.h"
#include "engine/metrics/curvature.h"
#include "engine/metrics/nearest.h"

namespace threefold::ui {
namespace {

SurfaceValues without(Quantity quantity, const QString& reason) {
    const QuantityInfo info = quantityInfo(quantity);
    SurfaceValues values;
    values.unit = info.unit;
    values.diverging = info.diverging;
    values.reason = reason;
    return values;
}

SurfaceValues measured(Quantity quantity, const render::SceneMesh& mesh,
                       const render::SceneMesh* truth) {
    try {
        if (quantity == Quantity::curvature) {
            return surfaceValuesOf(quantity, meanCurvature(mesh.vertices, mesh.faces));
        }
        render::SceneValues values;
        values.reserve(mesh.vertices.size());
        const Nearest nearest = nearestNeighbours(mesh.vertices, truth->vertices);
        for (const double squared : nearest.squaredDistance) {
            values.push_back(static_cast<float>(std::sqrt(squared)));
        }
        return surfaceValuesOf(quantity, std::move(values));
    } catch (const Error& error) {
        return without(quantity, QString::fromStdString(error.report().problem));
    }
}

}  // namespace

ComparisonValues::ComparisonValues(Document& document) : QObject(&document), document_(document) {
    connect(&document, &Document::comparisonChanged, this, &ComparisonValues::forget);
    connect(&document, &Document::resultChanged, this, &ComparisonValues::forget);
    connect(&document, &Document::lookChanged, this, &ComparisonValues::compute);
    compute();
}

const ComparisonValues* ComparisonValues::find(const Document& document) {
    return document.findChild<const ComparisonValues*>({}, Qt::FindDirectChildrenOnly);
}

SurfaceValues ComparisonValues::values(Quantity quantity) const {
    const auto known = known_.find(quantity);
    if (known != known_.end()) return known->second;
    const QString reason = reasonAgainst(quantity);
    const bool needed = quantity != Quantity::none && quantity != Quantity::normals;
    return without(quantity, !reason.isEmpty() || !needed ? reason : tr("Being computed…"));
}

bool ComparisonValues::possible(Quantity quantity) const {
    return reasonAgainst(quantity).isEmpty();
}

QString ComparisonValues::reasonAgainst(Quantity quantity) const {
    if (!document_.comparison() || !document_.comparison()->mesh) {
        return tr("No mesh is opened for comparison");
    }
    switch (quantity) {
        case Quantity::none:
        case Quantity::normals:
            return {};
        case Quantity::distanceToTruth:
            if (document_.result() && document_.result()->truth) return {};
            return tr("There is no ground truth to measure against");
        case Quantity::curvature:
            if (!document_.comparison()->mesh->faces.empty()) return {};
            return tr("Points have no curvature");
        default:
            return tr("Known for the network's own meshes only");
    }
}

void ComparisonValues::forget() {
    ++generation_;
    known_.clear();
    asked_.clear();
    compute();
}

void ComparisonValues::compute() {
    const Quantity quantity = document_.look().quantity;
    if (!document_.comparison() || !document_.comparison()->mesh || asked_[quantity]) return;
    const render::SceneMeshRef mesh = document_.comparison()->mesh;
    const render::SceneMeshRef truth = document_.result() ? document_.result()->truth : nullptr;
    if (quantity == Quantity::none || quantity == Quantity::normals || !possible(quantity)) return;
    asked_[quantity] = true;
    ++running_;
    QThreadPool::globalInstance()->start(
        [self = QPointer(this), generation = generation_, quantity, mesh, truth] {
            SurfaceValues values = measured(quantity, *mesh, truth.get());
            // The application's thread outlives the pool's work; whether this object does is looked
            // at there.
            QMetaObject::invokeMethod(
                QCoreApplication::instance(),
                [self, generation, quantity, values = std::move(values)] {
                    if (!self) return;
                    --self->running_;
                    if (self->generation_ != generation) return;
                    self->known_[quantity] = values;
                    Q_EMIT self->changed();
                },
                Qt::QueuedConnection);
        });
}

}  // namespace threefold::ui
