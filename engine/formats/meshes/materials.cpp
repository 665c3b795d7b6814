#include "engine/formats/meshes/materials.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <glm/gtc/type_ptr.hpp>
#include <tiny_obj_loader.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/obj_statements.h"
#include "engine/formats/pictures/srgb.h"
#include "engine/formats/text/text_encoding.h"
#include "engine/formats/text/text_scanner.h"
#include "engine/utf8.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBlanks = " \t\r\f\v";

/// Reads the words of a line in order.
class Words {
  public:
    explicit Words(std::string_view line) : rest_(trimmed(line, kBlanks)) {}

    std::string_view rest() const { return rest_; }
    std::string_view peek() const { return rest_.substr(0, rest_.find_first_of(kBlanks)); }
    std::string_view next() {
        const std::string_view word = peek();
        rest_ = trimmed(rest_.substr(word.size()), kBlanks);
        return word;
    }
    /// Reads the next word if it is a finite number. Returns its text as written, without '+', or
    /// reformatted if tinyobjloader would read the written text as a different number.
    std::optional<std::string> number() {
        std::string_view written = peek();
        if (written.starts_with('+')) written.remove_prefix(1);
        const auto value = parseNumber<float>(written);
        if (!value || !std::isfinite(*value)) return std::nullopt;
        next();
        return isPlainNumber(written) ? std::string(written) : fmt::format("{}", *value);
    }

  private:
    std::string_view rest_;
};

/// Reads up to three numbers and completes them with `fallback`: tinyobjloader would take the next
/// word for a missing number.
std::string threeNumbers(Words& words, const char* fallback) {
    std::string text;
    for (int i = 0; i < 3; ++i) text += ' ' + words.number().value_or(fallback);
    return text;
}

/// Components of Kd: a missing component equals the first; a word that is no number is 0.
std::string colour(Words& words) {
    std::string first;
    std::string text;
    for (int i = 0; i < 3; ++i) {
        const bool isEnd = i > 0 && words.rest().empty();
        const auto number = words.number();
        if (!number) words.next();
        if (i == 0) first = number.value_or("0");
        text += ' ' + (isEnd ? first : number.value_or("0"));
    }
    return text;
}

/// Value that replaces a missing -imfchan: tinyobjloader reports 'm' for a texture without this
/// option as well.
constexpr char kNoChannel = '-';

/// Rewrites a texture statement: options, then the file, whose name may have blanks. Returns an
/// empty text if the statement names no file.
std::string texture(Words words) {
    std::string text = fmt::format(" -imfchan {}", kNoChannel);
    while (words.peek().starts_with('-')) {
        const Words before = words;
        const std::string option = lowered(words.next());
        if (option == "-s" || option == "-o") {
            text += ' ' + option + threeNumbers(words, option == "-s" ? "1" : "0");
        } else if (option == "-t" || option == "-mm") {
            threeNumbers(words, "0");
        } else if (option == "-clamp") {
            text += lowered(words.next()) == "on" ? " -clamp on" : " -clamp off";
        } else if (option == "-imfchan") {
            const std::string channel = lowered(words.next()).substr(0, 1);
            const bool isLetter = channel >= "a" && channel <= "z";
            if (!channel.empty()) text += " -imfchan " + (isLetter ? channel : "l");
        } else if (option == "-blendu" || option == "-blendv" || option == "-cc" ||
                   option == "-bm" || option == "-boost" || option == "-texres" ||
                   option == "-type" || option == "-colorspace") {
            words.next();
        } else {
            words = before;  // a file name that begins with a dash
            break;
        }
    }
    return words.rest().empty() ? "" : text + ' ' + asTinyobjloaderLine(words.rest());
}

NamedTexture named(const std::string& file, const tinyobj::texture_option_t& options) {
    if (file.empty()) return {};
    return {file,
            {options.scale[0], options.scale[1]},
            {options.origin_offset[0], options.origin_offset[1]},
            options.clamp,
            options.imfchan == kNoChannel ? '\0' : options.imfchan};
}

