#include "ui/document/opened_meshes.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace threefold::ui {

const OpenedMeshRef& OpenedMeshes::find(MeshId id) const {
    static const OpenedMeshRef kNone;
    return id.isOpened() && id.number <= meshes_.size() ? meshes_[id.number - 1] : kNone;
}

const OpenedMeshRef& OpenedMeshes::first() const {
    const std::vector<MeshId> opened = ids();
    return find(opened.empty() ? MeshId::opened(1) : opened.front());
}

void OpenedMeshes::set(MeshId id, OpenedMeshRef mesh) {
    if (!id.isOpened()) return;
    if (mesh == find(id)) return;
    meshes_.resize(std::max<std::size_t>(meshes_.size(), id.number));
    meshes_[id.number - 1] = std::move(mesh);
    Q_EMIT replaced();
    Q_EMIT changed();
}

std::vector<MeshId> OpenedMeshes::ids() const {
    std::vector<MeshId> ids;
    for (std::uint32_t number = 1; number <= meshes_.size(); ++number)
        if (find(MeshId::opened(number))) ids.push_back(MeshId::opened(number));
    return ids;
}

std::vector<MeshId> OpenedMeshes::idsWithResult() const {
    std::vector<MeshId> all(std::begin(kResultMeshes), std::end(kResultMeshes));
    std::ranges::copy(ids(), std::back_inserter(all));
    return all;
}

void OpenedMeshes::setReference(OpenedMeshRef reference) {
    if (reference == reference_) return;
    reference_ = std::move(reference);
    Q_EMIT replaced();
    Q_EMIT changed();
}

std::vector<std::string> OpenedMeshes::fileValueNames() const {
    std::vector<std::string> names;
    for (const OpenedMeshRef& opened : meshes_) {
        if (!opened || !opened->scalars) continue;
        for (const VertexScalars& scalars : *opened->scalars)
            if (std::ranges::count(names, scalars.name) == 0) names.push_back(scalars.name);
    }
    return names;
}

}  // namespace threefold::ui
