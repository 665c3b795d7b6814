// Cameras that Agisoft Metashape exports as XML: sensors with their calibration, and for each
// camera a matrix, camera to chunk, axes of OpenCV; the chunk's transform maps the chunk to the
// world. The centre of the first pixel is at (0.5, 0.5), and cx and cy count from the picture's
// centre (Metashape's manual, appendix on camera models). Metashape's P1 and P2 are OpenCV's p2 and
// p1.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <pugixml.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/mapped_file.h"
#include "engine/formats/text/text_encoding.h"
#include "engine/sample/posed_photos/camera_decoders.h"
#include "engine/sample/posed_photos/camera_formats.h"
#include "engine/sample/posed_photos/lens_completion.h"
#include "engine/sample/posed_photos/photo_files.h"
#include "engine/sample/posed_photos/pose_matrix.h"
#include "engine/sample/posed_photos/upright.h"
#include "engine/text.h"
#include "engine/transform.h"
#include "engine/utf8.h"

namespace threefold {
namespace {

using Path = std::filesystem::path;

constexpr std::size_t kMaxXmlBytes = std::size_t{64} << 20;
constexpr const char* kXmlRemedy =
    "Export the cameras again: File > Export > Export Cameras, as Agisoft XML.";

/// XML document with line numbers for errors.
class CameraDocument {
  public:
    CameraDocument(std::span<const std::byte> bytes, const Path& file)
        : text_(asText(bytes)), file_(file) {
        // A four-byte tag takes 128 bytes of memory with the text after it, an attribute 40.
        constexpr std::ptrdiff_t kMaxNodes = 250'000;
        if (bytes.size() > kMaxXmlBytes)
            fail(0, fmt::format("is longer than {} bytes", kMaxXmlBytes));
        if (std::ranges::count(text_, '<') > kMaxNodes ||
            std::ranges::count(text_, '=') > kMaxNodes)
            fail(0, fmt::format("holds more than {} tags or attributes", kMaxNodes));
        if (text_.find('\0') != text_.npos) fail(text_.find('\0'), "is not XML in UTF-8");
        // Entities of a document type are not expanded.
        const pugi::xml_parse_result result = document_.load_buffer(
            text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8);
        if (!result)
            fail(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)),
                 fmt::format("is not XML from here on ({})", result.description()));
    }

    pugi::xml_node root() const { return document_.child("document"); }
    std::string file() const { return file_.string(); }
    std::string placeOf(pugi::xml_node node) const {
        return fmt::format("line {}", lineOf(offsetOf(node)));
    }
    [[noreturn]] void failAt(pugi::xml_node node, std::string problem,
                             std::string remedy = kXmlRemedy) const {
        fail(offsetOf(node), std::move(problem), std::move(remedy));
    }

    double number(pugi::xml_node node, const char* text, const char* expected) const {
        const auto value = parseNumber<double>(trimmed(text, " \t\r\n"));
        if (!value || !std::isfinite(*value))
            failAt(node, fmt::format("'{}' is not a finite number; expected {}",
                                     textPrefix(text, 40), expected));
        return *value;
    }
    /// Number in the child element `name` of `parent`; `missing` if there is none.
    double child(pugi::xml_node parent, const char* name, double missing) const {
        const pugi::xml_node node = parent.child(name);
        return node ? number(node, node.child_value(), name) : missing;
    }
    std::vector<double> numbers(pugi::xml_node node, std::size_t count) const {
        std::vector<double> values;
        std::string_view rest = node.child_value();
        constexpr std::string_view kBlanks = " \t\r\n";
        for (;;) {
            rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
            if (rest.empty()) break;
            const std::string word(rest.substr(0, rest.find_first_of(kBlanks)));
            if (values.size() == count) failAt(node, fmt::format("more than {} numbers", count));
            values.push_back(number(node, word.c_str(), node.name()));
            rest.remove_prefix(word.size());
        }
        if (values.size() != count)
            failAt(node, fmt::format("{} numbers, expected {}", values.size(), count));
        return values;
    }

  private:
    static std::size_t offsetOf(pugi::xml_node node) {
        return static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
    }
    std::ptrdiff_t lineOf(std::size_t offset) const {
        const auto before = text_.substr(0, std::min(offset, text_.size()));
        return 1 + std::ranges::count(before, '\n');
    }
    [[noreturn]] void fail(std::size_t offset, std::string problem,
                           std::string remedy = kXmlRemedy) const {
        throw FormatError({file_.string(), fmt::format("line {}", lineOf(offset)),
                           std::move(problem), std::move(remedy)});
    }

    std::string_view text_;
    const Path& file_;
    pugi::xml_document document_;
};

constexpr const char* kUndistortPhotos =
    "Export the photographs without distortion (File > Export > Convert Images) and align those, "
    "or calibrate with f, cx, cy, k1 to k3, p1 and p2 alone.";

