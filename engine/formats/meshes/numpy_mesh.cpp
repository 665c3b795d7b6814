#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/meshes/mesh_readers.h"
#include "engine/formats/tensors/npz.h"
#include "engine/utf8.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

/// Names under which an .npz commonly holds points, faces and normals. Of the names for faces and
/// for normals, the first that is present is used.
constexpr std::array<std::string_view, 8> kPointNames{"points", "vertices", "verts", "coords",
                                                      "coord",  "xyz",      "pos",   "v"};
constexpr std::array<std::string_view, 4> kFaceNames{"faces", "triangles", "face", "f"};
constexpr std::array<std::string_view, 3> kNormalNames{"normals", "normal", "vn"};

bool isTable(const Array& array, std::size_t width) {
    return array.shape.size() == 2 && array.shape[1] == width;
}

bool isCloud(const Array& array) {
    return (isTable(array, 3) || isTable(array, 6)) && array.dtype != DType::boolean;
}

const Array* find(const ArrayMap& arrays, std::span<const std::string_view> names) {
    for (const std::string_view name : names)
        if (const auto entry = arrays.find(std::string(name)); entry != arrays.end())
            return &entry->second;
    return nullptr;
}

/// Returns the array that has one of kPointNames; null if there is none. Throws FormatError if
/// several such arrays could be the points.
const Array* namedPoints(const ArrayMap& arrays, const Path& subject) {
    std::string_view chosen;
    for (const std::string_view name : kPointNames) {
        const auto entry = arrays.find(std::string(name));
        if (entry == arrays.end() || !isCloud(entry->second)) continue;
        if (!chosen.empty())
            throw FormatError({subject.string(), "",
                               fmt::format("has the arrays '{}' and '{}', either of which could be "
                                           "the points",
                                           chosen, name),
                               "Save one of them alone, with its faces."});
        chosen = name;
    }
    return chosen.empty() ? find(arrays, kPointNames) : &arrays.find(std::string(chosen))->second;
}

/// Lists arrays: "'a' [3, 4], 'b' [2] of '<U5'", at most eight.
std::string listed(const std::map<std::string, NpyHeader>& arrays) {
    constexpr std::size_t kMaxShown = 8;
    constexpr std::size_t kMaxLength = 40;
    std::string text;
    std::size_t count = 0;
    for (const auto& [name, array] : arrays) {
        if (count++ == kMaxShown)
            return text + fmt::format(" and {} more", arrays.size() - kMaxShown);
        text += fmt::format("{}'{}' {}", text.empty() ? "" : ", ", textPrefix(name, kMaxLength),
                            shapeText(array.shape));
        if (!array.type) text += fmt::format(" of '{}'", textPrefix(array.descr, kMaxLength));
    }
    return text.empty() ? "none" : text;
}

/// Appends the first three values of each row, less `origin`, to `points`, and the last three of a
/// row of six to `normals`. decodeMesh() drops points that are not finite.
void addRows(const Array& array, glm::dvec3 origin, Points& points, Points& normals) {
    const std::size_t width = array.shape[1];
    points.reserve(array.shape[0]);
    if (width == 6) normals.reserve(array.shape[0]);
    const auto add = [&](const auto& values) {
        for (std::size_t i = 0; i < array.shape[0]; ++i) {
            const auto* row = values.data() + i * width;
            points.emplace_back(glm::dvec3(row[0], row[1], row[2]) - origin);
            if (width == 6) normals.emplace_back(row[3], row[4], row[5]);
        }
    };
    if (array.dtype == DType::f64 && origin != glm::dvec3(0.0))
        add(array.toDouble());
    else
        add(array.toFloat());
}

/// If the normals are invalid, drops only them, not the shape.
void checkNormals(LoadedMesh& mesh) {
    dropIncomplete(mesh, mesh.normals, "normals", std::ranges::all_of(mesh.normals, isFinite));
}

/// Throws FormatError if memory comes close to a reader's limit, 16 × the file's size + 64 MB:
/// small integers that are compressed in the file could exceed the limit after conversion to
/// floats.
void checkMemory(const ArrayMap& arrays, const Array& points, const Array* faces,
                 std::size_t fileSize, const Path& subject) {
    constexpr std::uint64_t kSpare = std::uint64_t{60} << 20;
    std::uint64_t held = 0;
    for (const auto& [name, array] : arrays) held += array.data.size();
    // The values of a row exist twice, as floats or doubles and as vectors; the corners of a face
    // as integers of 64 and of 32 bits.
    std::uint64_t needed = held + std::uint64_t{points.shape[0]} * points.shape[1] * 12;
    if (faces != nullptr) needed += std::uint64_t{faces->shape[0]} * (faces->shape[1] - 2) * 36;
    if (needed <= 16 * std::uint64_t{fileSize} + kSpare) return;
    throw FormatError(
        {subject.string(), "",
         fmt::format("unpacks to {} points, which take {} MB: more than is allowed for "
                     "a file of {} bytes",
                     points.shape[0], needed >> 20U, fileSize),
         "Save it with numpy.savez, not packed."});
}

