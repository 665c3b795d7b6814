#include "engine/formats/meshes/gltf_document.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/data_uri.h"
#include "engine/formats/text/shallow_json.h"
#include "engine/utf8.h"

namespace threefold {
namespace {

/// Parsed JSON takes up to forty times the size of its text; strings take less.
constexpr std::size_t kParsedPerByte = 40;
constexpr std::size_t kParsedPerStringByte = 4;
constexpr int kMaxDepth = 64;  // of the JSON; extensions and extras may nest
/// Maximum bytes of the JSON outside of its strings.
constexpr std::size_t kMaxStructureBytes = std::size_t{2} << 20;
/// Memory for geometry: kMemoryPerByte for each byte of the file, and kSpareMemory.
constexpr std::uint64_t kSpareMemory = std::uint64_t{48} << 20;
constexpr std::uint64_t kMemoryPerByte = 16;

/// Counts the bytes of a JSON text outside its strings.
std::size_t structureOf(std::string_view text) {
    std::size_t outside = 0;
    bool inside = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (inside && text[i] == '\\') {
            ++i;
        } else if (text[i] == '"') {
            inside = !inside;
            ++outside;
        } else if (!inside) {
            ++outside;
        }
    }
    return outside;
}

template <class Value>
double load(const std::byte* bytes, bool isNormalised) {
    Value value;
    std::memcpy(&value, bytes, sizeof value);
    const auto wide = static_cast<double>(value);
    if (!isNormalised || std::is_floating_point_v<Value>) return wide;
    return std::max(wide / static_cast<double>(std::numeric_limits<Value>::max()), -1.0);
}

template <class Value>
constexpr GltfComponentType componentOf(int componentType) {
    return {componentType, sizeof(Value), std::is_unsigned_v<Value>, load<Value>};
}

constexpr std::array kComponents{componentOf<std::int8_t>(5120),
                                 componentOf<std::uint8_t>(5121),
                                 componentOf<std::int16_t>(5122),
                                 componentOf<std::uint16_t>(5123),
                                 componentOf<std::uint32_t>(kGltfUnsignedInt),
                                 componentOf<float>(kGltfFloat)};

/// Whether the extension only changes the appearance, or is supported.
bool isHarmless(std::string_view extension) {
    for (const std::string_view known :
         {"KHR_materials", "KHR_texture", "EXT_texture", "MSFT_texture", "KHR_lights", "EXT_lights",
          "KHR_mesh_quantization", "KHR_xmp"})
        if (extension.starts_with(known)) return true;
    return false;
}

}  // namespace

double GltfAccessor::at(std::size_t element, int componentIndex) const {
    const std::size_t offset = component->size * static_cast<std::size_t>(componentIndex);
    return component->load(bytes.data() + element * stride + offset, isNormalised);
}

glm::dvec3 GltfAccessor::vector(std::size_t element) const {
    return {at(element, 0), at(element, 1), at(element, 2)};
}

GltfDocument::GltfDocument(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                           const ReferencedFiles* files)
    : subject_(subject), files_(files), fileBytes_(bytes.size()) {
    if (asText(bytes).starts_with("glTF")) {
        readChunks(bytes);
    } else {
        parse(bytes, 0);
    }
    checkVersion();
    checkExtensions();
}

void GltfDocument::readChunks(std::span<const std::byte> bytes) {
    ByteCursor cursor(bytes, subject_);
    cursor.read(4);
    const std::uint64_t version = cursor.readLittleEndian(4);
    if (version != 2)
        cursor.failAt(4,
                      fmt::format("is glTF version {}, but only version 2 is supported", version),
                      "Export it again as GLB of version 2.0.");
    const std::uint64_t length = cursor.readLittleEndian(4);
    if (length > bytes.size())
        cursor.failAt(
            8, fmt::format("declares {} bytes, but the file has {} bytes", length, bytes.size()));
    while (cursor.remaining() >= 8) {
        const std::size_t offset = cursor.offset();
        const std::uint64_t size = cursor.readLittleEndian(4);
        const std::uint64_t kind = cursor.readLittleEndian(4);
        // Reads chunks after the declared length, as trimesh does. Ignores other bytes after this
        // length.
        if (offset >= length && size > cursor.remaining()) break;
        const auto chunk = cursor.read(size);
        if (kind == kGlbJson && json_.is_null()) {
            parse(chunk, offset);
        } else if (kind == kGlbBinary && binary_.empty()) {
            binary_ = chunk;
        }
    }
    if (json_.is_null()) cursor.failAt(12, "has no JSON chunk");
}

