#include "engine/sample_rendering/mesh_folder.h"

#include <algorithm>
#include <system_error>
#include <tuple>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/meshes/mesh_formats.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// Makes a name valid for a folder and for a line of a list.
std::string usable(std::string name, bool isCategory) {
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

/// Whether a link leads back to a folder that it is in, below `top`: following it would never end.
bool leadsBack(const fs::path& link, const fs::path& top) {
    std::error_code error;
    fs::path above = link;
    do {
        above = above.parent_path();
        if (fs::equivalent(above.empty() ? "." : above, link, error)) return true;
    } while (above != top && above.has_relative_path());
    return false;
}

bool isSurfaceFile(const fs::path& file) {
    const auto format = meshFormatFromName(file.extension().string());
    return format && infoOf(*format).carriesFaces;
}

}  // namespace

ItemMesh nameMesh(const fs::path& file, const std::string& category) {
    const fs::path whole = fs::absolute(file).lexically_normal();
    fs::path folder = whole.parent_path();
    std::string item = whole.stem().string();
    if (item == "model" || item == "model_normalized") {
        if (folder.filename() == "models") folder = folder.parent_path();
        if (folder.has_filename()) {
            item = folder.filename().string();
            folder = folder.parent_path();
        }
    }
    return {file, usable(category.empty() ? folder.filename().string() : category, true),
            usable(item, false)};
}

std::vector<ItemMesh> findMeshes(const fs::path& folder, const std::string& category,
                                 const fs::path& except) {
    std::vector<ItemMesh> meshes;
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
        if (it->is_directory(entryError)) {
            if (isHidden(it->path()) || isExcept(it->path()) ||
                (it->is_symlink(entryError) && leadsBack(it->path(), folder)))
                it.disable_recursion_pending();
        } else if (isHidden(it->path())) {
            continue;
        } else if (isSurfaceFile(it->path()) && it->is_regular_file(entryError)) {
            meshes.push_back(nameMesh(it->path(), category));
        }
    }
    if (meshes.empty())
        throw InputError({folder.string(), "",
                          error ? "cannot be listed: " + error.message() : "holds no mesh",
                          fmt::format("Give a mesh, or a folder with {} files.",
                                      meshFormatNames(" or ", mesh_formats::withFaces))});
    std::ranges::sort(meshes, {}, [](const ItemMesh& mesh) {
        return std::tie(mesh.category, mesh.item, mesh.file);
    });
    return meshes;
}

}  // namespace threefold
