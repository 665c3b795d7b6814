#include "ui/look.h"

#include <string_view>

#include <QSettings>

namespace threefold::ui {
namespace {

glm::vec3 vectorOf(const QColor& colour) {
    return {colour.redF(), colour.greenF(), colour.blueF()};
}

QString nameOf(render::ColourMap map) {
    const std::string_view name = render::colourMapName(map);
    return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
}

const QString kShadingKey = QStringLiteral("view/shading");
const QString kDistancesKey = QStringLiteral("view/distances");
const QString kMapKey = QStringLiteral("view/colourMap");

}  // namespace

QString shadingName(render::Shading shading) {
    switch (shading) {
        case render::Shading::smooth:
            return QStringLiteral("Smooth");
        case render::Shading::flat:
            return QStringLiteral("Flat");
        case render::Shading::wireframe:
            return QStringLiteral("Wireframe");
        case render::Shading::points:
            break;
    }
    return QStringLiteral("Points");
}

Look readLook(const QSettings& settings) {
    Look look;
    const QString shading = settings.value(kShadingKey).toString();
    for (const render::Shading candidate : kAllShadings) {
        if (shadingName(candidate) == shading) look.shading = candidate;
    }
    look.distances = settings.value(kDistancesKey, look.distances).toBool();
    const QString map = settings.value(kMapKey).toString();
    for (const render::ColourMap candidate : kAllColourMaps) {
        if (nameOf(candidate) == map) look.map = candidate;
    }
    return look;
}

void writeLook(QSettings& settings, const Look& look) {
    settings.setValue(kShadingKey, shadingName(look.shading));
    settings.setValue(kDistancesKey, look.distances);
    settings.setValue(kMapKey, nameOf(look.map));
}

render::Scene makeScene(const Result* result, const Look& look, const ThemeColours& colours) {
    render::Scene scene;
    scene.panes.resize(PaneCameras::kPanes);
    if (result != nullptr) {
        scene.panes[0].mesh = result->coarse;
        scene.panes[1].mesh = result->refined;
        scene.colours.enabled = look.distances && result->highestDistance > 0;
        scene.colours.highest = result->highestDistance;
    }
    scene.colours.map = look.map;
    scene.shading = look.shading;
    scene.background = glm::vec4(vectorOf(colours.viewport), 1.0F);
    scene.surface = vectorOf(colours.surface);
    scene.divider = vectorOf(colours.border);
    return scene;
}

}  // namespace threefold::ui
