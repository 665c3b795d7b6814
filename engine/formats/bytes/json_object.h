#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <glm/vec3.hpp>
#include <nlohmann/json.hpp>

namespace threefold {

/// Longer files are refused: at 8 levels of nesting, this many bytes take less than 64 MB + 16 ×
/// their number.
inline constexpr std::size_t kLargestJson = std::size_t{3} << 20;

/// Parses untrusted bytes, comments allowed. Throws FormatError: longer than `kLargestJson`, nested
/// more than 8 deep, not JSON.
nlohmann::json parseJson(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                         const char* remedy);

/// Files of which most is skipped may be this long.
inline constexpr std::size_t kLargestSkippedJson = std::size_t{256} << 20;

/// Likewise, without the values of `skipped` keys, at any depth: up to `kLargestSkippedJson` bytes
/// where a million values or fewer are left.
nlohmann::json parseJson(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                         const char* remedy, std::span<const std::string_view> skipped);

/// Reads the values of one JSON object and checks each. Every function throws FormatError with the
/// file, the value's place ("views[2].matrix"), the problem and `remedy`. Keeps references:
/// document, path and remedy must outlive it.
class JsonObject {
  public:
    JsonObject(const nlohmann::json& json, std::string place, const std::filesystem::path& file,
               const char* remedy);

    const std::string& place() const { return place_; }
    std::string placeOf(const char* key) const;
    const std::filesystem::path& file() const { return file_; }

    bool has(const char* key) const;  ///< present and not null
    std::string text(const char* key) const;
    bool flag(const char* key) const;
    double number(const char* key) const;  ///< finite
    double number(const char* key, double least, double most) const;
    int whole(const char* key, int least, int most) const;
    std::optional<double> maybeNumber(const char* key) const;
    std::vector<double> numbers(const char* key, std::size_t least, std::size_t most) const;
    /// Numbers that may be written as text, as programs with Boost's property trees do.
    double looseNumber(const char* key) const;
    std::vector<double> looseNumbers(const char* key, std::size_t least, std::size_t most) const;
    /// Text, or a whole number as text.
    std::string label(const char* key) const;
    bool isList(const char* key) const;
    glm::dvec3 vector(const char* key) const;
    std::optional<glm::dvec3> maybeVector(const char* key) const;
    /// Rows of `columns` numbers each.
    std::vector<std::vector<double>> matrix(const char* key, std::size_t leastRows,
                                            std::size_t mostRows, std::size_t columns) const;
    const nlohmann::json& list(const char* key, std::size_t most) const;
    JsonObject object(const char* key) const { return {at(key), placeOf(key), file_, remedy_}; }
    std::vector<JsonObject> objects(const char* key, std::size_t most) const;

    [[noreturn]] void fail(const char* key, const std::string& problem,
                           const std::string& remedy = "") const;

  private:
    const nlohmann::json& at(const char* key) const;

    const nlohmann::json& json_;
    std::string place_;
    const std::filesystem::path& file_;
    const char* remedy_;
};

}  // namespace threefold
