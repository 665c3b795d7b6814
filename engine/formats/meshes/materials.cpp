#include "engine/formats/meshes/materials.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <glm/gtc/type_ptr.hpp>
#include <tiny_obj_loader.h>

#include "engine/formats/pictures/srgb.h"

namespace threefold {
namespace {

/// For tinyobjloader, which does not tell an absent channel from 'm'.
constexpr char kNoChannel = '-';

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

/// Up to three numbers, and `otherwise` in place of those that are missing.
std::string threeNumbers(Words& words, float otherwise) {
    std::string text;
    for (int i = 0; i < 3; ++i) text += fmt::format(" {}", words.number().value_or(otherwise));
    return text;
}

/// Kd: one number stands for all three; what is no number is 0.
std::string colour(Words& words) {
    std::array<float, 3> value{};
    for (std::size_t i = 0; i < 3; ++i) {
        const bool isEnd = i > 0 && words.rest().empty();
        const auto number = words.number();
        if (!number) words.take();
        value[i] = isEnd ? value[0] : number.value_or(0.0F);
    }
    return fmt::format("{} {} {}", value[0], value[1], value[2]);
}

/// Options come first, then the file, whose name may have blanks.
std::string texture(Words words) {
    std::string text = fmt::format("-imfchan {}", kNoChannel);
    while (words.peek().starts_with('-')) {
        const Words before = words;
        const std::string option = lowered(words.take());
        if (option == "-s" || option == "-o") {
            text += fmt::format(" {}{}", option, threeNumbers(words, option == "-s" ? 1.0F : 0.0F));
        } else if (option == "-t" || option == "-mm") {
            threeNumbers(words, 0);
        } else if (option == "-clamp") {
            text += lowered(words.take()) == "on" ? " -clamp on" : " -clamp off";
        } else if (option == "-imfchan") {
            const std::string channel = lowered(words.take());
            if (!channel.empty()) text += fmt::format(" -imfchan {}", channel.front());
        } else if (option == "-blendu" || option == "-blendv" || option == "-cc" ||
                   option == "-bm" || option == "-boost" || option == "-texres" ||
                   option == "-type") {
            words.take();
        } else {
            words = before;  // a name that begins so
            break;
        }
    }
    if (words.rest().empty()) return {};
    text.append(" ").append(words.rest());
    std::ranges::replace(text, '\r', ' ');  // which would end the line
    return text;
}

NamedTexture named(const std::string& file, const tinyobj::texture_option_t& options) {
    return {file,
            {options.scale[0], options.scale[1]},
            {options.origin_offset[0], options.origin_offset[1]},
            options.clamp,
            options.imfchan == kNoChannel ? '\0' : options.imfchan};
}

class Library {
  public:
    void line(std::string_view text) {
        Words words(text);
        const std::string statement = lowered(words.take());
        if (statement == "newmtl") begin(materialName(words.rest()));
        if (material_.empty()) return;
        const std::string kind = lowered(words.peek());
        if (statement == "kd" && kind != "spectral" && kind != "xyz") add("Kd", colour(words));
        if (statement == "map_kd") add("map_Kd", texture(words));
        if (statement == "map_d") add("map_d", texture(words));
        if (statement != "d" && statement != "tr") return;
        if (kind == "-halo") words.take();
        const auto number = words.number();
        const bool isOpacity = statement == "d";
        if (number && (isOpacity || *number < 1))
            add(isOpacity ? "d" : "Tr", fmt::format("{}", *number));
    }

    std::map<std::string, NamedMaterial> take() {
        finish();
        return std::move(materials_);
    }

  private:
    void add(std::string_view statement, std::string_view rest) {
        material_.append(statement).append(" ").append(rest).append("\n");
    }
    void begin(std::string name) {
        finish();
        name_ = std::move(name);
        add("newmtl", name_);
        add("Kd", "1 1 1");  // where tinyobjloader's own is black
    }

    void finish() {
        if (material_.empty()) return;
        std::istringstream stream(std::exchange(material_, {}));
        std::map<std::string, int> numbers;
        std::vector<tinyobj::material_t> read;
        std::string warning;
        std::string error;
        tinyobj::LoadMtl(&numbers, &read, &stream, &warning, &error);
        const tinyobj::material_t& last = read.back();
        materials_[name_] = {shares(glm::make_vec3(last.diffuse)),
                             std::clamp(last.dissolve, 0.0F, 1.0F),
                             named(last.diffuse_texname, last.diffuse_texopt),
                             named(last.alpha_texname, last.alpha_texopt)};
    }

    std::map<std::string, NamedMaterial> materials_;
    std::string name_;
    std::string material_;  // its statements as tinyobjloader reads them rightly; empty: none yet
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
