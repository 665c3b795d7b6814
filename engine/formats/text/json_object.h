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

/// Maximum length of JSON that is parsed, in bytes: at 8 levels of nesting, the memory for parsing
/// stays below 64 MB + 16 × the length.
inline constexpr std::size_t kMaxJsonBytes = std::size_t{3} << 20;

/// Parses untrusted bytes, comments allowed. Throws FormatError if the text is longer than
/// `kMaxJsonBytes`, is nested more than 8 deep, has a key twice in one object, or is not JSON.
nlohmann::json parseJson(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                         const char* remedy);

/// Maximum length of JSON that is parsed with skipped keys, in bytes.
inline constexpr std::size_t kMaxSkippedJsonBytes = std::size_t{256} << 20;

/// Parses as above, but drops the values of `skipped` keys, at any depth. Accepts up to
/// `kMaxSkippedJsonBytes` bytes if at most a million values are left.
nlohmann::json parseJson(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                         const char* remedy, std::span<const std::string_view> skipped);

/// Reads and checks the values of one JSON object. Functions throw FormatError with the file, the
/// value's place ("views[2].matrix"), the problem and `remedy`. A missing key is an error, except
/// for has() and the functions whose names begin with `optional`. All numbers are finite. Document,
/// path and remedy must outlive the reader, which refers to them, and the readers made from it.
class JsonObject {
  public:
    JsonObject(const nlohmann::json& json, std::string place, const std::filesystem::path& file,
               const char* remedy);
    JsonObject(const nlohmann::json& json, std::string place, const std::filesystem::path&& file,
               const char* remedy) = delete;

    const std::string& place() const { return place_; }
    std::string placeOf(const char* key) const;
    const std::filesystem::path& file() const { return file_; }

    /// Whether the key is present and its value is not null.
    bool has(const char* key) const;
    /// Text, maybe empty.
    std::string text(const char* key) const;
    /// true or false.
    bool boolean(const char* key) const;
    /// A number.
    double number(const char* key) const;
    /// A number from `min` to `max`.
    double number(const char* key, double min, double max) const;
    /// An integer from `min` to `max`; 3.0 counts as an integer.
    int integer(const char* key, int min, int max) const;
    /// A number; nullopt if it is absent or null.
    std::optional<double> optionalNumber(const char* key) const;
    /// A list of `min` to `max` numbers.
    std::vector<double> numbers(const char* key, std::size_t min, std::size_t max) const;
    /// A number, or text that is a number, as programs with Boost's property trees write it.
    double numberOrText(const char* key) const;
    /// A list of `min` to `max` such numbers; the text "" is an empty list.
    std::vector<double> numbersOrTexts(const char* key, std::size_t min, std::size_t max) const;
    /// Text, or an integer as text.
    std::string textOrInteger(const char* key) const;
    /// Whether the value is a list.
    bool isList(const char* key) const;
    /// A list of three numbers.
    glm::dvec3 vector(const char* key) const;
    /// A list of three numbers; nullopt if it is absent or null.
    std::optional<glm::dvec3> optionalVector(const char* key) const;
    /// `minRows` to `maxRows` rows of `columns` numbers each.
    std::vector<std::vector<double>> matrix(const char* key, std::size_t minRows,
                                            std::size_t maxRows, std::size_t columns) const;
    /// A list of at most `max` values of any kind.
    const nlohmann::json& list(const char* key, std::size_t max) const;
    JsonObject object(const char* key) const { return {at(key), placeOf(key), file_, remedy_}; }
    /// A list of at most `max` objects.
    std::vector<JsonObject> objects(const char* key, std::size_t max) const;

    [[noreturn]] void fail(const char* key, const std::string& problem,
                           const std::string& remedy = "") const;

  private:
    const nlohmann::json& at(const char* key) const;
    [[noreturn]] void failCount(const char* key, std::size_t min, std::size_t max) const;

    const nlohmann::json& json_;
    std::string place_;
    const std::filesystem::path& file_;
    const char* remedy_;
};

}  // namespace threefold
