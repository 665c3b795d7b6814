#include "engine/formats/meshes/gltf_appearance.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/data_uri.h"
#include "engine/formats/meshes/mesh_readers.h"
#include "engine/formats/pictures/srgb.h"
#include "engine/utf8.h"

namespace threefold {
namespace {

using Json = GltfDocument::Json;

/// Fills the components of `result` with the first numbers of a list.
template <class Vector>
Vector numbers(const Json& list, Vector result) {
    for (int i = 0; i < Vector::length(); ++i)
        result[i] = list.at(static_cast<std::size_t>(i)).get<float>();
    return result;
}

Wrap wrapOf(std::size_t number) {
    constexpr std::size_t kMirrored = 33648;
    constexpr std::size_t kClamped = 33071;
    if (number == kMirrored) return Wrap::mirror;
    return number == kClamped ? Wrap::clamp : Wrap::repeat;
}

/// Reads KHR_texture_transform for coordinates whose v points up, unlike glTF's.
void setTransform(const Json& json, TextureMap& map) {
    const glm::vec2 offset = numbers(json.value("offset", Json::array({0, 0})), glm::vec2(0.0F));
    const glm::vec2 scale = numbers(json.value("scale", Json::array({1, 1})), glm::vec2(1.0F));
    const auto angle = json.value("rotation", 0.0F);
    const float c = std::cos(angle);
    const float s = std::sin(angle);
    // With scaled coordinates (U, V), cosine c, sine s and offset (p, q), glTF has u' = c·U + s·V +
    // p, v' = −s·U + c·V + q. The direction of rotation follows from the extension's example, which
    // turns the lower left quarter clockwise.
    map.uvTransform = glm::mat2(c * scale.x, s * scale.x, -s * scale.y, c * scale.y);
    map.uvOffset = {s * scale.y + offset.x, 1 - c * scale.y - offset.y};
}

}  // namespace

BaseColour baseColourOf(const Json& material) {
    const char* factorName = "baseColorFactor";
    const char* textureName = "baseColorTexture";
    const Json* group = GltfDocument::extension(material, "KHR_materials_pbrSpecularGlossiness");
    if (group != nullptr) {
        factorName = "diffuseFactor";
        textureName = "diffuseTexture";
    } else if (const auto entry = material.find("pbrMetallicRoughness"); entry != material.end()) {
        group = &*entry;
    }
    BaseColour base;
    if (group == nullptr) return base;
    if (const auto entry = group->find(factorName); entry != group->end()) {
        const auto colour = numbers(*entry, glm::vec3(1.0F));
        const float opacity = entry->size() > 3 ? entry->at(3).get<float>() : 1.0F;
        base.factor = clampedToUnit(glm::vec4(colour, opacity));
        base.hasFactor = true;
    }
    if (const auto entry = group->find(textureName); entry != group->end()) base.texture = &*entry;
    return base;
}

GltfAppearanceReader::PrimitiveMaterial GltfAppearanceReader::begin(
    const Json& primitive, const std::optional<GltfAccessor>& colours, std::size_t base) {
    if (colours && appearance_.linearColours.empty())
        appearance_.linearColours.reserve(base + colours->count);
    if (colours || !appearance_.linearColours.empty())
        appearance_.linearColours.resize(base, glm::vec4(1.0F));
    for (std::size_t i = 0; colours && i < colours->count; ++i) {
        const double opacity = colours->componentCount > 3 ? colours->at(i, 3) : 1;
        appearance_.linearColours.push_back(
            clampedToUnit(glm::vec4(glm::dvec4(colours->vector(i), opacity))));
    }
    current_ = {};
    if (primitive.contains("material")) {
        current_ = material(GltfDocument::index(primitive["material"]));
    } else if (colours) {
        if (defaultMaterial_.materialIndex == kNoMaterial) {
            defaultMaterial_.materialIndex =
                static_cast<std::uint32_t>(appearance_.materials.size());
            appearance_.materials.emplace_back();
        }
        current_ = defaultMaterial_;
    }
    return current_;
}

void GltfAppearanceReader::reserve(std::size_t faces, bool hasTexCoords) {
    reserveGrowing(appearance_.materialOfFace, faces);
    if (!hasTexCoords) return;
    appearance_.textureCoordinates.reserve(3 * appearance_.materialOfFace.capacity());
}

void GltfAppearanceReader::addFace(const glm::u32vec3& corners,
                                   const std::optional<GltfAccessor>& coordinates) {
    if (coordinates) {
        appearance_.textureCoordinates.resize(3 * appearance_.materialOfFace.size());
        for (int k = 0; k < 3; ++k)
            appearance_.textureCoordinates.emplace_back(coordinates->at(corners[k], 0),
                                                        1 - coordinates->at(corners[k], 1));
    }
    appearance_.materialOfFace.push_back(current_.materialIndex);
}

void GltfAppearanceReader::finish(std::size_t vertices, std::size_t faces) {
    if (!appearance_.linearColours.empty())
        appearance_.linearColours.resize(vertices, glm::vec4(1.0F));
    if (!appearance_.textureCoordinates.empty()) appearance_.textureCoordinates.resize(3 * faces);
}

GltfAppearanceReader::PrimitiveMaterial GltfAppearanceReader::material(std::size_t materialIndex) {
    if (const auto cached = materials_.find(materialIndex); cached != materials_.end())
        return cached->second;
    const Json& json = document_.entry("materials", materialIndex);
    const BaseColour base = baseColourOf(json);
    Material material;
    material.colour = srgbFromLinear(glm::vec3(base.factor));
    material.opacity = base.factor.w;
    material.isUnlit = GltfDocument::extension(json, "KHR_materials_unlit") != nullptr;
    const auto mode = json.value("alphaMode", std::string("OPAQUE"));
    if (mode == "MASK") material.alphaMode = AlphaMode::mask;
    if (mode == "BLEND") material.alphaMode = AlphaMode::blend;
    material.alphaCutoff = json.value("alphaCutoff", 0.5F);
    PrimitiveMaterial result;
    if (base.texture != nullptr) result.texCoordSet = setTexture(*base.texture, material.map);
    result.materialIndex = static_cast<std::uint32_t>(appearance_.materials.size());
    appearance_.materials.push_back(material);
    return materials_[materialIndex] = result;
}

std::optional<std::size_t> GltfAppearanceReader::setTexture(const Json& info, TextureMap& map) {
    const std::size_t textureIndex = GltfDocument::index(info.at("index"));
    std::size_t texCoordSet = GltfDocument::optionalIndex(info, "texCoord", 0);
    if (const Json* transform = GltfDocument::extension(info, "KHR_texture_transform")) {
        setTransform(*transform, map);
        texCoordSet = GltfDocument::optionalIndex(*transform, "texCoord", texCoordSet);
    }
    setWraps(document_.entry("textures", textureIndex), map);
    map.texture = texture(textureIndex);
    if (map.texture == TextureMap::kNoTexture) return std::nullopt;
    return texCoordSet;
}

void GltfAppearanceReader::setWraps(const Json& texture, TextureMap& map) const {
    if (!texture.contains("sampler")) return;
    const Json& sampler = document_.entry("samplers", GltfDocument::index(texture["sampler"]));
    map.wrapS = wrapOf(GltfDocument::optionalIndex(sampler, "wrapS", 0));
    map.wrapT = wrapOf(GltfDocument::optionalIndex(sampler, "wrapT", 0));
}

std::int32_t GltfAppearanceReader::texture(std::size_t textureIndex) {
    const Json& json = document_.entry("textures", textureIndex);
    if (json.contains("source")) return image(GltfDocument::index(json["source"]));
    std::string problem = "has no image";
    if (const auto extensions = json.find("extensions");
        extensions != json.end() && extensions->is_object())
        for (const auto& [name, value] : extensions->items())
            problem =
                fmt::format("has only an image in the format of {}; only PNG and JPEG are read",
                            textPrefix(name, 60));
    appearance_.missing.push_back(fmt::format("texture {}: {}", textureIndex, problem));
    return TextureMap::kNoTexture;
}

std::int32_t GltfAppearanceReader::image(std::size_t imageIndex) {
    const auto [entry, isNew] = images_.emplace(imageIndex, TextureMap::kNoTexture);
    if (!isNew) return entry->second;
    const Json& json = document_.entry("images", imageIndex);
    try {
        Image image = readImage(json, fmt::format("images[{}]", imageIndex));
        document_.addPictureBytes(image.rgba.size());
        appearance_.textures.push_back(std::move(image));
        entry->second = static_cast<std::int32_t>(appearance_.textures.size() - 1);
    } catch (const Error& error) {
        appearance_.missing.push_back(fmt::format("texture {}", error.what()));
    }
    return entry->second;
}

Image GltfAppearanceReader::readImage(const Json& json, const std::string& place) {
    constexpr PixelOrder kOrder = PixelOrder::stored;  // texture coordinates refer to this order
    const auto uri = json.find("uri");
    if (uri == json.end()) {
        const std::size_t view = GltfDocument::index(json.at("bufferView"));
        return decodeImage(document_.bufferView(view, place), place, document_.memoryLeft(),
                           kOrder);
    }
    const auto& name = uri->get_ref<const std::string&>();
    if (isDataUri(name)) {
        const auto bytes = decodeDataUri(name);
        if (!bytes) throw FormatError({place, "", "its URI is damaged", "Export it again."});
        return decodeImage(*bytes, place, document_.memoryLeft(), kOrder);
    }
    std::filesystem::path file;
    try {
        file = document_.fileOf(name, allowed_);
    } catch (const InputError& error) {
        if (!appearance_.outsideFolderError) appearance_.outsideFolderError = error.report();
        throw;
    }
    if (file.empty())
        throw IoError({std::string(textPrefix(name, 200)), "", "is not there",
                       "Put the texture beside the mesh."});
    const std::vector<std::byte> bytes = document_.read(file);
    return decodeImage(bytes, file, document_.memoryLeft(), kOrder);
}

}  // namespace threefold
