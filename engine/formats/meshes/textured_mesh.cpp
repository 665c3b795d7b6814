#include "engine/formats/meshes/textured_mesh.h"

#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/bytes/named_files.h"
#include "engine/formats/meshes/mesh_readers.h"

namespace threefold {

TexturedMesh decodeTexturedMesh(std::span<const std::byte> bytes,
                                const std::filesystem::path& subject, const MeshReading& reading,
                                const NamedFiles& files) {
    TexturedMesh textured;
    MeshInput input{bytes, subject, reading, &files, &textured};
    try {
        textured.mesh = decodeMesh(input);
    } catch (const FormatError& error) {
        // What is wrong may be the look of a glTF: then the shape alone can be read.
        static_cast<MeshLook&>(textured) = {};
        input.look = nullptr;
        textured.mesh = decodeMesh(input);
        textured.missing.emplace_back(error.what());
    }
    return textured;
}

TexturedMesh readTexturedMesh(const std::filesystem::path& file, const MeshReading& reading) {
    return decodeTexturedMesh(readFile(file, kLargestContent), file, reading,
                              FilesOnDisk(file.parent_path()));
}

}  // namespace threefold
