#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/mesh.h"

namespace threefold::test {

/// The folder of a bundled sample, such as bundledSample("02691156").
std::filesystem::path bundledSample(const std::string& category);

/// Arguments that reconstruct the bundled aeroplane into the folder `output`, with further options.
std::vector<std::string> reconstructing(const std::filesystem::path& output,
                                        const std::vector<std::string>& options = {});

/// Truth file of a bundled sample.
std::string truthOf(const std::string& category);

/// A copy of a bundled sample in ShapeNet's layout below `root`, to be damaged.
/// Returns the sample's folder.
std::filesystem::path copySample(const std::string& category, const std::filesystem::path& root);

/// Makes `root` a data set of the procedural samples (p0001 of four categories) from symbolic
/// links: ShapeNetRendering/, gt/ and list.txt. Returns the list's path.
std::filesystem::path linkProceduralSamples(const std::filesystem::path& root);

/// Truncates a file to its first `bytes` bytes.
void shorten(const std::filesystem::path& file, std::uintmax_t bytes);
/// Replaces the content of a file.
void overwrite(const std::filesystem::path& file, const std::string& text);

/// Sorted names of all regular files below a folder; empty if there is no such folder.
std::vector<std::string> filesIn(const std::filesystem::path& folder);

/// Reads an OBJ file with vertices and faces only, as `encodeMesh` writes it; any other line fails
/// the test.
Mesh readObj(const std::filesystem::path& file);
Points readXyz(const std::filesystem::path& file);

/// Largest absolute difference of a coordinate, without the vertices that are true in `ignored`;
/// infinite if the counts differ or a difference is NaN.
double largestDifference(const Points& left, const Points& right,
                         const std::vector<bool>& ignored = {});

}  // namespace threefold::test