void GltfDocument::parse(std::span<const std::byte> text, std::size_t offset) {
    const std::size_t structure = structureOf(asText(text));
    if (structure > kMaxStructureBytes)
        fail(fmt::format("byte {}", offset),
             fmt::format("has {} bytes of JSON outside its strings, but at most {} are supported",
                         structure, kMaxStructureBytes));
    parsed_ = structure * kParsedPerByte + (text.size() - structure) * kParsedPerStringByte;
    const std::string place = fmt::format("byte {}", offset);
    try {
        json_ = parseShallowJson<Json>(asText(text), kMaxDepth, [&](const std::string& problem) {
            fail(place, "the JSON chunk " + problem);
        });
    } catch (const Json::exception&) {
        fail(place, "the JSON chunk is not JSON");
    }
    if (!json_.is_object()) fail(place, "the JSON chunk is not JSON");
}

void GltfDocument::fail(const std::string& place, const std::string& problem) const {
    throw FormatError({subject_.string(), place, problem,
                       "Export it again as GLB, without compression and with all its data "
                       "inside."});
}

void GltfDocument::failUnsupported(const std::string& place, std::string_view extension) const {
    throw InputError(
        {subject_.string(), place,
         fmt::format("requires '{}', which is not supported", textPrefix(extension, 60)),
         "Export it again as GLB without compression of its meshes."});
}

void GltfDocument::checkVersion() const {
    const auto asset = json_.find("asset");
    if (asset == json_.end() || !asset->is_object()) return;
    for (const char* key : {"version", "minVersion"}) {
        const auto entry = asset->find(key);
        if (entry == asset->end() || !entry->is_string()) continue;
        const auto& version = entry->get_ref<const std::string&>();
        // A later 2.x can be read by programs for 2.0, unless its minVersion is later.
        if (version == "2.0" || version == "2" ||
            (key == std::string_view("version") && version.starts_with("2.")))
            continue;
        throw InputError({subject_.string(), fmt::format("asset.{}", key),
                          fmt::format("is glTF version {}, but only version 2.0 is supported",
                                      textPrefix(version, 20)),
                          "Export it again as GLB of version 2.0."});
    }
}

void GltfDocument::checkExtensions() const {
    const auto required = json_.find("extensionsRequired");
    if (required == json_.end()) return;
    if (!required->is_array()) fail("extensionsRequired", "is not a list");
    for (const Json& element : *required) {
        const auto* name = element.get_ptr<const std::string*>();
        if (name == nullptr) fail("extensionsRequired", "has a name that is not a string");
        if (!isHarmless(*name)) failUnsupported("extensionsRequired", *name);
    }
}

const GltfDocument::Json& GltfDocument::list(const char* name) const {
    static const Json kNone = Json::array();
    const auto entry = json_.find(name);
    if (entry == json_.end()) return kNone;
    if (!entry->is_array()) fail(name, "is not a list");
    return *entry;
}

const GltfDocument::Json& GltfDocument::entry(const char* name, std::size_t index) const {
    const Json& entries = list(name);
    const auto place = [&] { return fmt::format("{}[{}]", name, index); };
    if (index >= entries.size())
        fail(place(), fmt::format("is referenced, but the list has {} entries", entries.size()));
    if (!entries[index].is_object()) fail(place(), "is not an object");
    return entries[index];
}

std::size_t GltfDocument::index(const Json& value) {
    if (!value.is_number_unsigned())
        throw Json::type_error::create(302, "a natural number is expected", &value);
    return value.get<std::size_t>();
}

std::size_t GltfDocument::optionalIndex(const Json& object, const char* name,
                                        std::size_t fallback) {
    const auto value = object.find(name);
    return value == object.end() ? fallback : index(*value);
}

