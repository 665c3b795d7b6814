#include "engine/web_page/page_parts.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/data_uri.h"
#include "engine/formats/bytes/little_endian_bytes.h"
#include "engine/formats/bytes/sha256.h"
#include "engine/formats/pictures/image_writers.h"
#include "engine/geometry/mesh_properties.h"
#include "engine/json_text.h"
#include "engine/web_page/packed_mesh.h"

namespace threefold {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kViewerStyle =
#include <web_page/viewer.css.inc>
    ;
// One script: each part uses the parts above it.
// clang-format off
constexpr std::string_view kViewerScript = "'use strict';\n"
#include <web_page/clouds.js.inc>
#include <web_page/mesh_data.js.inc>
#include <web_page/camera.js.inc>
#include <web_page/shaders.js.inc>
#include <web_page/drawing.js.inc>
#include <pages/plots.js.inc>
#include <web_page/elements.js.inc>
#include <web_page/legend.js.inc>
#include <web_page/measures_table.js.inc>
#include <web_page/input.js.inc>
#include <web_page/controls.js.inc>
#include <web_page/photographs.js.inc>
#include <web_page/panes.js.inc>
#include <web_page/viewer.js.inc>
    ;
// clang-format on
constexpr std::string_view kDialogScript =
#include <web_page/dialog.js.inc>
    ;

constexpr glm::vec3 kViridis[] = {
#include "resources/colour_maps/viridis.inl"
};

constexpr glm::vec3 kCoolWarm[] = {
#include "resources/colour_maps/cool_warm.inl"
};

constexpr int kTextureQuality = 85;  // quality of WebP pictures
constexpr int kPhotographQuality = 80;

Json vectorJson(const glm::vec3& v) {
    return Json::array({v.x, v.y, v.z});
}

/// The table as 16-bit numbers, so that rounding never shows in a picture of 8 bits.
std::string tableText(std::span<const glm::vec3> table) {
    LittleEndianBytes bytes;
    for (const glm::vec3& colour : table)
        for (int channel = 0; channel < 3; ++channel)
            bytes.appendU16(static_cast<std::uint32_t>(
                std::lround(std::clamp(colour[channel], 0.0F, 1.0F) * 65535)));
    return encodeBase64(asBytes(bytes.release()));
}

Json rangeJson(const std::optional<PackedRange>& range) {
    return range ? Json::array({range->min, range->max}) : Json(nullptr);
}

Json webNumberJson(const WebNumber& number) {
    return {{"text", number.text}, {"value", number.value ? Json(*number.value) : Json(nullptr)}};
}

Json webMeasureJson(const WebMeasure& measure) {
    return {{"heading", measure.heading}, {"better", betterKey(measure.better)}};
}

/// The name that the page's script has for a colouring.
std::string_view colouringName(WebColouring colouring) {
    switch (colouring) {
        case WebColouring::values:
            return "values";
        case WebColouring::difference:
            return "difference";
        case WebColouring::texture:
            return "texture";
        case WebColouring::plain:
            return "plain";
        case WebColouring::normals:
            return "normals";
        case WebColouring::firstAvailable:
            break;
    }
    return "";
}

Json meshJson(const WebMesh& mesh) {
    const PackedMesh packed = packMesh(mesh);
    const bool textured = mesh.texture.isComplete() && !mesh.textureCoordinates.empty();
    const bool hasFaces = !mesh.mesh.faces.empty();
    const MeshProperties properties =
        hasFaces ? meshProperties(mesh.mesh.vertices, mesh.mesh.faces) : MeshProperties();
    const std::optional<std::size_t> handles = properties.genus();
    return {{"name", mesh.name},
            {"vertices", mesh.mesh.vertices.size()},
            {"faces", mesh.mesh.faces.size()},
            {"components", hasFaces ? Json(properties.componentCount) : Json(nullptr)},
            {"watertight", hasFaces ? Json(properties.isWatertight()) : Json(nullptr)},
            {"handles", handles ? Json(*handles) : Json(nullptr)},
            {"low", vectorJson(packed.box.min)},
            {"size", vectorJson(packed.box.max - packed.box.min)},
            {"values", rangeJson(packed.values)},
            {"difference", rangeJson(packed.differences)},
            {"coordinates", !mesh.textureCoordinates.empty()},
            {"texture", textured ? Json(pictureUri(mesh.texture, kTextureQuality)) : Json(nullptr)},
            {"numbers", jsonArray(mesh.numbers, webNumberJson)},
            {"sets_range", mesh.definesViewAndRange},
            {"caption", mesh.caption},
            {"max_shown_distance",
             mesh.maxShownDistance > 0 ? Json(mesh.maxShownDistance) : Json(nullptr)},
            {"beyond_max_text", mesh.beyondMaxText},
            {"data", encodeBase64(asBytes(packed.bytes))}};
}

Json photographJson(const WebPhoto& photograph) {
    const glm::dvec3 centre = photograph.camera.centre;
    const double distance = std::max(glm::length(centre), 1e-6);
    return {{"name", photograph.name},
            {"input", photograph.isInput},
            {"picture", pictureUri(photograph.picture, kPhotographQuality)},
            {"yaw", std::atan2(centre.x, centre.z)},
            {"pitch", std::asin(std::clamp(centre.y / distance, -1.0, 1.0))},
            {"distance", distance},
            {"half_angle", std::atan(kPrincipalPoint / kFocalLength / photograph.camera.zoom)}};
}

Json scaleJson(const WebColourScale& colours, std::span<const glm::vec3> standard) {
    return {{"caption", colours.caption},
            {"table", tableText(colours.table.empty() ? standard : colours.table)},
            {"logarithmic", colours.logarithmic},
            {"min", colours.min},
            {"max", colours.max}};
}

std::string hashOf(std::string_view text) {
    const std::string hex = sha256(std::as_bytes(std::span(text)));
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        unsigned value = 0;
        std::from_chars(&hex[i], &hex[i] + 2, value, 16);
        bytes.push_back(static_cast<std::byte>(value));
    }
    return "'sha256-" + encodeBase64(bytes) + "'";
}

}  // namespace

