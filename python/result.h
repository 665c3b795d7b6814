#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/fitting/fit_mesh.h"
#include "engine/sample_steps/fitted_mesh.h"
#include "engine/sample_steps/fitted_reconstruction.h"
#include "engine/views/camera.h"
#include "python/arrays.h"

namespace threefold::python {

/// Result of reconstruct() and fit(), threefold.Result in Python: meshes of one object.
struct PythonResult {
    FittedReconstruction reconstruction;
    Camera camera;  ///< camera of the first view
    std::optional<FitResult> fit = {};
    std::vector<std::string> fitNotes = {};  ///< FittedMesh::notes
    std::optional<HullFit> hullFit = {};     ///< FittedMesh::hullFit
    std::string choiceReason = {};           ///< FittedMesh::choiceReason

    bool fitted() const { return reconstruction.fitted.has_value(); }
};

/// Defines Result and PUBLISHED_STAGES, the names of the published stages, in the module _engine.
void defineResult(nb::module_& module);

}  // namespace threefold::python
