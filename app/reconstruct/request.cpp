#include "app/reconstruct/request.h"

#include <cmath>

#include <fmt/ranges.h>

#include "app/configuration/setting.h"
#include "engine/error.h"
#include "engine/formats/meshes/mesh_formats.h"

namespace threefold {

std::string textureWarning(const WrittenFiles& written) {
    if (written.texture == 0) return {};
    // The default formats contain a format without textures; only formats that the user gave are
    // worth a warning.
    if (fmt::format("{}", fmt::join(written.formats, ",")) == setting::formats.defaultValue)
        return {};
    std::vector<std::string> unsupported = written.formats;
    std::erase_if(unsupported, [](const std::string& format) {
        return infoOf(meshFormatFromExtension(format).value()).carriesTextures;
    });
    if (unsupported.empty()) return {};
    const std::string names = fmt::format("{}", fmt::join(unsupported, ", "));
    const std::string carriers = meshFormatNames(" and ", mesh_format_filters::withTextures);
    if (unsupported.size() == written.formats.size())
        throw UsageError({"--texture", names, "carries no texture",
                          fmt::format("Add obj or glb to --format: {} do.", carriers)});
    return fmt::format("{}: written without the texture, which {} carry", names, carriers);
}

void requireValidPlacement(const ObjectPlacement& object) {
    const auto finite = [](const std::optional<glm::dvec3>& v) {
        return !v || (std::isfinite(v->x) && std::isfinite(v->y) && std::isfinite(v->z));
    };
    if (!finite(object.centre))
        throw UsageError({"--object-centre", "", "is not finite", "Give three numbers."});
    if (object.size && !(std::isfinite(*object.size) && *object.size > 0))
        throw UsageError({"--object-size", fmt::format("{:g}", *object.size), "is not above zero",
                          "Give the diagonal of the object's bounding box."});
    if (!finite(object.up) || (object.up && *object.up == glm::dvec3(0.0)))
        throw UsageError({"--object-up", "", "has no direction", "Give it as 0,0,1 for example."});
}

}  // namespace threefold
