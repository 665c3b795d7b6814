#include "engine/formats/meshes/materials.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "engine/formats/pictures/srgb.h"

namespace threefold {
namespace {

constexpr std::string_view kBlanks = " \t\r\f\v";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string lowered(std::string_view word) {
    std::string low(word);
    for (char& c : low) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return low;
}

/// The words of one line, from its front on.
class Words {
  public:
    explicit Words(std::string_view line) : rest_(trimmed(line)) {}

    std::string_view rest() const { return rest_; }
    std::string_view peek() const { return rest_.substr(0, rest_.find_first_of(kBlanks)); }
    std::string_view take() {
        const std::string_view word = peek();
        rest_ = trimmed(rest_.substr(word.size()));
        return word;
    }
    /// Takes the next word where it is a number, finite, and nothing else.
    std::optional<float> number() {
        std::string_view word = peek();
        if (word.starts_with('+')) word.remove_prefix(1);
        float value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
            return std::nullopt;
        take();
        return value;
    }

  private:
    std::string_view rest_;
};

/// The first two of up to three numbers, and `otherwise` in place of those that are missing.
glm::vec2 twoOfThree(Words& words, float otherwise) {
    glm::vec2 two;
    two.x = words.number().value_or(otherwise);
    two.y = words.number().value_or(otherwise);
    words.number();
    return two;
}

/// Kd: one number stands for all three; what is no number is 0.
glm::vec3 colour(Words& words) {
    glm::vec3 value(0.0F);
    for (int i = 0; i < 3; ++i) {
        const bool isEnd = i > 0 && words.rest().empty();
        const auto number = words.number();
        if (!number) words.take();
        value[i] = isEnd ? value[0] : number.value_or(0.0F);
    }
    return value;
}

/// Options come first, then the file, whose name may have blanks.
NamedTexture texture(Words words) {
    NamedTexture named;
    while (words.peek().starts_with('-')) {
        const Words before = words;
        const std::string option = lowered(words.take());
        if (option == "-s") {
            named.scale = twoOfThree(words, 1);
        } else if (option == "-o") {
            named.offset = twoOfThree(words, 0);
        } else if (option == "-t" || option == "-mm") {
            twoOfThree(words, 0);
        } else if (option == "-clamp") {
            named.clamps = lowered(words.take()) == "on";
        } else if (option == "-imfchan") {
            const std::string channel = lowered(words.take());
            if (!channel.empty()) named.channel = channel.front();
        } else if (option == "-blendu" || option == "-blendv" || option == "-cc" ||
                   option == "-bm" || option == "-boost" || option == "-texres" ||
                   option == "-type") {
            words.take();
        } else {
            words = before;  // a name that begins so
            break;
        }
    }
    named.file = words.rest();
    return named;
}

class Library {
  public:
    void line(std::string_view text) {
        Words words(text);
        const std::string statement = lowered(words.take());
        if (statement == "newmtl") {
            finish();
            reading_.emplace();
            name_ = materialName(words.rest());
        }
        if (!reading_) return;
        const std::string kind = lowered(words.peek());
        if (statement == "kd" && kind != "spectral" && kind != "xyz")
            reading_->diffuse = shares(colour(words));
        if (statement == "map_kd") replace(reading_->texture, texture(words));
        if (statement == "map_d") replace(reading_->opacityTexture, texture(words));
        if (statement != "d" && statement != "tr") return;
        if (kind == "-halo") words.take();
        const auto number = words.number();
        if (!number) return;
        if (statement == "d") opacity_ = *number;
        if (statement == "tr" && *number < 1) transparency_ = *number;
    }

    std::map<std::string, NamedMaterial> take() {
        finish();
        return std::move(materials_);
    }

  private:
    static void replace(NamedTexture& texture, NamedTexture named) {
        if (!named.file.empty()) texture = std::move(named);
    }

    void finish() {
        if (!reading_) return;
        const float transparency = std::exchange(transparency_, std::nullopt).value_or(0);
        const float opacity = std::exchange(opacity_, std::nullopt).value_or(1 - transparency);
        reading_->opacity = std::clamp(opacity, 0.0F, 1.0F);
        materials_[name_] = std::move(*reading_);
    }

    std::map<std::string, NamedMaterial> materials_;
    std::string name_;
    std::optional<NamedMaterial> reading_;
    std::optional<float> opacity_;  // wins over transparency_
    std::optional<float> transparency_;
};

}  // namespace

std::string materialName(std::string_view rest) {
    std::string name;
    for (Words words(rest); !words.rest().empty();) {
        if (!name.empty()) name += ' ';
        name += words.take();
    }
    return name;
}

std::map<std::string, NamedMaterial> parseMaterials(std::string_view text) {
    Library library;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        if (!trimmed(line).starts_with('#')) library.line(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return library.take();
}

}  // namespace threefold