std::string_view viewerStyle() {
    return kViewerStyle;
}

std::string_view viewerScript() {
    return kViewerScript;
}

std::string_view dialogScript() {
    return kDialogScript;
}

void ResultDialog::add(std::string_view id, const WebResult& result) {
    results_ +=
        fmt::format("<script type=\"application/json\" class=\"result\" id=\"{}\">{}</script>\n",
                    id, escapeForScript(dumpJson(resultJson(result))));
    WebResult& values = values_.emplace_back();
    for (const WebMesh& mesh : result.meshes) {
        WebMesh& copy = values.meshes.emplace_back();
        copy.values = mesh.values;
        copy.differences = mesh.differences;
        copy.definesViewAndRange = mesh.definesViewAndRange;
        copy.maxShownDistance = mesh.maxShownDistance;
    }
}

std::string ResultDialog::html(const std::vector<WebMeasure>& measures) const {
    if (values_.empty()) return {};
    const WebColourScale colours = withSharedRange({}, values_);
    const WebColourScale difference = withSharedDifference(values_);
    return "<dialog class=\"result\" id=\"result-dialog\"><header><h2></h2><span></span>"
           "<button type=\"button\" class=\"previous\" aria-label=\"Previous sample\">‹</button>"
           "<button type=\"button\" class=\"next\" aria-label=\"Next sample\">›</button>"
           "<button type=\"button\" class=\"close\">Back</button></header><p hidden>This "
           "browser has no WebGL 2, which turns the meshes.</p>"
           "<div></div></dialog>\n<script type=\"application/json\" id=\"viewer-data\">" +
           escapeForScript(dumpJson(viewerJson(colours, difference, measures))) + "</script>\n" +
           results_;
}

Json resultJson(const WebResult& result) {
    return {{"name", result.name},
            {"note", result.note},
            {"photographs", jsonArray(result.photographs, photographJson)},
            {"meshes", jsonArray(result.meshes, meshJson)}};
}

Json viewerJson(const WebColourScale& valueColours, const WebColourScale& differenceColours,
                const std::vector<WebMeasure>& measures) {
    return {{"values", scaleJson(valueColours, kViridis)},
            {"difference", scaleJson(differenceColours, kCoolWarm)},
            {"initial_colouring", colouringName(valueColours.initialColouring)},
            {"measures", jsonArray(measures, webMeasureJson)}};
}

std::string escapeForScript(std::string_view json) {
    std::string safe;
    safe.reserve(json.size());
    for (const char c : json) {
        if (c == '<' || c == '>' || c == '&')
            safe += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
            safe += c;
    }
    return safe;
}

std::string contentSecurityPolicy(std::string_view style, std::string_view script) {
    return fmt::format(
        "default-src 'none'; style-src {}; script-src {}; img-src data:; base-uri 'none'; "
        "form-action 'none'",
        style.empty() ? "'unsafe-inline'" : hashOf(style), hashOf(script));
}

std::string fillTemplate(std::string_view page,
                         const std::vector<std::pair<std::string_view, std::string_view>>& texts) {
    std::string filled;
    // One pass over the template, so that braces in the inserted texts are not replaced.
    while (true) {
        const std::size_t open = page.find("{{");
        filled += page.substr(0, open);
        if (open == std::string_view::npos) return filled;
        const std::size_t close = page.find("}}", open);
        if (close == std::string_view::npos) throw std::logic_error("a placeholder has no end");
        const std::string_view name = page.substr(open + 2, close - open - 2);
        const auto found =
            std::ranges::find(texts, name, &std::pair<std::string_view, std::string_view>::first);
        if (found == texts.end())
            throw std::logic_error(fmt::format("the placeholder '{}' has no text", name));
        filled += found->second;
        page.remove_prefix(close + 2);
    }
}

std::string pictureUri(const Image& picture, int quality) {
    if (quality > 0) return "data:image/webp;base64," + encodeBase64(encodeWebp(picture, quality));
    return "data:image/png;base64," + encodeBase64(encodePng(picture));
}

}  // namespace threefold
