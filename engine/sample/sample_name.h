#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace threefold {

/// Name of a sample in ShapeNet's layout, as lists of samples give it. The sample need not exist.
struct SampleName {
    std::string category;  ///< "02691156"
    std::string id;        ///< "p0001"; may hold underscores
    int view = 0;          ///< view whose space the truth is in, 0…99
};

/// Parses "{category}_{id}_{view}", with any extension of truth files or none; nullopt for other
/// names.
std::optional<SampleName> parseTruthName(const std::filesystem::path& fileName);

/// Parses a line of a list: a name that parseTruthName() parses;
/// ".../category/id/rendering/00.dat", as in Pixel2Mesh's own lists; or
/// ".../category/id/model.binvox", as in 3D-R2N2's voxel lists. nullopt for other lines.
std::optional<SampleName> parseSampleName(const std::filesystem::path& location);

}  // namespace threefold