/// Calls `read`; turns InputErrors of Array, which name no file, into FormatErrors about `subject`.
template <class Read>
void aboutArraysOf(const Path& subject, Read read) {
    try {
        read();
    } catch (const InputError& error) {
        throw FormatError({subject.string(), error.report().place, error.report().problem,
                           "Save the points again, as float32."});
    }
}

void addFaces(const Array& array, const Path& subject, LoadedMesh& mesh) {
    const std::vector<std::int64_t> corners = array.toInt64();
    const auto count = static_cast<std::int64_t>(mesh.vertices.size());
    const std::size_t sides = array.shape[1];
    mesh.faces.reserve(array.shape[0] * (sides - 2));
    std::vector<std::uint32_t> face(sides);
    for (std::size_t i = 0; i < array.shape[0]; ++i) {
        for (std::size_t c = 0; c < sides; ++c) {
            const std::int64_t corner = corners[sides * i + c];
            if (corner < 0 || corner >= count)
                throw FormatError(
                    {subject.string(), fmt::format("face {}", i),
                     fmt::format("names the vertex {}, but the number of vertices is {}", corner,
                                 count),
                     "Count vertices from 0."});
            face[c] = static_cast<std::uint32_t>(corner);
        }
        sides == 3 ? void(addTriangle(mesh, {face[0], face[1], face[2]})) : addPolygon(mesh, face);
    }
}

LoadedMesh readNpy(const MeshInput& input) {
    const Path& subject = input.source.subject;
    const Array array = decodeNpy(input.source.bytes, subject);
    if (!isCloud(array))
        throw FormatError(
            {subject.string(), "",
             fmt::format("holds an array of {}shape {}, expected numbers, [N, 3] or "
                         "[N, 6]",
                         array.dtype == DType::boolean ? "booleans, " : "", shapeText(array.shape)),
             "Save the points as one row each: x y z, or x y z and a normal."});
    LoadedMesh cloud;
    aboutArraysOf(subject, [&] { addRows(array, input.origin, cloud.vertices, cloud.normals); });
    checkNormals(cloud);
    return cloud;
}

LoadedMesh readNpz(const MeshInput& input) {
    const Path& subject = input.source.subject;
    const std::map<std::string, NpyHeader> headers = decodeNpzHeaders(input.source.bytes, subject);
    const ArrayMap arrays = decodeNpz(input.source.bytes, subject);
    const Array* points = namedPoints(arrays, subject);
    if (points == nullptr) {
        const auto array = &ArrayMap::value_type::second;
        if (std::ranges::count_if(arrays, isCloud, array) == 1)
            points = &std::ranges::find_if(arrays, isCloud, array)->second;
    }
    if (points == nullptr || !isCloud(*points))
        throw FormatError(
            {subject.string(), "",
             fmt::format("has no array that can be identified as the points: {}", listed(headers)),
             "Save the points under the name 'points', [N, 3] or [N, 6], and the "
             "faces of a mesh under 'faces', [M, 3]."});
    const Array* faces = find(arrays, kFaceNames);
    if (faces != nullptr && !isTable(*faces, 3) && !isTable(*faces, 4)) faces = nullptr;
    checkMemory(arrays, *points, faces, input.source.bytes.size(), subject);
    LoadedMesh mesh;
    std::size_t usedArrays = 1;
    aboutArraysOf(subject, [&] {
        addRows(*points, input.origin, mesh.vertices, mesh.normals);
        const Array* normals = find(arrays, kNormalNames);
        const bool fits = normals != nullptr && isTable(*normals, 3) &&
                          normals->shape[0] == points->shape[0] && mesh.normals.empty();
        if (fits) {
            Points unused;
            addRows(*normals, glm::dvec3(0.0), mesh.normals, unused);
            ++usedArrays;
        } else if (normals != nullptr) {
            mesh.unreadContent["normals"] += normals->shape.empty() ? 0 : normals->shape[0];
            ++usedArrays;
        }
        if (faces != nullptr) {
            addFaces(*faces, subject, mesh);
            ++usedArrays;
        }
    });
    checkNormals(mesh);
    if (headers.size() > usedArrays)
        mesh.unreadContent["other arrays"] = headers.size() - usedArrays;
    return mesh;
}

}  // namespace

const MeshFormatInfo mesh_formats::npy{
    .names = "NPY",
    .extensions = {"npy"},
    .recognises =
        [](const FormatProbe& content) { return content.beginning.starts_with("\x93NUMPY"); },
    .decode = readNpy,
    .holdsArrays = true,
};

const MeshFormatInfo mesh_formats::npz{
    .names = "NPZ",
    .extensions = {"npz"},
    .recognises =
        [](const FormatProbe& content) {
            return content.beginning.starts_with("PK\x03\x04") ||
                   content.beginning.starts_with("PK\x05\x06");
        },
    .decode = readNpz,
    .holdsArrays = true,
};

}  // namespace threefold