/// Text after the keyword of each statement, with a blank before it; empty without the statement.
/// Only the last statement of a kind is kept: tinyobjloader would mix the options of two textures.
struct MaterialStatements {
    std::string diffuse = " 1 1 1";  // tinyobjloader's default is black or grey
    std::string texture;
    std::string opacityTexture;
    std::string opacity;  // takes precedence over transparency
    std::string transparency;
};

class Library {
  public:
    void line(std::string_view text) {
        Words words(text);
        const std::string statement = lowered(words.next());
        if (statement == "newmtl") {
            finish();
            current_.emplace();
            name_ = materialName(words.rest());
        }
        if (!current_) return;
        const std::string kind = lowered(words.peek());
        if (statement == "kd" && kind != "spectral" && kind != "xyz")
            current_->diffuse = colour(words);
        if (statement == "map_kd") replace(current_->texture, texture(words));
        if (statement == "map_d") replace(current_->opacityTexture, texture(words));
        if (statement != "d" && statement != "tr") return;
        if (kind == "-halo") words.next();
        const auto number = words.number();
        if (!number) return;
        if (statement == "d") current_->opacity = ' ' + *number;
        if (statement == "tr" && parseNumber<float>(*number) < 1)
            current_->transparency = ' ' + *number;
    }

    std::map<std::string, NamedMaterial> release() {
        finish();
        return std::move(materials_);
    }

  private:
    static void replace(std::string& texture, std::string replacement) {
        if (!replacement.empty()) texture = std::move(replacement);
    }

    void finish() {
        if (!current_) return;
        // Newer versions of tinyobjloader end a name at its first blank.
        std::string text = "newmtl one\nKd" + current_->diffuse + '\n';
        const auto add = [&](const char* statement, const std::string& rest) {
            if (!rest.empty()) text.append(statement).append(rest).append("\n");
        };
        add("map_Kd", current_->texture);
        add("map_d", current_->opacityTexture);
        add("Tr", current_->transparency);
        add("d", current_->opacity);
        std::istringstream stream(text);
        std::map<std::string, int> numbers;
        std::vector<tinyobj::material_t> materials;
        tinyobj::LoadMtl(&numbers, &materials, &stream, nullptr, nullptr);
        const tinyobj::material_t& last = materials.back();
        materials_[name_] = {clampedToUnit(glm::vec3(glm::make_vec3(last.diffuse))),
                             std::clamp(static_cast<float>(last.dissolve), 0.0F, 1.0F),
                             named(last.diffuse_texname, last.diffuse_texopt),
                             named(last.alpha_texname, last.alpha_texopt)};
        current_.reset();
    }

    std::map<std::string, NamedMaterial> materials_;
    std::string name_;
    std::optional<MaterialStatements> current_;
};

constexpr std::size_t kChannels = 4;
constexpr std::size_t kAlpha = 3;
/// Maximum size of a library, in bytes.
constexpr std::size_t kMaxLibraryBytes = std::size_t{16} << 20;

enum class Use { colour, opacity };

bool hasAlpha(const Image& image) {
    for (std::size_t i = kAlpha; i < image.rgba.size(); i += kChannels)
        if (image.rgba[i] != 255) return true;
    return false;
}

/// Makes an image opaque if its alpha is 0 everywhere: some programs forget to fill the channel.
void fillEmptyAlpha(Image& image) {
    for (std::size_t i = kAlpha; i < image.rgba.size(); i += kChannels)
        if (image.rgba[i] != 0) return;
    for (std::size_t i = kAlpha; i < image.rgba.size(); i += kChannels) image.rgba[i] = 255;
}

/// Sets alpha to the channel r, g or b. Keeps alpha for the channel m, and without a channel if the
/// image has alpha. Otherwise sets alpha to the luminance.
void makeOpacity(Image& image, char channel) {
    if (channel == 'm' || (channel == '\0' && hasAlpha(image))) return;
    for (std::size_t i = 0; i < image.rgba.size(); i += kChannels) {
        const std::uint8_t* rgb = &image.rgba[i];
        const int luminance = (2126 * rgb[0] + 7152 * rgb[1] + 722 * rgb[2] + 5000) / 10000;
        image.rgba[i + kAlpha] = channel == 'r'   ? rgb[0]
                                 : channel == 'g' ? rgb[1]
                                 : channel == 'b' ? rgb[2]
                                                  : static_cast<std::uint8_t>(luminance);
    }
}