/// Adjusted calibration of a sensor, else the sensor's first calibration.
pugi::xml_node calibrationOf(pugi::xml_node sensor) {
    pugi::xml_node result = sensor.child("calibration");
    for (const pugi::xml_node calibration : sensor.children("calibration"))
        if (std::string_view(calibration.attribute("class").value()) == "adjusted")
            result = calibration;
    return result;
}

void refuseOtherSensors(const CameraDocument& document, pugi::xml_node node) {
    const std::string_view type = node.attribute("type").value();
    if (!type.empty() && type != "frame")
        document.failAt(
            node, fmt::format("the lens '{}' cannot be undistorted here", textPrefix(type, 40)),
            kUndistortPhotos);
}

/// Shift of pixels at a picture's border by a skew, in pixels. A shift of up to one pixel is
/// ignored.
double shiftBySkew(const Lens& lens, double skew) {
    return std::abs(skew) * lens.height / (2 * lens.focalY);
}

/// Sets the size of a sensor's pictures.
void setSensorSize(const CameraDocument& document, pugi::xml_node sensor, pugi::xml_node from,
                   Lens& lens) {
    pugi::xml_node resolution = from.child("resolution");
    if (!resolution) resolution = sensor.child("resolution");
    const std::pair<const char*, int*> sides[] = {{"width", &lens.width}, {"height", &lens.height}};
    for (const auto& [name, side] : sides) {
        const double pixels = document.number(resolution ? resolution : sensor,
                                              resolution.attribute(name).value(), name);
        if (pixels != std::floor(pixels) || pixels <= 0 || pixels > 1 << 30)
            document.failAt(resolution, fmt::format("{:g} is not a number of pixels", pixels));
        *side = static_cast<int>(pixels);
    }
}

/// Sets focal lengths and principal point from a calibration; returns the skew.
double setSensorPinhole(const CameraDocument& document, pugi::xml_node from, Lens& lens) {
    if (from.child("f")) {
        const double focal = document.child(from, "f", 0);
        lens.focalX = focal + document.child(from, "b1", 0);
        lens.focalY = focal;
        lens.principalX = lens.width / 2.0 + document.child(from, "cx", 0);
        lens.principalY = lens.height / 2.0 + document.child(from, "cy", 0);
        return document.child(from, "b2", 0);
    }
    // PhotoScan before 1.2: the principal point counts from the upper left corner.
    if (!from.child("fx")) document.failAt(from, "the calibration has no focal length f");
    lens.focalX = document.child(from, "fx", 0);
    lens.focalY = document.child(from, "fy", lens.focalX);
    lens.principalX = document.child(from, "cx", lens.width / 2.0);
    lens.principalY = document.child(from, "cy", lens.height / 2.0);
    return document.child(from, "skew", 0);
}

void setSensorDistortion(const CameraDocument& document, pugi::xml_node from, Lens& lens) {
    lens.k1 = document.child(from, "k1", 0);
    lens.k2 = document.child(from, "k2", 0);
    lens.k3 = document.child(from, "k3", 0);
    lens.p1 = document.child(from, "p2", 0);
    lens.p2 = document.child(from, "p1", 0);
    for (const char* name : {"k4", "p3", "p4"})
        if (document.child(from, name, 0) != 0)
            document.failAt(from.child(name), fmt::format("{} is not undistorted here", name),
                            kUndistortPhotos);
}

Lens sensorLens(const CameraDocument& document, pugi::xml_node sensor, const Path& file) {
    refuseOtherSensors(document, sensor);
    const pugi::xml_node from = calibrationOf(sensor);
    if (!from) document.failAt(sensor, "the sensor has no calibration");
    refuseOtherSensors(document, from);
    Lens lens;
    setSensorSize(document, sensor, from, lens);
    const double skew = setSensorPinhole(document, from, lens);
    setSensorDistortion(document, from, lens);
    requireValidLens(lens, file, document.placeOf(from));
    if (!(shiftBySkew(lens, skew) <= 1))
        document.failAt(from,
                        fmt::format("a skew b2 of {:g}: the pixels are not rectangular", skew),
                        kUndistortPhotos);
    return lens;
}

/// Transform from a chunk to the world.
SimilarityTransform chunkTransform(const CameraDocument& document, pugi::xml_node chunk) {
    SimilarityTransform transform;
    const pugi::xml_node from = chunk.child("transform");
    if (const pugi::xml_node node = from.child("rotation")) {
        const std::vector<double> values = document.numbers(node, 9);
        PoseMatrix matrix{};
        matrix[3][3] = 1;
        for (std::size_t i = 0; i < values.size(); ++i) matrix[i / 3][i % 3] = values[i];
        const Pose turned =
            poseOfMatrix(matrix, CameraAxes::opengl, MatrixConvention::worldToCamera,
                         document.file(), document.placeOf(node))
                .pose;
        transform.rotation = turned.rotation;
    }
    if (const pugi::xml_node node = from.child("translation")) {
        const std::vector<double> values = document.numbers(node, 3);
        transform.targetOrigin = {values[0], values[1], values[2]};
    }
    if (const pugi::xml_node node = from.child("scale")) {
        transform.scale = document.numbers(node, 1)[0];
        if (!(transform.scale > 0 && transform.scale <= kMaxWorldCoordinate))
            document.failAt(node, fmt::format("a scale of {:g}", transform.scale));
    }
    return transform;
}

