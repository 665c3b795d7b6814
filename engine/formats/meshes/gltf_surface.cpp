#include "engine/formats/meshes/gltf_document.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/text_encoding.h"
#include "engine/formats/meshes/mesh_readers.h"
#include "engine/formats/pictures/srgb.h"

namespace threefold {
namespace {

using Json = GltfDocument::Json;

/// The first numbers of a list.
template <class Vector>
Vector numbers(const Json& list, Vector otherwise) {
    for (int i = 0; i < Vector::length(); ++i)
        otherwise[i] = list.at(static_cast<std::size_t>(i)).get<float>();
    return otherwise;
}

Wrap wrapOf(std::size_t number) {
    constexpr std::size_t kMirrored = 33648;
    constexpr std::size_t kClamped = 33071;
    if (number == kMirrored) return Wrap::mirror;
    return number == kClamped ? Wrap::clamp : Wrap::repeat;
}

/// KHR_texture_transform, for coordinates whose v points up: glTF's points down.
void setTransform(const Json& json, TextureMap& map) {
    const glm::vec2 offset = numbers(json.value("offset", Json::array({0, 0})), glm::vec2(0.0F));
    const glm::vec2 scale = numbers(json.value("scale", Json::array({1, 1})), glm::vec2(1.0F));
    const auto turn = json.value("rotation", 0.0F);
    const float c = std::cos(turn);
    const float s = std::sin(turn);
    // u' = c·su + s·sv + ou, v' = −s·su + c·sv + ov; the extension's example of the lower left
    // quarter turned clockwise gives the sense of rotation.
    map.turn = glm::mat2(c * scale.x, s * scale.x, -s * scale.y, c * scale.y);
    map.move = {s * scale.y + offset.x, 1 - c * scale.y - offset.y};
}

}  // namespace

BaseColour baseColourOf(const Json& material) {
    const char* factor = "baseColorFactor";
    const char* texture = "baseColorTexture";
    const Json* group = GltfDocument::extension(material, "KHR_materials_pbrSpecularGlossiness");
    if (group != nullptr) {
        factor = "diffuseFactor";
        texture = "diffuseTexture";
    } else if (const auto found = material.find("pbrMetallicRoughness"); found != material.end()) {
        group = &*found;
    }
    BaseColour base;
    if (group == nullptr) return base;
    if (const auto found = group->find(factor); found != group->end()) {
        const auto colour = numbers(*found, glm::vec3(1.0F));
        const float opacity = found->size() > 3 ? found->at(3).get<float>() : 1.0F;
        base.factor = shares(glm::vec4(colour, opacity));
        base.hasFactor = true;
    }
    if (const auto found = group->find(texture); found != group->end()) base.texture = &*found;
    return base;
}

GltfLook::Part GltfLook::begin(const Json& primitive, const std::optional<GltfAccessor>& colours,
                               std::size_t base) {
    if (colours && look_.tints.empty()) look_.tints.reserve(base + colours->count);
    if (colours || !look_.tints.empty()) look_.tints.resize(base, glm::vec4(1.0F));
    for (std::size_t i = 0; colours && i < colours->count; ++i) {
        const double opacity = colours->width > 3 ? colours->at(i, 3) : 1;
        look_.tints.push_back(shares(glm::vec4(glm::dvec4(colours->vector(i), opacity))));
    }
    current_ = {};
    if (primitive.contains("material")) {
        current_ = material(GltfDocument::index(primitive["material"]));
    } else if (colours) {
        if (white_.material == kNoMaterial) {
            white_.material = static_cast<std::uint32_t>(look_.materials.size());
            look_.materials.emplace_back();
        }
        current_ = white_;
    }
    return current_;
}

void GltfLook::expect(std::size_t faces, bool mapped) {
    makeRoom(look_.materialOfFace, faces);
    if (!mapped) return;
    look_.coordinates.reserve(3 * look_.materialOfFace.capacity());
}

void GltfLook::addFace(const glm::u32vec3& corners,
                       const std::optional<GltfAccessor>& coordinates) {
    if (coordinates) {
        look_.coordinates.resize(3 * look_.materialOfFace.size());
        for (int k = 0; k < 3; ++k)
            look_.coordinates.emplace_back(coordinates->at(corners[k], 0),
                                           1 - coordinates->at(corners[k], 1));
    }
    look_.materialOfFace.push_back(current_.material);
}

void GltfLook::finish(std::size_t vertices, std::size_t faces) {
    if (!look_.tints.empty()) look_.tints.resize(vertices, glm::vec4(1.0F));
    if (!look_.coordinates.empty()) look_.coordinates.resize(3 * faces);
}

GltfLook::Part GltfLook::material(std::size_t number) {
    if (const auto known = parts_.find(number); known != parts_.end()) return known->second;
    const Json& json = document_.item("materials", number);
    const BaseColour base = baseColourOf(json);
    Material material;
    material.colour = srgbFromLinear(glm::vec3(base.factor));
    material.opacity = base.factor.w;
    material.unlit = GltfDocument::extension(json, "KHR_materials_unlit") != nullptr;
    const auto mode = json.value("alphaMode", std::string("OPAQUE"));
    if (mode == "MASK") material.kind = Opacity::mask;
    if (mode == "BLEND") material.kind = Opacity::blend;
    material.cutoff = json.value("alphaCutoff", 0.5F);
    Part part;
    if (base.texture != nullptr) part.set = setTexture(*base.texture, material.map);
    part.material = static_cast<std::uint32_t>(look_.materials.size());
    look_.materials.push_back(material);
    return parts_[number] = part;
}

std::optional<std::size_t> GltfLook::setTexture(const Json& info, TextureMap& map) {
    const std::size_t number = GltfDocument::index(info.at("index"));
    std::size_t set = GltfDocument::natural(info, "texCoord", 0);
    if (const Json* transform = GltfDocument::extension(info, "KHR_texture_transform")) {
        setTransform(*transform, map);
        set = GltfDocument::natural(*transform, "texCoord", set);
    }
    setWraps(document_.item("textures", number), map);
    map.texture = texture(number);
    if (map.texture == TextureMap::kNoTexture) return std::nullopt;
    return set;
}

void GltfLook::setWraps(const Json& texture, TextureMap& map) const {
    if (!texture.contains("sampler")) return;
    const Json& sampler = document_.item("samplers", GltfDocument::index(texture["sampler"]));
    map.across = wrapOf(GltfDocument::natural(sampler, "wrapS", 0));
    map.up = wrapOf(GltfDocument::natural(sampler, "wrapT", 0));
}

std::int32_t GltfLook::texture(std::size_t number) {
    const Json& json = document_.item("textures", number);
    if (json.contains("source")) return image(GltfDocument::index(json["source"]));
    std::string as = "no image";
    if (const auto all = json.find("extensions"); all != json.end() && all->is_object())
        for (const auto& [name, value] : all->items()) as = name.substr(0, 60);
    look_.missing.push_back(
        fmt::format("texture {}: is there as {} alone, PNG and JPEG are read", number, as));
    return TextureMap::kNoTexture;
}

std::int32_t GltfLook::image(std::size_t number) {
    const auto [place, isNew] = images_.emplace(number, TextureMap::kNoTexture);
    if (!isNew) return place->second;
    const Json& json = document_.item("images", number);
    try {
        Image image = readImage(json, fmt::format("images[{}]", number));
        document_.hold(image.rgba.size());
        look_.textures.push_back(std::move(image));
        place->second = static_cast<std::int32_t>(look_.textures.size() - 1);
    } catch (const Error& error) {
        look_.missing.push_back(fmt::format("texture {}", error.what()));
    }
    return place->second;
}

Image GltfLook::readImage(const Json& json, const std::string& place) {
    constexpr PixelOrder kOrder = PixelOrder::stored;  // which texture coordinates mean
    const auto uri = json.find("uri");
    if (uri == json.end()) {
        const std::size_t view = GltfDocument::index(json.at("bufferView"));
        return decodeImage(document_.view(view, place), place, document_.memoryLeft(), kOrder);
    }
    const auto& name = uri->get_ref<const std::string&>();
    if (isDataUri(name)) {
        const auto bytes = decodeDataUri(name);
        if (!bytes) throw FormatError({place, "", "its URI is damaged", "Export it again."});
        return decodeImage(*bytes, place, document_.memoryLeft(), kOrder);
    }
    std::filesystem::path file;
    try {
        file = document_.fileOf(name, reach_);
    } catch (const InputError& error) {
        if (!look_.outside) look_.outside = error.report();
        throw;
    }
    if (file.empty())
        throw IoError(
            {name.substr(0, 200), "", "is not there", "Put the texture beside the mesh."});
    const std::vector<std::byte> bytes = document_.read(file);
    return decodeImage(bytes, file, document_.memoryLeft(), kOrder);
}

}  // namespace threefold
