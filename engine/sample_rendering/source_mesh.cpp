#include "engine/sample_rendering/source_mesh.h"

#include <algorithm>
#include <cstddef>
#include <system_error>
#include <tuple>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/meshes/mesh_formats.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// Makes a name valid for a folder and for a line of a list.
std::string sanitised(std::string name, bool isCategory) {
    for (char& c : name) {
        const bool control = static_cast<unsigned char>(c) < 0x20;
        if (control || c == '/' || c == '\\' || (isCategory && c == '_')) c = '-';
    }
    while (!name.empty() && name.back() == ' ') name.pop_back();
    const std::size_t begin = name.find_first_not_of(' ');
    name.erase(0, std::min(begin, name.size()));
    // '#' begins a comment in a list, '.' a hidden folder.
    if (!name.empty() && (name.front() == '#' || name.front() == '.')) name.front() = '-';
    return name.empty() ? "mesh" : name;
}

bool isHidden(const fs::path& path) {
    return path.filename().string().starts_with('.');
}

/// Whether a link, below `top`, leads to a folder that contains the link: following it would never
/// end.
bool leadsBack(const fs::path& link, const fs::path& top) {
    std::error_code error;
    fs::path above = link;
    do {
        above = above.parent_path();
        if (fs::equivalent(above.empty() ? "." : above, link, error)) return true;
    } while (above != top && above.has_relative_path());
    return false;
}

}  // namespace

SourceMesh nameMesh(const fs::path& file, const std::string& category) {
    const fs::path absolute = absolutePath(file).lexically_normal();
    fs::path folder = absolute.parent_path();
    std::string id = absolute.stem().string();
    if (id == "model" || id == "model_normalized") {
        if (folder.filename() == "models") folder = folder.parent_path();
        if (folder.has_filename()) {
            id = folder.filename().string();
            folder = folder.parent_path();
        }
    }
    return {file, sanitised(category.empty() ? folder.filename().string() : category, true),
            sanitised(id, false)};
}

std::vector<SourceMesh> findMeshes(const fs::path& folder, const std::string& category,
                                   const fs::path& except) {
    std::vector<SourceMesh> meshes;
    std::error_code error;
    const auto isExcept = [&](const fs::path& path) {
        std::error_code none;
        return !except.empty() && fs::equivalent(path, except, none);
    };
    constexpr auto kSkip = fs::directory_options::skip_permission_denied |
                           fs::directory_options::follow_directory_symlink;
    for (fs::recursive_directory_iterator it(folder, kSkip, error), end; !error && it != end;
         it.increment(error)) {
        std::error_code entryError;
        const auto format = meshFormatFromExtension(it->path().extension().string());
        if (it->is_directory(entryError)) {
            if (isHidden(it->path()) || isExcept(it->path()) ||
                (it->is_symlink(entryError) && leadsBack(it->path(), folder)))
                it.disable_recursion_pending();
        } else if (isHidden(it->path())) {
            continue;
        } else if (format && infoOf(*format).carriesFaces && it->is_regular_file(entryError)) {
            meshes.push_back(nameMesh(it->path(), category));
        }
    }
    if (meshes.empty())
        throw InputError({folder.string(), "",
                          error ? "cannot be listed: " + error.message() : "holds no mesh",
                          fmt::format("Give a mesh, or a folder with {} files.",
                                      meshFormatNames(" or ", mesh_format_filters::withFaces))});
    std::ranges::sort(meshes, {}, [](const SourceMesh& mesh) {
        return std::tie(mesh.category, mesh.id, mesh.file);
    });
    return meshes;
}

}  // namespace threefold
