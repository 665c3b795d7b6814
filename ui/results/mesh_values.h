#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <QString>

#include "render/scene.h"

namespace threefold::ui {

/// One number for each vertex of one mesh, NaN: none. Only that mesh is drawn with them.
class MeshValues {
  public:
    MeshValues() = default;
    MeshValues(render::SceneMeshRef mesh, render::SceneValues values)
        : mesh_(std::move(mesh)),
          values_(std::make_shared<const render::SceneValues>(std::move(values))) {}

    /// For a scene; null: these are of another mesh.
    render::SceneValuesRef on(const render::SceneMeshRef& mesh) const {
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
    MeshValues values;  ///< none: see `reason`
    /// The finite ones, ascending: for ranges and histograms. Null where `values` is.
    std::shared_ptr<const std::vector<float>> sorted;
    /// The same without signs, for a quantity that diverges; else `sorted`.
    std::shared_ptr<const std::vector<float>> sizes;
    QString unit;
    bool diverging = false;
    QString reason;  ///< a sentence; empty where there are values, or none are wanted
};

}  // namespace threefold::ui
