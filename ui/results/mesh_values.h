#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <QString>

#include "engine/geometry/surface_index.h"
#include "render/scene.h"

namespace threefold::ui {

/// A truth to measure meshes against: its points, and an index of its faces if the truth has faces.
struct TruthShape {
    render::SceneMeshRef points;                  ///< or null
    std::shared_ptr<const SurfaceIndex> surface;  ///< or null
};

/// One number for each vertex of one mesh; NaN: no value. The numbers colour only that mesh.
class MeshValues {
  public:
    MeshValues() = default;
    MeshValues(render::SceneMeshRef mesh, render::SceneValues values)
        : mesh_(std::move(mesh)),
          values_(std::make_shared<const render::SceneValues>(std::move(values))) {}

    /// The values if they belong to `mesh`, else null.
    render::SceneValuesRef valuesFor(const render::SceneMeshRef& mesh) const {
        return mesh == mesh_ ? values_ : nullptr;
    }
    explicit operator bool() const { return values_ != nullptr; }
    const render::SceneValues& operator*() const { return *values_; }
    const render::SceneValues* operator->() const { return values_.get(); }
    bool operator==(const MeshValues&) const = default;

  private:
    render::SceneMeshRef mesh_;
    render::SceneValuesRef values_;
};

/// The values of a quantity on one mesh.
struct SurfaceValues {
    MeshValues values;  ///< empty: see `reason`
    /// The finite values, ascending, for ranges and histograms. Null if `values` is empty.
    std::shared_ptr<const std::vector<float>> sorted;
    /// Absolute finite values, ascending, of a diverging quantity; else `sorted`.
    std::shared_ptr<const std::vector<float>> magnitudes;
    QString unit;
    bool diverging = false;
    QString reason;  ///< why `values` is empty, a sentence; empty if no reason need be given
};

}  // namespace threefold::ui
