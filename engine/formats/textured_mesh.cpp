#include "engine/formats/textured_mesh.h"

#include <algorithm>
#include <map>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/file_bytes.h"
#include "engine/formats/materials.h"
#include "engine/formats/obj_surface.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

bool isFile(const fs::path& file) {
    std::error_code error;
    return fs::is_regular_file(file, error);
}

/// What a file calls `name`: as it stands, or where only its folders are another machine's, beside
/// the file. Empty where there is none.
fs::path findBeside(const fs::path& folder, std::string name) {
    std::replace(name.begin(), name.end(), '\\', '/');
    if (name.empty()) return {};
    for (const fs::path& file : {folder / name, folder / fs::path(name).filename()})
        if (isFile(file)) return file;
    return {};
}

class SurfaceMaking {
  public:
    explicit SurfaceMaking(TexturedMesh& mesh) : mesh_(mesh) {}

    void add(ObjSurface surface) {
        const fs::path folder = mesh_.mesh.source.parent_path();
        for (const std::string& library : surface.libraries) readLibrary(folder, library);
        std::vector<std::uint32_t> numbers;
        for (const std::string& name : surface.materialNames) numbers.push_back(take(folder, name));
        mesh_.materialOfFace.reserve(surface.nameOfFace.size());
        for (const std::uint32_t name : surface.nameOfFace)
            mesh_.materialOfFace.push_back(numbers[name]);
        mesh_.coordinates = std::move(surface.coordinates);
    }

  private:
    /// `named` is one file, whose name may hold blanks, or several.
    void readLibrary(const fs::path& folder, const std::string& named) {
        fs::path file = findBeside(folder, named);
        if (file.empty() && named.find(' ') != std::string::npos) {
            const std::size_t blank = named.find(' ');
            readLibrary(folder, named.substr(0, blank));
            return readLibrary(folder, named.substr(blank + 1));
        }
        if (file.empty()) {
            mesh_.missing.push_back(fmt::format("the material library '{}' is not there", named));
            return;
        }
        try {
            for (auto& [name, material] : readMaterials(file))
                known_[name] = {std::move(material), file.parent_path()};
        } catch (const Error& error) {
            mesh_.missing.emplace_back(error.what());
        }
    }

    std::uint32_t take(const fs::path& folder, const std::string& name) {
        const auto found = known_.find(name);
        if (name.empty() || found == known_.end()) {
            if (!name.empty() && !known_.empty())
                mesh_.missing.push_back(fmt::format("the material '{}' is in no library", name));
            return kNoMaterial;
        }
        const auto& [named, libraryFolder] = found->second;
        Material material{named.diffuse};
        if (!named.texture.empty()) {
            fs::path file = findBeside(libraryFolder, named.texture);
            if (file.empty()) file = findBeside(folder, named.texture);
            material.texture = texture(named.texture, file);
        }
        mesh_.materials.push_back(material);
        return static_cast<std::uint32_t>(mesh_.materials.size() - 1);
    }

    std::int32_t texture(const std::string& named, const fs::path& file) {
        const auto [place, isNew] = textures_.emplace(file, Material::kNoTexture);
        if (!isNew) return place->second;
        try {
            if (file.empty())
                throw IoError({named, "", "is not there", "Put the texture beside the mesh."});
            Image image = readImage(file);
            mesh_.textures.push_back(std::move(image));
            place->second = static_cast<std::int32_t>(mesh_.textures.size() - 1);
        } catch (const Error& error) {
            mesh_.missing.push_back(fmt::format("texture {}", error.what()));
        }
        return place->second;
    }

    TexturedMesh& mesh_;
    std::map<std::string, std::pair<NamedMaterial, fs::path>> known_;
    std::map<fs::path, std::int32_t> textures_;
};

}  // namespace

TexturedMesh readTexturedMesh(const fs::path& file, const MeshReading& reading) {
    const std::vector<std::byte> bytes = readFile(file);
    TexturedMesh textured;
    textured.mesh = decodeMesh(bytes, file, reading);
    if (textured.mesh.format != MeshFormat::obj || textured.mesh.faces.empty()) return textured;
    try {
        ObjSurface surface = decodeObjSurface(bytes, file, textured.mesh.vertices, reading);
        if (surface.faces == textured.mesh.faces) {
            SurfaceMaking(textured).add(std::move(surface));
        } else {
            textured.missing.emplace_back("its materials do not fit its faces");
        }
    } catch (const FormatError& error) {
        // readMesh() takes the mesh as it is, so a surface that is broken costs the colours alone.
        textured.missing.emplace_back(error.what());
    }
    return textured;
}

}  // namespace threefold