class AppearanceBuilder {
  public:
    AppearanceBuilder(MeshAppearance& appearance, const fs::path& folder,
                      const ReferencedFiles& files, AllowedFolders allowed)
        : appearance_(appearance), files_(files), allowed_(allowed), folder_(folder) {}

    void add(std::span<const std::string> libraries, std::span<const std::string> names) {
        for (const std::string& library : libraries) readLibraries(library);
        std::vector<std::uint32_t> indices;
        for (const std::string& name : names) indices.push_back(addMaterial(name));
        renumber(indices);
    }

    void addTextures(std::span<const std::string> textures) {
        std::vector<std::uint32_t> indices;
        for (const std::string& texture : textures) {
            NamedMaterial named;
            named.texture.file = texture;
            indices.push_back(add(named, folder_));
        }
        renumber(indices);
    }

  private:
    struct LibraryMaterial {
        NamedMaterial material;
        fs::path folder;
    };

    /// Path of a file, empty if the file is missing. For a file outside the allowed folders,
    /// returns nullopt and reports the file's name after `use`.
    std::optional<fs::path> find(const fs::path& folder, std::string_view name, const char* use) {
        try {
            return files_.find(folder, std::string(name), allowed_);
        } catch (const InputError& error) {
            reportMissing(fmt::format("{} {}", use, error.what()));
            if (!appearance_.outsideFolderError) appearance_.outsideFolderError = error.report();
            return std::nullopt;
        }
    }

    /// Reads the libraries that `rest` names: one file, whose name may contain blanks, or several.
    void readLibraries(std::string_view rest) {
        while (!rest.empty()) {
            const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
            const auto wholeName = find(folder_, rest, "the material library");
            if (!wholeName) return;
            if (!wholeName->empty()) return readLibrary(*wholeName);
            const auto file =
                word == rest ? wholeName : find(folder_, word, "the material library");
            if (file && !file->empty()) {
                readLibrary(*file);
            } else if (file && (word.find('.') != word.npos || word.size() == rest.size())) {
                reportMissing(fmt::format("the material library '{}' is not there", word));
            }
            rest.remove_prefix(word.size());
            rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
        }
    }

    void readLibrary(const fs::path& file) {
        if (!libraries_.insert(file).second) return;
        try {
            const std::vector<std::byte> bytes = files_.read(file);
            if (bytes.size() > kMaxLibraryBytes)
                return reportMissing(
                    fmt::format("the material library '{}' has {} bytes, at most {} are "
                                "read",
                                file.filename().string(), bytes.size(), kMaxLibraryBytes));
            const Utf8Text plain(asText(bytes));
            for (auto& [name, material] : parseMaterials(plain.text()))
                libraryMaterials_[name] = {std::move(material), file.parent_path()};
        } catch (const Error& error) {
            reportMissing(error.what());
        }
    }

    /// Material by name; a comment may follow the name. Null if there is none.
    const LibraryMaterial* findMaterial(const std::string& name) const {
        auto entry = libraryMaterials_.find(name);
        if (entry == libraryMaterials_.end() && name.find('#') != name.npos)
            entry = libraryMaterials_.find(materialName(name.substr(0, name.find('#'))));
        return entry == libraryMaterials_.end() ? nullptr : &entry->second;
    }

    std::uint32_t addMaterial(const std::string& name) {
        const LibraryMaterial* material = name.empty() ? nullptr : findMaterial(name);
        if (material == nullptr) {
            if (!name.empty() && !libraryMaterials_.empty())
                reportMissing(
                    fmt::format("the material '{}' is in no library", textPrefix(name, 100)));
            return kNoMaterial;
        }
        return add(material->material, material->folder);
    }

    void renumber(std::span<const std::uint32_t> indices) {
        for (std::uint32_t& material : appearance_.materialOfFace) material = indices[material];
    }