/// Cameras of the chunk, then of its groups, in file order.
std::vector<pugi::xml_node> camerasOf(const CameraDocument& document, pugi::xml_node chunk) {
    std::vector<pugi::xml_node> cameras;
    const auto add = [&](pugi::xml_node parent) {
        for (const pugi::xml_node camera : parent.children("camera")) {
            if (cameras.size() == kMaxPosedPhotos)
                document.failAt(camera, fmt::format("more than {} cameras", kMaxPosedPhotos));
            cameras.push_back(camera);
        }
    };
    const pugi::xml_node list = chunk.child("cameras");
    add(list);
    for (const pugi::xml_node group : list.children("group")) add(group);
    return cameras;
}

Pose poseInWorld(const CameraDocument& document, pugi::xml_node node,
                 const SimilarityTransform& transform) {
    const std::vector<double> values = document.numbers(node, 16);
    PoseMatrix matrix{};
    for (std::size_t i = 0; i < values.size(); ++i) matrix[i / 4][i % 4] = values[i];
    Pose pose = poseOfMatrix(matrix, CameraAxes::opencv, MatrixConvention::cameraToWorld,
                             document.file(), document.placeOf(node))
                    .pose;
    pose.centre = transform.apply(pose.centre);
    for (int axis = 0; axis < 3; ++axis)
        if (!(std::abs(pose.centre[axis]) <= kMaxWorldCoordinate))
            document.failAt(node, fmt::format("the camera stands at {:g}", pose.centre[axis]));
    pose.rotation = pose.rotation * glm::transpose(transform.rotation);
    return pose;
}

}  // namespace

CameraFile decodeMetashape(std::span<const std::byte> bytes, const Path& file) {
    const CameraDocument document(bytes, file);
    const pugi::xml_node chunk = document.root().child("chunk");
    if (!chunk)
        throw NotThisFormat(
            {file.string(), "", "has no cameras: no <document> with a <chunk>", kXmlRemedy});
    CameraFile read;
    read.format = "Metashape";
    std::map<std::string_view, pugi::xml_node> sensors;
    for (const pugi::xml_node sensor : chunk.child("sensors").children("sensor"))
        sensors.emplace(sensor.attribute("id").value(), sensor);
    std::map<std::string_view, Lens> lenses;
    const SimilarityTransform toWorld = chunkTransform(document, chunk);
    std::size_t leftOut = 0;
    for (const pugi::xml_node camera : camerasOf(document, chunk)) {
        Photo photo;
        photo.name = camera.attribute("label").value();
        if (photo.name.empty()) document.failAt(camera, "the camera has no label");
        const pugi::xml_node transform = camera.child("transform");
        const std::string_view enabled = camera.attribute("enabled").value();
        if (!transform || enabled == "false" || enabled == "0") {
            ++leftOut;
            continue;
        }
        const std::string_view id = camera.attribute("sensor_id").value();
        const auto sensor = sensors.find(id);
        if (sensor == sensors.end())
            document.failAt(camera, fmt::format("sensor {} is not among the sensors",
                                                std::string(textPrefix(id, 40))));
        if (!lenses.contains(id)) lenses.emplace(id, sensorLens(document, sensor->second, file));
        photo.lens = lenses.at(id);
        photo.pose = poseInWorld(document, transform, toWorld);
        photo.image = findPhotoAround(file.parent_path(), photo.name);
        read.photos.push_back(std::move(photo));
    }
    noteLeftOut(read, leftOut, file);
    turnUpright(read, PixelOrder::stored);
    return read;
}

namespace {

CameraFile readMetashape(const Path& file) {
    return MappedFile(file).decode([&](auto bytes) { return decodeMetashape(bytes, file); });
}

/// Whether an XML file begins like an export of Metashape's cameras.
bool isMetashape(const Path& file) {
    if (!isFile(file)) return false;
    constexpr std::size_t kHead = 4096;
    std::string head(kHead, '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
    const std::size_t root = head.find("<document");
    if (root == head.npos) return false;
    // A project's own doc.xml has <chunks>, whose cameras are in other files.
    const std::string_view rest = std::string_view(head).substr(root);
    return rest.find("<chunk ") != rest.npos || rest.find("<chunk>") != rest.npos;
}

}  // namespace

const CameraFormat camera_formats::metashape{.name = "Metashape",
                                             .writers = "Agisoft Metashape, PhotoScan",
                                             .files = {"*.xml"},
                                             .read = readMetashape,
                                             .accepts = isMetashape};

}  // namespace threefold
