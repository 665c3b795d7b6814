#include "engine/formats/meshes/mesh_formats.h"

#include "engine/formats/text/text_encoding.h"

namespace threefold {
namespace {

#define THREEFOLD_ENTRY(name) &mesh_formats::name,
constexpr const MeshFormatInfo* kFormats[] = {THREEFOLD_MESH_FORMATS(THREEFOLD_ENTRY)};
#undef THREEFOLD_ENTRY

}  // namespace

const MeshFormatInfo& infoOf(MeshFormat format) {
    return *kFormats[static_cast<std::size_t>(format)];
}

std::vector<MeshFormat> meshFormats(MeshFormatFilter filter) {
    std::vector<MeshFormat> formats;
    for (std::size_t i = 0; i < std::size(kFormats); ++i)
        if (filter(*kFormats[i])) formats.push_back(static_cast<MeshFormat>(i));
    return formats;
}

std::string meshFormatNames(std::string_view last, MeshFormatFilter filter) {
    std::string names;
    for (const MeshFormat format : meshFormats(filter)) {
        if (!names.empty()) names += ", ";
        names += infoOf(format).names;
    }
    if (const std::size_t at = names.rfind(", "); at != names.npos) names.replace(at, 2, last);
    return names;
}

std::vector<std::string> meshExtensions(MeshFormatFilter filter) {
    std::vector<std::string> extensions;
    for (const MeshFormat format : meshFormats(filter))
        for (const std::string_view extension : infoOf(format).extensions)
            if (!extension.empty()) extensions.push_back("." + std::string(extension));
    return extensions;
}

std::string_view meshFormatExtension(MeshFormat format) {
    return infoOf(format).extensions[0];
}

std::optional<MeshFormat> meshFormatFromExtension(std::string_view name) {
    if (name.starts_with('.')) name.remove_prefix(1);
    const std::string lowerName = lowered(name);
    for (const MeshFormat format : meshFormats())
        for (const std::string_view extension : infoOf(format).extensions)
            if (!lowerName.empty() && lowerName == extension) return format;
    return std::nullopt;
}

bool looksLikeMeshFile(const std::filesystem::path& file) {
    return meshFormatFromExtension(file.extension().string()).has_value();
}

}  // namespace threefold