    std::uint32_t add(const NamedMaterial& named, const fs::path& folder) {
        Material material;
        material.opacity = named.opacity;
        material.map = map(named.texture, folder, Use::colour);
        // A texture replaces the colour, which many programs leave black in that case.
        if (material.map.texture == TextureMap::kNoTexture) material.colour = named.diffuse;
        const bool sameFile =
            named.opacityTexture.file == named.texture.file && named.opacityTexture.channel == '\0';
        const bool colourHasAlpha =
            material.map.texture != TextureMap::kNoTexture && hasAlpha(textureOf(material.map));
        // If map_Kd and map_d name the same file, and the image has no alpha, its luminance would
        // count as opacity and make dark parts transparent.
        if (!sameFile) material.opacityMap = map(named.opacityTexture, folder, Use::opacity);
        const bool opaque = material.opacity == 1 && !colourHasAlpha &&
                            material.opacityMap.texture == TextureMap::kNoTexture;
        material.alphaMode = opaque ? AlphaMode::opaque : AlphaMode::blend;
        appearance_.materials.push_back(material);
        return static_cast<std::uint32_t>(appearance_.materials.size() - 1);
    }

    TextureMap map(const NamedTexture& named, const fs::path& library, Use use) {
        TextureMap map;
        if (named.file.empty()) return map;
        map.texture = texture(named, library, use);
        map.wrapS = map.wrapT = named.isClamped ? Wrap::clamp : Wrap::repeat;
        map.uvTransform = glm::mat2(named.scale.x, 0, 0, named.scale.y);
        map.uvOffset = named.offset;
        return map;
    }

    const Image& textureOf(const TextureMap& map) const {
        return appearance_.textures[static_cast<std::size_t>(map.texture)];
    }

    std::int32_t texture(const NamedTexture& named, const fs::path& library, Use use) {
        const auto [entry, isNew] = textures_.emplace(
            std::tuple(library, named.file, use, use == Use::colour ? '\0' : named.channel),
            TextureMap::kNoTexture);
        if (isNew) entry->second = read(named, library, use);
        return entry->second;
    }

    std::int32_t read(const NamedTexture& named, const fs::path& library, Use use) {
        auto path = find(library, named.file, "texture");
        if (path && path->empty()) path = find(folder_, named.file, "texture");
        if (!path) return TextureMap::kNoTexture;
        const fs::path& file = *path;
        try {
            if (file.empty())
                throw IoError({std::string(textPrefix(named.file, 200)), "", "is not there",
                               "Put the texture beside the mesh."});
            // Texture coordinates refer to the pixels as stored.
            Image image = decodeImage(files_.read(file), file, UINT64_MAX, PixelOrder::stored);
            fillEmptyAlpha(image);
            if (use == Use::opacity) makeOpacity(image, named.channel);
            appearance_.textures.push_back(std::move(image));
            return static_cast<std::int32_t>(appearance_.textures.size() - 1);
        } catch (const Error& error) {
            reportMissing(fmt::format("texture {}", error.what()));
            return TextureMap::kNoTexture;
        }
    }

    void reportMissing(std::string line) { appearance_.missing.push_back(std::move(line)); }

    MeshAppearance& appearance_;
    const ReferencedFiles& files_;
    AllowedFolders allowed_;
    const fs::path& folder_;
    std::set<fs::path> libraries_;
    std::map<std::string, LibraryMaterial> libraryMaterials_;
    std::map<std::tuple<fs::path, std::string, Use, char>, std::int32_t> textures_;
};

}  // namespace

std::string materialName(std::string_view rest) {
    std::string name;
    for (Words words(rest); !words.rest().empty();) {
        if (!name.empty()) name += ' ';
        name += words.next();
    }
    return asTinyobjloaderLine(name);
}

std::map<std::string, NamedMaterial> parseMaterials(std::string_view text) {
    Library library;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        if (!trimmed(line, kBlanks).starts_with('#')) library.line(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return library.release();
}

void addMaterials(std::span<const std::string> libraries, std::span<const std::string> names,
                  const fs::path& folder, const ReferencedFiles& files, AllowedFolders allowed,
                  MeshAppearance& appearance) {
    AppearanceBuilder(appearance, folder, files, allowed).add(libraries, names);
}

void addTextures(std::span<const std::string> textures, const fs::path& folder,
                 const ReferencedFiles& files, AllowedFolders allowed, MeshAppearance& appearance) {
    AppearanceBuilder(appearance, folder, files, allowed).addTextures(textures);
}

}  // namespace threefold
