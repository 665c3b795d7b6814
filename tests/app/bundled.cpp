#include "tests/app/bundled.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include <gtest/gtest.h>

namespace threefold::test {

namespace fs = std::filesystem;

fs::path bundledSample(const std::string& category) {
    return fs::path(THREEFOLD_RESOURCES) / "samples/ShapeNetRendering" / category / "p0001";
}

std::vector<std::string> reconstructing(const std::filesystem::path& output,
                                        const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"reconstruct", bundledSample("02691156").string(), "-o",
                                          output.string()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return arguments;
}

std::string truthOf(const std::string& category) {
    return (fs::path(THREEFOLD_RESOURCES) / "samples/gt" / (category + "_p0001_00.dat")).string();
}

fs::path copySample(const std::string& category, const fs::path& root) {
    fs::path sampleFolder = root / "ShapeNetRendering" / category / "p0001";
    fs::create_directories(sampleFolder.parent_path());
    fs::copy(bundledSample(category), sampleFolder, fs::copy_options::recursive);
    // A checkout may be read-only, but tests damage the copy.
    for (const auto& entry : fs::recursive_directory_iterator(sampleFolder)) {
        fs::permissions(entry.path(), fs::perms::owner_write, fs::perm_options::add);
    }
    return sampleFolder;
}

fs::path linkProceduralSamples(const fs::path& root) {
    std::string names;
    for (const char* category : {"02691156", "02958343", "03001627", "04379243"}) {
        const fs::path folder = root / "ShapeNetRendering" / category;
        fs::create_directories(folder);
        fs::create_directory_symlink(bundledSample(category), folder / "p0001");
        names += category + std::string("_p0001_00.dat\n");
    }
    fs::create_directory_symlink(fs::path(THREEFOLD_RESOURCES) / "samples/gt", root / "gt");
    overwrite(root / "list.txt", names);
    return root / "list.txt";
}

void shorten(const fs::path& file, std::uintmax_t bytes) {
    fs::resize_file(file, bytes);
}

void overwrite(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
}

std::vector<std::string> filesIn(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code missing;
    for (const auto& entry : fs::recursive_directory_iterator(folder, missing)) {
        if (entry.is_regular_file()) names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

Mesh readObj(const fs::path& file) {
    Mesh mesh;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        std::istringstream words(line.substr(1));
        if (line.front() == 'v') {
            glm::vec3 vertex{};
            words >> vertex.x >> vertex.y >> vertex.z;
            mesh.vertices.push_back(vertex);
        } else {
            EXPECT_EQ(line.front(), 'f') << file;
            glm::u32vec3 face{};
            words >> face.x >> face.y >> face.z;
            mesh.faces.push_back(face - glm::u32vec3(1));
        }
        EXPECT_FALSE(words.fail()) << file << ": " << line;
    }
    return mesh;
}

Points readXyz(const fs::path& file) {
    Points points;
    std::ifstream stream(file);
    for (glm::dvec3 point; stream >> point.x >> point.y >> point.z;) points.emplace_back(point);
    EXPECT_TRUE(stream.eof()) << file;
    return points;
}

double largestDifference(const Points& left, const Points& right,
                         const std::vector<bool>& ignored) {
    if (left.size() != right.size()) return std::numeric_limits<double>::infinity();
    double largest = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (!ignored.empty() && ignored[i]) continue;
        for (int axis = 0; axis < 3; ++axis) {
            const double difference =
                std::abs(static_cast<double>(left[i][axis]) - static_cast<double>(right[i][axis]));
            if (std::isnan(difference)) return std::numeric_limits<double>::infinity();
            largest = std::max(largest, difference);
        }
    }
    return largest;
}

}  // namespace threefold::test
