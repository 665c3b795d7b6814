#pragma once

#include "ui/document/camera_layers.h"
#include "ui/document/input_model.h"
#include "ui/document/opened_mesh_values.h"
#include "ui/document/photograph_pane.h"
#include "ui/document/photograph_textures.h"
#include "ui/document/shown_document.h"

namespace threefold::ui {

/// The window's models: the document, the values and pictures that are computed or read for the
/// document in the background, and the input of the next reconstruction.
struct WindowModels {
    Document& document;
    InputModel& input;
    OpenedMeshValues& openedValues;
    PhotographTextures& photographs;
    CameraLayers& cameraLayers;
    PhotographPane& photographPane;

    ShownDocument shown() const { return {document, &openedValues, &photographs}; }
};

}  // namespace threefold::ui