const GltfDocument::Json* GltfDocument::extension(const Json& object, const char* name) {
    const auto extensions = object.find("extensions");
    if (extensions == object.end() || !extensions->is_object()) return nullptr;
    const auto entry = extensions->find(name);
    return entry == extensions->end() || !entry->is_object() ? nullptr : &*entry;
}

std::filesystem::path GltfDocument::fileOf(const std::string& uri, AllowedFolders allowed) const {
    if (files_ == nullptr) return {};
    const std::filesystem::path folder = subject_.parent_path();
    std::filesystem::path file = files_->find(folder, decodePercents(uri), allowed);
    if (file.empty()) file = files_->find(folder, uri, allowed);
    return file;
}

std::vector<std::byte> GltfDocument::read(const std::filesystem::path& file) {
    std::vector<std::byte> bytes = files_->read(file);
    fileBytes_ += bytes.size();
    return bytes;
}

std::span<const std::byte> GltfDocument::buffer(std::size_t bufferIndex) {
    if (const auto cached = buffers_.find(bufferIndex); cached != buffers_.end())
        return cached->second;
    const std::string place = fmt::format("buffers[{}]", bufferIndex);
    const Json& json = entry("buffers", bufferIndex);
    const auto uri = json.find("uri");
    if (uri == json.end()) {
        if (bufferIndex != 0) fail(place, "the data lie in another file");
        return binary_;
    }
    const auto& name = uri->get_ref<const std::string&>();
    if (isDataUri(name)) {
        auto bytes = decodeDataUri(name);
        if (!bytes) fail(place, "its URI is damaged");
        return buffers_[bufferIndex] = std::move(*bytes);
    }
    if (files_ == nullptr) fail(place, "the data lie in another file");
    std::filesystem::path file;
    try {
        file = fileOf(name);
    } catch (const InputError& error) {
        const ErrorReport& report = error.report();
        throw InputError({subject_.string(), place, report.subject + ' ' + report.problem,
                          "Copy it into the mesh's folder, or export it again as GLB."});
    }
    if (file.empty())
        throw IoError({subject_.string(), place,
                       fmt::format("'{}' is not there", textPrefix(name, 100)),
                       "Put it beside the mesh, or export it again as GLB."});
    const auto [first, isNew] = bufferOfFile_.emplace(file, bufferIndex);
    if (!isNew) return buffers_[first->second];
    return buffers_[bufferIndex] = read(file);
}

std::span<const std::byte> GltfDocument::bufferView(std::size_t viewIndex,
                                                    const std::string& place) {
    const Json& json = entry("bufferViews", viewIndex);
    const std::span<const std::byte> bytes = buffer(optionalIndex(json, "buffer", 0));
    const std::size_t start = optionalIndex(json, "byteOffset", 0);
    const std::size_t length = optionalIndex(json, "byteLength", 0);
    if (start > bytes.size() || length > bytes.size() - start)
        fail(place, fmt::format("needs {} bytes from byte {} on, but the data have {} bytes",
                                length, start, bytes.size()));
    return bytes.subspan(start, length);
}

const GltfComponentType& GltfDocument::component(const Json& json, const std::string& place) const {
    const Json& type = json.at("componentType");
    const auto* match = std::ranges::find_if(
        kComponents, [&](const GltfComponentType& known) { return type == known.componentType; });
    if (match == kComponents.end()) fail(place, "has a type that is not supported");
    return *match;
}

/// Sets bytes and stride of the accessor. `json` names a view and the offset of the elements.
void GltfDocument::setLayout(GltfAccessor& accessor, const Json& json, const std::string& place) {
    const std::size_t viewIndex = index(json.at("bufferView"));
    const Json& viewJson = entry("bufferViews", viewIndex);
    if (extension(viewJson, "EXT_meshopt_compression") != nullptr &&
        extension(entry("buffers", optionalIndex(viewJson, "buffer", 0)),
                  "EXT_meshopt_compression") != nullptr)
        failUnsupported(place, "EXT_meshopt_compression");
    const std::span<const std::byte> bytes = bufferView(viewIndex, place);
    const std::size_t element = accessor.elementSize();
    const std::size_t start = optionalIndex(json, "byteOffset", 0);
    accessor.stride = optionalIndex(viewJson, "byteStride", element);
    if (accessor.stride < element) fail(place, "has elements that overlap");
    if (accessor.count == 0) return;
    const bool fits = start <= bytes.size() && element <= bytes.size() - start &&
                      accessor.count - 1 <= (bytes.size() - start - element) / accessor.stride;
    if (!fits)
        fail(place, fmt::format("{} elements do not fit into the {} bytes of the buffer view",
                                accessor.count, bytes.size()));
    accessor.bytes = bytes.subspan(start);
}

