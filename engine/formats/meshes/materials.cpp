#include "engine/formats/meshes/materials.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>

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

float share(std::optional<float> value) {
    return std::clamp(value.value_or(0.0F), 0.0F, 1.0F);
}

/// Kd: one number stands for all three; what is no number is 0.
glm::vec3 colour(Words& words) {
    const std::string kind = lowered(words.peek());
    if (kind == "spectral" || kind == "xyz") return glm::vec3(1.0F);
    glm::vec3 value(0.0F);
    for (int i = 0; i < 3; ++i) {
        if (i > 0 && words.rest().empty()) {
            for (; i < 3; ++i) value[i] = value[0];
            break;
        }
        const auto number = words.number();
        if (!number) words.take();
        value[i] = share(number);
    }
    return value;
}

/// Of up to three numbers the first two; the second may be missing.
glm::vec2 pair(Words& words, glm::vec2 otherwise) {
    for (int i = 0; i < 3; ++i) {
        const auto number = words.number();
        if (!number) break;
        if (i < 2) otherwise[i] = *number;
    }
    return otherwise;
}

/// Options come first, then the file, whose name may have blanks.
NamedTexture texture(Words words) {
    NamedTexture named;
    while (words.peek().starts_with('-')) {
        const Words before = words;
        const std::string option = lowered(words.take());
        if (option == "-s") {
            named.scale = pair(words, named.scale);
        } else if (option == "-o") {
            named.offset = pair(words, named.offset);
        } else if (option == "-t") {
            pair(words, {});
        } else if (option == "-mm") {
            words.number();
            words.number();
        } else if (option == "-clamp") {
            named.clamps = lowered(words.take()) == "on";
        } else if (option == "-imfchan") {
            const std::string channel = lowered(words.take());
            named.channel = channel.empty() ? '\0' : channel.front();
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
        if (statement == "newmtl") begin(materialName(words.rest()));
        if (current_ == nullptr) return;
        if (statement == "kd") current_->diffuse = colour(words);
        if (statement == "map_kd") current_->texture = texture(words);
        if (statement == "map_d") current_->opacityTexture = texture(words);
        if (statement == "d") {
            if (lowered(words.peek()) == "-halo") words.take();
            if (const auto number = words.number()) {
                current_->opacity = share(number);
                hasOpacity_ = true;
            }
        }
        if (statement == "tr" && !hasOpacity_) {
            const auto number = words.number();
            current_->opacity = number && share(number) < 1 ? 1 - share(number) : 1;
        }
    }

    std::map<std::string, NamedMaterial> take() { return std::move(materials_); }

  private:
    void begin(const std::string& name) {
        current_ = &materials_[name];
        *current_ = {};
        hasOpacity_ = false;
    }

    std::map<std::string, NamedMaterial> materials_;
    NamedMaterial* current_ = nullptr;
    bool hasOpacity_ = false;
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
