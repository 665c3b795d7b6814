#include "ui/panes/view_aids.h"

#include <QColorDialog>

#include "ui/document/camera_layers.h"
#include "ui/document/connections.h"
#include "ui/panes/viewport.h"
#include "ui/shell/feature_context.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

// Commands for viewing aids: axes, ground, cameras, light, colours, a cut.
class ViewAids : public QObject {
    Q_DECLARE_TR_FUNCTIONS(ViewAids)

  public:
    ViewAids(const FeatureContext& context, Viewport& viewport, const CameraLayers& cameras)
        : QObject(&context.window),
          context_(context),
          viewport_(viewport),
          document_(context.document),
          cameras_(cameras) {
        const auto add = [&](const QString& text, int keys, const QString& tooltip, auto target) {
            return context.actions.addToggle({.menu = MenuSection::viewLook,
                                              .text = text,
                                              .keys = Qt::SHIFT | Qt::Key(keys),
                                              .tooltip = tooltip},
                                             target);
        };
        add(tr("A&xes"), Qt::Key_X, tr("The directions of x, y and z in the corner of each pane"),
            &Look::axes);
        add(tr("&Ground grid"), Qt::Key_G, tr("A horizontal grid below the meshes"), &Look::ground);
        context.actions.addToggle(
            {.menu = MenuSection::viewLook,
             .text = tr("&Z is up"),
             .tooltip = tr("Meshes that are opened without a sample have z up in their files, not "
                           "y: turn the view, not the meshes")},
            &Look::zUp);
        add(tr("Tint &back faces"), Qt::Key_B,
            tr("Faces seen from behind are orange, so that holes and inverted faces are visible"),
            &Look::backfaces);
        QAction* shown =
            add(tr("&Cameras"), Qt::Key_C,
                tr("Where the photographs were taken: a pyramid for each"), &Look::cameras);
        connect(shown, &QAction::triggered, this, &ViewAids::frameCameras);
        add(tr("&Photograph behind"), Qt::Key_I,
            tr("The photograph behind the meshes while they are seen from its camera "
               "(0, Ctrl+1 …)"),
            &Look::backdrop);
        add(tr("&Light from the front"), Qt::Key_L,
            tr("Fix the lights to the object's front, instead of to the camera"),
            render::Lighting::fixed);
        addCut();
        addColour(tr("&Surface colour…"), tr("Colour of meshes without values"),
                  &Look::surfaceColour, &ThemeColours::surface);
        addColour(tr("Back&ground colour…"), tr("Colour behind the meshes"),
                  &Look::backgroundColour, &ThemeColours::viewport);
        QAction* reset = context.actions.add(
            {.menu = MenuSection::viewLook,
             .text = tr("The theme's c&olours"),
             .tooltip = tr("Restore the theme's colours of surface and background")},
            this, [this] {
                document_.look.change(
                    [](Look& look) { look.surfaceColour = look.backgroundColour = std::nullopt; });
            });
        const auto refresh = [this, reset] {
            const Look& look = document_.look.current();
            reset->setEnabled(look.surfaceColour || look.backgroundColour);
        };
        connect(&document_.look, &LookModel::changed, this, refresh);
        refresh();
        const auto updateUp = [this] { viewport_.setUp(document_.shownUp()); };
        connectChanged(this, updateUp, document_.look, document_.result, document_.run);
        updateUp();
    }

  private:
    void addCut() {
        QAction* cut = context_.actions.add(
            {.menu = MenuSection::viewLook,
             .text = tr("C&ut away"),
             .keys = Qt::Key_K,
             .tooltip = tr(
                 "Cut away everything in front of the view's centre, to look inside; Ctrl and the "
                 "wheel, or + and −, move the cut")},
            this, [this](bool on) {
                viewport_.setClipping(on);
                if (on) context_.status.showMessage(tr("Ctrl and the wheel move the cut"));
            });
        cut->setCheckable(true);
        Viewport& viewport = viewport_;
        connect(&viewport, &Viewport::camerasChanged, cut,
                [cut, &viewport] { cut->setChecked(viewport.cameras().isClipping()); });
    }

    // Adds a command that chooses a colour in a dialog; the panes show it at once.
    void addColour(const QString& text, const QString& tooltip,
                   std::optional<std::uint32_t> Look::*field, QColor ThemeColours::*themeColour) {
        context_.actions.add(
            {.menu = MenuSection::viewLook, .text = text, .tooltip = tooltip}, this,
            [this, tooltip, field, themeColour] {
                const std::optional<std::uint32_t> before = document_.look.current().*field;
                const auto set = [this, field](std::optional<std::uint32_t> colour) {
                    document_.look.change([&](Look& look) { look.*field = colour; });
                };
                auto* dialog = new QColorDialog(&context_.window);
                dialog->setAttribute(Qt::WA_DeleteOnClose);
                dialog->setWindowTitle(tooltip);
                dialog->setCurrentColor(before
                                            ? QColor::fromRgb(*before)
                                            : themeColours(context_.window.palette()).*themeColour);
                connect(dialog, &QColorDialog::currentColorChanged, this,
                        [set](const QColor& chosen) { set(chosen.rgb() & 0xFFFFFFU); });
                connect(dialog, &QDialog::rejected, this, [set, before] { set(before); });
                dialog->open();
            });
    }

    // Frames the centres of all cameras, which stand around the meshes, outside of the default
    // frame; frames the meshes again when the cameras are switched off.
    void frameCameras(bool on) {
        if (!on) return viewport_.frameMeshes();
        Points points = cameras_.cameraCentres();
        if (!points.empty()) viewport_.framePoints(std::make_shared<const Points>(points));
    }

    FeatureContext context_;
    Viewport& viewport_;
    Document& document_;
    const CameraLayers& cameras_;
};

}  // namespace

void addViewAids(const FeatureContext& context, Viewport& viewport, const CameraLayers& cameras) {
    new ViewAids(context, viewport, cameras);
}

}  // namespace threefold::ui
