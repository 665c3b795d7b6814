#include "ui/window/window_parts.h"

#include "ui/document/measured_meshes.h"
#include "ui/document/result_history.h"
#include "ui/run/reconstructor.h"
#include "ui/window/main_window.h"
#include "ui/window/window_scene.h"

namespace threefold::ui {

WindowModels makeModels(QMainWindow& window, QSettings& settings, const NetworkClient& client) {
    auto& document = *new Document(&window);
    const WindowModels models{document,
                              *new InputModel(&window),
                              *new OpenedMeshValues(document),
                              *new PhotographTextures(document),
                              *new CameraLayers(document, client.viewCache()),
                              *new PhotographPane(document, client.viewCache())};
    document.look.set(readLook(settings));
    QObject::connect(&document.look, &LookModel::changed, &document,
                     [&settings, &look = document.look] { writeLook(settings, look.current()); });
    return models;
}

WindowParts makeParts(QMainWindow& window, const WindowSetup& setup, NetworkClient& client) {
    const WindowModels models = makeModels(window, setup.settings, client);
    Document& document = models.document;
    const WindowContext context{window,
                                document,
                                *new Actions(window, document),
                                *new Banner,
                                *new StatusLine(document.run),
                                setup.settings};
    const WindowLayout layout = makeLayout(context, models, setup, client);
    Viewport& viewport = layout.panes.viewport;
    auto& scene = *new WindowScene(window, models, viewport);
    auto& reconstructor = *new Reconstructor(context, models.input, viewport, client);
    return {models,
            layout,
            scene,
            reconstructor,
            {context, reconstructor, models.input, models.shown(), *new MeasuredMeshes(document),
             *new ResultHistory(document)}};
}

}  // namespace threefold::ui
