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

/// The file of its truth.
std::string truthOf(const std::string& category);

/// A copy of a bundled sample in ShapeNet's layout below `root`, to be damaged.
/// Returns the sample's folder.
std::filesystem::path copySample(const std::string& category, const std::filesystem::path& root);

/// Makes `root` a data set of the procedural samples alone (p0001 of four categories), their
/// folders linked: ShapeNetRendering/, gt/, list.txt. Returns the list.
std::filesystem::path linkProceduralSamples(const std::filesystem::path& root);

/// Cuts a file after its first `bytes`.
void shorten(const std::filesystem::path& file, std::uintmax_t bytes);
/// Replaces the content of a file.
void overwrite(const std::filesystem::path& file, const std::string& text);

/// The plain files below a folder, by name; none where there is no such folder.
std::vector<std::string> filesIn(const std::filesystem::path& folder);

/// Vertices and faces of what `encodeMesh` writes as OBJ; a line of any other kind fails the test.
Mesh readObj(const std::filesystem::path& file);
Points readXyz(const std::filesystem::path& file);

/// The largest difference of any coordinate, vertices whose flag is set left out; infinite where
/// the counts differ.
double largestDifference(const Points& left, const Points& right,
                         const std::vector<bool>& leftOut = {});

}  // namespace threefold::test
