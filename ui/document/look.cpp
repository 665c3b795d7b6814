#include "ui/document/look.h"

#include <string_view>

#include <QCoreApplication>
#include <QSettings>

namespace threefold::ui {
namespace {

QString nameOf(render::ColourMap map) {
    const std::string_view name = render::colourMapName(map);
    return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
}

const QString kShadingKey = QStringLiteral("view/shading");
const QString kEdgesKey = QStringLiteral("view/edges");
const QString kOcclusionKey = QStringLiteral("view/occlusion");
const QString kMatcapKey = QStringLiteral("view/matcap");
const QString kQuantityKey = QStringLiteral("view/quantity");
const QString kMapKey = QStringLiteral("view/colourMap");

}  // namespace

QString shadingName(render::Shading shading) {
    switch (shading) {
        case render::Shading::smooth:
            return QCoreApplication::translate("Look", "Smooth");
        case render::Shading::flat:
            return QCoreApplication::translate("Look", "Flat");
        case render::Shading::wireframe:
            return QCoreApplication::translate("Look", "Wireframe");
        case render::Shading::points:
            break;
    }
    return QCoreApplication::translate("Look", "Points");
}

QString quantityName(Quantity quantity) {
    switch (quantity) {
        case Quantity::none:
            return QStringLiteral("none");
        case Quantity::distanceToTruth:
            return QStringLiteral("distanceToTruth");
        case Quantity::distanceFromTruth:
            return QStringLiteral("distanceFromTruth");
        case Quantity::movement:
            return QStringLiteral("movement");
        case Quantity::lastMovement:
            return QStringLiteral("lastMovement");
        case Quantity::normals:
            return QStringLiteral("normals");
        case Quantity::curvature:
            return QStringLiteral("curvature");
        case Quantity::entropy:
            return QStringLiteral("entropy");
        case Quantity::level:
            break;
    }
    return QStringLiteral("level");
}

Look readLook(const QSettings& settings) {
    Look look;
    const QString shading = settings.value(kShadingKey).toString();
    for (const render::Shading candidate : kAllShadings) {
        if (shadingName(candidate) == shading) look.shading = candidate;
    }
    look.edges = settings.value(kEdgesKey, look.edges).toBool();
    look.occlusion = settings.value(kOcclusionKey, look.occlusion).toBool();
    if (settings.value(kMatcapKey).toBool()) look.lighting = render::Lighting::matcap;
    const QString quantity = settings.value(kQuantityKey).toString();
    for (const Quantity candidate : kAllQuantities) {
        if (quantityName(candidate) == quantity) look.quantity = candidate;
    }
    const QString map = settings.value(kMapKey).toString();
    for (const render::ColourMap candidate : kAllColourMaps) {
        if (nameOf(candidate) == map) look.map = candidate;
    }
    return look;
}

void writeLook(QSettings& settings, const Look& look) {
    // Setting makes QSettings write its file, even where nothing is new: not at each step of a
    // drag.
    const auto keep = [&settings](const QString& key, const QVariant& value) {
        if (settings.value(key).toString() != value.toString()) settings.setValue(key, value);
    };
    keep(kShadingKey, shadingName(look.shading));
    keep(kEdgesKey, look.edges);
    keep(kOcclusionKey, look.occlusion);
    keep(kMatcapKey, look.lighting == render::Lighting::matcap);
    keep(kQuantityKey, quantityName(look.quantity));
    keep(kMapKey, nameOf(look.map));
}

}  // namespace threefold::ui
