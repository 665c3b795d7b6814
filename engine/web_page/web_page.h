#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/measures/measure_table.h"
#include "engine/mesh.h"
#include "engine/views/camera.h"

/// Pages that show results in any browser, without network access: one HTML file with meshes that
/// turn together, their colours, legend and measures.
namespace threefold {

/// A measure of a page: one row of its table.
struct WebMeasure {
    std::string heading;
    BetterDirection better = BetterDirection::lower;
};

/// One measure of one mesh.
struct WebNumber {
    std::string text = "–";  ///< text that the page shows
    /// Compared with the values of the other meshes, to mark the best; nullopt: not compared.
    std::optional<double> value = {};
};

/// A mesh of a page, in the world of the result's cameras.
struct WebMesh {
    std::string name;                ///< such as "refined"
    Mesh mesh;                       ///< without faces: a cloud of points; all coordinates finite
    std::vector<float> values = {};  ///< one for each vertex (NaN: none), or empty
    /// One for each vertex (NaN: none), or empty: its distance to the truth in the second compared
    /// mesh, minus its distance in the first.
    std::vector<float> differences = {};
    Image texture = {};  ///< without pixels: none
    /// Texture coordinates in `texture`, as in MeshAppearance: one for each corner of each face. A
    /// face with a coordinate that is not finite is drawn without the texture.
    std::vector<glm::vec2> textureCoordinates = {};
    std::vector<WebNumber> numbers = {};  ///< one for each of WebPage::measures, or none
    /// Whether the page's first view and colour range are fitted to this mesh.
    bool definesViewAndRange = true;
    /// A few words below the name; empty: the page's default text for this name, if it has one.
    std::string caption = {};
    /// For a point cloud whose `values` are distances to a mesh: points farther than this are drawn
    /// red, and `beyondMaxText` says so in the legend; 0: no limit.
    float maxShownDistance = 0;
    std::string beyondMaxText = {};
};

/// A photograph that the page's camera can fly to.
struct WebPhoto {
    std::string name;
    Image picture;
    Camera camera;         ///< the camera that took `picture`
    bool isInput = false;  ///< whether the network has seen it
};

/// Result on a page: meshes with their numbers, and photographs.
struct WebResult {
    std::string name;
    std::string note = {};                   ///< a sentence below the name; empty: none
    std::vector<WebPhoto> photographs = {};  ///< the first gives the first view's direction
    std::vector<WebMesh> meshes = {};
    Image fallbackPicture = {};  ///< shown without WebGL or scripts; may be empty
};

/// Source of the meshes' colours. `firstAvailable`: the first of the others that a mesh has.
enum class WebColouring { firstAvailable, values, difference, texture, plain, normals };

/// Maps the values of a page's meshes to colours, as the window does.
struct WebColourScale {
    std::string caption = "Distance to truth, object units";
    /// 256 entries, sRGB-encoded 0…1, interpolated in linear light. Empty: viridis.
    std::span<const glm::vec3> table = {};
    bool logarithmic = false;  ///< logarithmic scale, with `min` above 0
    float min = 0;
    float max = 0.02F;  ///< maximum, above `min`
    WebColouring initialColouring = WebColouring::firstAvailable;
};

/// Content of a page: results side by side, with the same measures and colours.
struct WebPage {
    std::string title;
    std::string subtitle = {};              ///< the program and the date; may be empty
    std::vector<WebMeasure> measures = {};  ///< measures of WebMesh::numbers
    WebColourScale colours = {};
    std::vector<WebResult> results = {};
};

/// A subtitle: the program, its version and today's date, UTC.
std::string webSubtitle(std::string_view version);

/// First bytes of webPageHtml()'s page.
inline constexpr std::string_view kWebPageStart =
    "<!DOCTYPE html>\n<html lang=\"en\" data-threefold=\"results\">\n";

/// Sets the colour range as the window does: from 0, or from the 1st percentile if that is
/// negative, to the 99th percentile of the values of all meshes with `definesViewAndRange`, or of
/// all meshes if no such mesh has finite values. Meshes with maxShownDistance > 0 do not count.
/// Without any finite value the colours are unchanged.
WebColourScale withSharedRange(WebColourScale colours, std::span<const WebResult> results);

/// Colours of differences: blue where the second mesh is nearer, red where it is farther, to the
/// 99th percentile of their absolute values.
WebColourScale withSharedDifference(std::span<const WebResult> results);

/// Writes a page. It makes no request, and its Content-Security-Policy permits none; texts are
/// escaped. Positions are rounded to 1/65535 of the mesh's box, values to 1/65534 of their range.
/// Throws InputError for a mesh without vertices, a wrong count of values, differences, texture
/// coordinates or numbers, a face that names a missing vertex, a coordinate that is not finite.
std::string webPageHtml(const WebPage& page);

}  // namespace threefold
