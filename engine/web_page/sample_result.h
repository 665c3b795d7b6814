#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/pipeline/measure_sample.h"
#include "engine/web_page/web_page.h"

namespace threefold {

struct WebSampleOptions {
    int texture = 0;  ///< side of the textures in texels; 0: none
    int threads = 0;  ///< of baking textures; 0: all available
    std::stop_token cancel = {};
};

/// Headings of the numbers of webResultOf(): measures against the truth, then silhouettes.
std::vector<std::string> webMeasures();

/// Numbers of a mesh for webMeasures(), as texts; "–" for what was not measured.
std::vector<std::string> webNumbers(const Scores* scores, const SilhouetteMeans* silhouettes);

/// Note above a sample's numbers: its input views, the views of the silhouettes' overlap if any,
/// and τ of measures against a truth.
std::string webNote(std::span<const int> views, std::span<const ViewSilhouettes> silhouettes,
                    std::optional<double> tau);

/// Gives each of the truth's points its distance to the surface of `mesh`, as its values. Those
/// farther away than √τ are drawn as missing. Does nothing for a mesh without faces.
void addMissing(WebMesh& truth, const WebMesh& mesh, double tau);

/// A measured sample for a page: photographs of the network and of the fit, the network's published
/// meshes, the hull that a fit began with, the fitted mesh, and the truth's points; with distances
/// to the truth and measures of the published protocol; without a still. Adds to `notes` why a mesh
/// has no texture, or a photograph is missing. Throws Cancelled.
WebResult webResultOf(const MeasuredSample& measured, const WebSampleOptions& options,
                      std::vector<std::string>& notes);

}  // namespace threefold