GltfAccessor GltfDocument::accessor(std::size_t accessorIndex) {
    const std::string place = fmt::format("accessors[{}]", accessorIndex);
    const Json& json = entry("accessors", accessorIndex);
    constexpr std::pair<const char*, int> kWidths[] = {
        {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}};
    int componentCount = 0;
    for (const auto& [name, components] : kWidths)
        if (json.at("type").get_ref<const std::string&>() == name) componentCount = components;
    GltfAccessor result{.count = index(json.at("count")),
                        .component = &component(json, place),
                        .componentCount = componentCount};
    if (componentCount == 0) fail(place, "has a type that is not supported");
    const auto sparse = json.find("sparse");
    if (json.contains("bufferView")) {
        setLayout(result, json, place);
    } else if (sparse == json.end()) {
        fail(place, "has no data");
    }
    if (sparse != json.end()) applySparse(result, *sparse, place);
    result.isNormalised = json.value("normalized", false);
    return result;
}

/// Copies the elements (zeros if the accessor has no buffer view), and replaces those that `sparse`
/// lists.
void GltfDocument::applySparse(GltfAccessor& accessor, const Json& sparse,
                               const std::string& place) {
    const std::size_t element = accessor.elementSize();
    if (accessor.count > std::numeric_limits<std::uint32_t>::max()) fail(place, "is too large");
    reserveGeometry(accessor.count * element, place);
    std::vector<std::byte>& copy = sparseCopies_.emplace_back(accessor.count * element);
    if (!accessor.bytes.empty())
        for (std::size_t i = 0; i < accessor.count; ++i)
            std::memcpy(&copy[i * element], &accessor.bytes[i * accessor.stride], element);

    const std::string sparsePlace = place + ".sparse";
    const std::size_t count = index(sparse.at("count"));
    const Json& indicesJson = sparse.at("indices");
    GltfAccessor indices{
        .count = count, .component = &component(indicesJson, sparsePlace), .componentCount = 1};
    if (!indices.component->isIndex)
        fail(sparsePlace, "has indices that are not unsigned integers");
    setLayout(indices, indicesJson, sparsePlace);
    GltfAccessor values{
        .count = count, .component = accessor.component, .componentCount = accessor.componentCount};
    setLayout(values, sparse.at("values"), sparsePlace);
    for (std::size_t i = 0; i < count; ++i) {
        const auto target = static_cast<std::size_t>(indices.at(i, 0));
        if (target >= accessor.count)
            fail(sparsePlace, fmt::format("names element {}, but the number of elements is {}",
                                          target, accessor.count));
        std::memcpy(&copy[target * element], &values.bytes[i * values.stride], element);
    }
    accessor.bytes = copy;
    accessor.stride = element;
}

void GltfDocument::reserveGeometry(std::uint64_t bytes, const std::string& place) {
    geometryBytes_ += bytes;
    // Doubled: a growing vector exists twice while it is copied.
    if (geometryBytes_ * 2 > fileBytes_ * kMemoryPerByte + kSpareMemory)
        fail(place, "the geometry exceeds the memory limit for a file of this size");
}

std::uint64_t GltfDocument::memoryLeft() const {
    constexpr std::uint64_t kFixedMemory = std::uint64_t{4} << 20;
    const std::uint64_t limit = fileBytes_ * kMemoryPerByte + (std::uint64_t{64} << 20);
    const std::uint64_t used = kFixedMemory + parsed_ + 2 * geometryBytes_ + pictureBytes_;
    return used < limit ? limit - used : 0;
}

}  // namespace threefold
