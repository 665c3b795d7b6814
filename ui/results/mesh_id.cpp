#include "ui/results/mesh_id.h"

#include <array>
#include <charconv>

#include "engine/measures/by_mesh.h"
#include "engine/model/mesh_stages.h"

namespace threefold::ui {
namespace {

constexpr std::string_view kOpened = "opened";
/// Names in the order of MeshId::Kind.
constexpr std::array<std::string_view, 8> kNames{kPublishedStageNames.front(),
                                                 kPublishedStageNames.back(),
                                                 "hull",
                                                 kFittedMesh,
                                                 "textured",
                                                 "truth",
                                                 "photograph",
                                                 kOpened};

}  // namespace

std::string MeshId::name() const {
    std::string name(kNames.at(static_cast<std::size_t>(kind)));
    return isOpened() ? name + std::to_string(number) : name;
}

std::optional<MeshId> MeshId::fromName(std::string_view name) {
    for (const MeshId id : kResultMeshes)
        if (name == id.name()) return id;
    for (const MeshId id : kPaneOnlyIds)
        if (name == id.name()) return id;
    if (!name.starts_with(kOpened)) return std::nullopt;
    std::uint32_t number = 0;
    const char* const end = name.data() + name.size();
    const auto read = std::from_chars(name.data() + kOpened.size(), end, number);
    const bool valid = read.ec == std::errc() && read.ptr == end && number > 0;
    return valid ? std::optional(opened(number)) : std::nullopt;
}

}  // namespace threefold::ui
