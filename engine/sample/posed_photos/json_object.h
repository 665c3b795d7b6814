#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/sample/posed_photos/pose.h"

namespace threefold {

/// More is not read: with at most 8 levels of nesting, that many bytes take less than 64 MB + 16 ×
/// their number.
inline constexpr std::size_t kLargestJson = std::size_t{3} << 20;

/// The document of a text that nobody vouches for. Throws FormatError: longer than `kLargestJson`,
/// nested more than 8 deep, not JSON.
nlohmann::json parseJson(std::span<const std::byte> bytes, const std::filesystem::path& subject);

/// One object of it, which knows its place for errors. All throw FormatError naming it. Keeps
/// references: the document and the path must outlive it.
class JsonObject {
  public:
    JsonObject(const nlohmann::json& json, std::string place, const std::filesystem::path& file);

    const std::string& place() const { return place_; }
    /// Present, and not null.
    bool has(const char* key) const;
    std::string text(const char* key) const;
    bool flag(const char* key) const;
    double number(const char* key) const;  ///< finite
    std::optional<double> maybeNumber(const char* key) const;
    std::optional<glm::dvec3> maybeVector(const char* key) const;
    /// A list of rows of numbers, each of `columns`.
    std::vector<std::vector<double>> matrix(const char* key, std::size_t leastRows,
                                            std::size_t mostRows, std::size_t columns) const;
    /// 4×4; of 3×4, the last row is 0 0 0 1.
    PoseMatrix pose(const char* key) const;
    std::vector<double> numbers(const char* key, std::size_t least, std::size_t most) const;
    std::vector<JsonObject> objects(const char* key, std::size_t most) const;

    [[noreturn]] void fail(const char* key, const std::string& problem,
                           const std::string& remedy = "") const;
    std::string placeOf(const char* key) const;

  private:
    const nlohmann::json& at(const char* key) const;

    const nlohmann::json& json_;
    std::string place_;
    const std::filesystem::path& file_;
};

}  // namespace threefold
