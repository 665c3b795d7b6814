#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include "app/commands/commands.h"
#include "app/configuration/bind_settings.h"
#include "app/configuration/number_range.h"
#include "app/configuration/setting.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "app/options/add_option.h"
#include "app/options/model_options.h"
#include "engine/error.h"
#include "engine/evaluation/output_texts.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/bytes/text_encoding.h"
#include "engine/formats/bytes/write_file.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_formats.h"
#include "engine/metrics/measure_table.h"
#include "engine/metrics/scores.h"
#include "engine/metrics/truth_distances.h"
#include "engine/pipeline/evaluate.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/surface_samples.h"
#include "engine/text.h"
#include "engine/text_table.h"
#include "engine/views/camera.h"

namespace threefold {
namespace {

constexpr fmt::format_string<std::string> kScoreExamples =
    R"(MESH is {}; TRUTH is one of these or a
pickle of points and normals. A truth with faces is sampled at 10000 points of its surface.
Protocols: published takes the vertices of MESH, surface takes 10000 points of its faces; their
numbers cannot be compared. Where TRUTH has faces, the distances of MESH's vertices from its surface
follow: exact, whatever the protocol, and not part of it. Distances are in the files' unit, which is
ShapeNet's scaled by 0.57 for Threefold's own. Both files must be in the same space; where one is in
the world's and the other in a view's, say so, and name the cameras.

Examples:
  threefold score out/02691156_p0001_00_predict.obj gt/02691156_p0001_00.dat
  threefold score mesh.ply truth.obj --protocol both --json
  threefold score mesh.ply truth.obj --signed -o distances.ply
  threefold score mesh.obj truth.dat --space world --cameras rendering_metadata.txt --view 0)";

/// Coordinate spaces of the two files: "view", "world", or empty where not given.
struct SpaceOptions {
    std::string mesh;
    std::string truth;
    std::filesystem::path cameras;  ///< a rendering_metadata.txt
    std::size_t view = 0;           ///< index of the row that defines the space "view"
};

struct ScoreRequest {
    std::filesystem::path mesh;
    std::filesystem::path truth;
    std::string protocol;
    double tau = kTau;
    std::optional<bool> earthMovers;  ///< nullopt: only where it takes about a second
    bool json = false;
    bool withSign = false;
    std::filesystem::path output;  ///< for the distance of each vertex; or empty
    SpaceOptions spaces;
};

/// Distances of the mesh's vertices from the truth.
struct VertexDistances {
    std::vector<float> all;                  ///< with sign if requested
    std::optional<DistanceSummary> summary;  ///< nullopt for a truth without faces
};

std::string earthMoversText(const std::optional<EarthMoversDistance>& earthMovers) {
    if (!earthMovers) return "not computed: --emd computes it";
    if (earthMovers->exact) return fmt::format("{:.6e} units, exact", earthMovers->distance);
    return fmt::format("{:.6e} units, an upper bound; the exact distance is at least {:.6e}",
                       earthMovers->distance, earthMovers->lowerBound);
}

/// Measures that are not fields of Scores, with their values.
void forEachComputedMeasure(const Scores& scores, const auto& visit) {
    for (const TruthMeasure& measure : truthMeasures()) {
        if (measure.compute == nullptr) continue;
        if (const auto value = measure.value(scores)) visit(measure, *value);
    }
}

std::string measuresText(const Scores& scores) {
    Table table("ll");
    table.add({"Chamfer distance", fmt::format("{:.6e} units², mean squared distance, both ways "
                                               "added",
                                               scores.measures.chamfer)});
    table.add({"Hausdorff distance",
               fmt::format("{:.6e} units (to the truth {:.6e}, from it {:.6e})", scores.hausdorff,
                           scores.hausdorffToTruth, scores.hausdorffFromTruth)});
    table.add({"normal consistency",
               scores.normalConsistency
                   ? fmt::format("{:.6f} of 1, mean |cos| of neighbours", *scores.normalConsistency)
                   : "none: a side has no normals"});
    table.add({"earth mover's", earthMoversText(scores.earthMovers)});
    forEachComputedMeasure(scores, [&](const TruthMeasure& measure, double value) {
        table.add(
            {std::string(measure.title), fmt::format("{:.6e} {}", value, unitName(measure.unit))});
    });
    return table.text("  ");
}

std::string thresholdsText(const Measures& measures) {
    Table table("lrrrr");
    table.add({"", "τ/2", "τ", "3τ/2", "2τ"});
    const auto row = [&](const char* name, const char* form, double FScore::*value) {
        std::vector<std::string> cells = {name};
        for (const FScore& score : measures.fScores)
            cells.push_back(fmt::format(fmt::runtime(form), score.*value));
        table.add(std::move(cells));
    };
    row("threshold, units²", "{:.3g}", &FScore::threshold);
    row("F, %", "{:.4f}", &FScore::f);
    row("precision, %", "{:.4f}", &FScore::precision);
    row("recall, %", "{:.4f}", &FScore::recall);
    return table.text("  ");
}

/// The measures of one protocol: keys "protocol", "units", "tau", "points", "chamfer", "f_tau", …
nlohmann::ordered_json scoresJson(const Scores& scores, double tau) {
    nlohmann::ordered_json json;
    json["protocol"] = protocolName(scores.protocol);
    nlohmann::ordered_json& units = json["units"];
    units = {{"chamfer", "object units squared"},
             {"tau", "object units squared"},
             {"f", "percent"},
             {"precision", "percent"},
             {"recall", "percent"},
             {"hausdorff", "object units"},
             {"normal_consistency", "0 to 1"},
             {"emd", "object units"}};
    forEachComputedMeasure(scores, [&](const TruthMeasure& measure, double /*value*/) {
        units[measure.key] = unitName(measure.unit);
    });
    json["tau"] = tau;
    json["points"] = {{"mesh", scores.predictionPoints}, {"truth", scores.truthPoints}};
    for (const TruthMeasure& measure : truthMeasures())
        json[measure.key] = numberJson(measure.value(scores));
    json["emd_exact"] = scores.earthMovers ? nlohmann::ordered_json(scores.earthMovers->exact)
                                           : nlohmann::ordered_json(nullptr);
    return json;
}

/// Values of distances with sign, besides surfaceMeasures().
struct SignedSummary {
    double mean = 0;
    double lowest = 0;
    double highest = 0;
    double inside = 0;  ///< fraction of the vertices
};

std::optional<SignedSummary> signedSummary(const ScoreRequest& request,
                                           const VertexDistances& distances) {
    if (!request.withSign) return std::nullopt;
    const std::vector<float>& all = distances.all;
    const auto [low, high] = std::ranges::minmax(all);
    const auto count = static_cast<double>(all.size());
    return SignedSummary{
        std::accumulate(all.begin(), all.end(), 0.0) / count, low, high,
        static_cast<double>(std::ranges::count_if(all, [](float each) { return each < 0; })) /
            count};
}

/// Lines of the distances from the truth's surface; empty for a truth without faces.
std::string surfaceText(const ScoreRequest& request, const VertexDistances& distances) {
    if (!distances.summary) return {};
    Table table("ll");
    for (const SurfaceMeasure& measure : surfaceMeasures())
        table.add({std::string(measure.label),
                   fmt::format("{:.6e} units", measure.value(*distances.summary))});
    if (const auto with = signedSummary(request, distances)) {
        table.add({"with sign", fmt::format("{:.6e} units, mean; from {:.6e} to {:.6e}", with->mean,
                                            with->lowest, with->highest)});
        table.add({"inside", fmt::format("{:.4f} % of the vertices", 100 * with->inside)});
    }
    return fmt::format(
        "\ndistances of {} vertices from the truth's surface, not part of a protocol\n{}",
        distances.all.size(), table.text("  "));
}

/// Adds keys "surface_mean", …; null for a truth without faces.
void addSurface(nlohmann::ordered_json& json, const ScoreRequest& request,
                const VertexDistances& distances) {
    for (const SurfaceMeasure& measure : surfaceMeasures())
        json[measure.key] = numberJson(
            distances.summary ? std::optional(measure.value(*distances.summary)) : std::nullopt);
    if (const auto with = signedSummary(request, distances))
        json["surface_signed"] = {{"mean", with->mean},
                                  {"lowest", with->lowest},
                                  {"highest", with->highest},
                                  {"inside", with->inside}};
}

/// Block of lines for each protocol, then the distances from the surface; every number with its
/// unit.
std::string scoreText(const ScoreRequest& request, bool truthSampled,
                      const std::vector<Scores>& all, const VertexDistances& distances) {
    std::string text = fmt::format("{}\nagainst {}, τ = {:g} units² (object units)\n",
                                   request.mesh.string(), request.truth.string(), request.tau);
    for (const Scores& scores : all)
        text += fmt::format("\n{} protocol: {} {}, {} {}\n{}\n{}", protocolName(scores.protocol),
                            scores.predictionPoints,
                            scores.protocol == Protocol::surface ? "samples of the mesh's surface"
                                                                 : "vertices of the mesh",
                            scores.truthPoints,
                            truthSampled ? "samples of the truth's surface" : "points of the truth",
                            measuresText(scores), thresholdsText(scores.measures));
    return text + surfaceText(request, distances);
}

/// Measures of a single protocol beside "protocol"; for several protocols, one object each, keyed
/// by the protocol's name. docs/COMMANDS.md describes the keys.
nlohmann::ordered_json scoreJson(const ScoreRequest& request, bool truthSampled,
                                 const std::vector<Scores>& all, const VertexDistances& distances) {
    nlohmann::ordered_json json;
    json["mesh"] = request.mesh.string();
    json["truth"] = request.truth.string();
    json["truth_sampled"] = truthSampled;
    addSurface(json, request, distances);
    if (all.size() == 1) {
        json.update(scoresJson(all.front(), request.tau));
        return json;
    }
    for (const Scores& scores : all)
        json[std::string(protocolName(scores.protocol))] = scoresJson(scores, request.tau);
    return json;
}

bool touch(const Box3f& a, const Box3f& b) {
    return glm::all(glm::lessThanEqual(a.low, b.high)) &&
           glm::all(glm::lessThanEqual(b.low, a.high));
}

const char* spaceName(MeshSpace space) {
    return space == MeshSpace::view ? "a view's" : "the world's";
}

std::string spaceWarning(const MeshFile& mesh, const GroundTruth& truth, bool spacesGiven) {
    const MeshSpace of = guessSpace(mesh.vertices, mesh.origin);
    const MeshSpace ofTruth = guessSpace(truth.points, truth.origin);
    if (!spacesGiven && of != ofTruth)
        return fmt::format(
            "{} seems to be in {} space, but {} in {} space: if so, the numbers are meaningless. "
            "Name --space, --truth-space and --cameras.",
            mesh.source.string(), spaceName(of), truth.source.string(), spaceName(ofTruth));
    const Box3f box = boundsOf(mesh.vertices);
    const Box3f truthBox = boundsOf(truth.points);
    const auto diagonal = [](const Box3f& each) {
        return glm::distance(glm::dvec3(each.low), glm::dvec3(each.high));
    };
    if (ratioOfOtherUnit(mesh.vertices, truth.points))
        return fmt::format(
            "{} is {:.3g} units across, {} {:.3g}: are both in the same unit? Scale one of them.",
            mesh.source.string(), diagonal(box), truth.source.string(), diagonal(truthBox));
    if (!touch(box, truthBox))
        return fmt::format("{} and {} do not overlap. Check that both are in the same space.",
                           mesh.source.string(), truth.source.string());
    return {};
}

Camera viewCamera(const SpaceOptions& options) {
    if (options.cameras.empty())
        throw UsageError({"--cameras", "", "is not given, and the two spaces differ",
                          "Name the sample's rendering_metadata.txt."});
    const std::vector<CameraRow> rows = readRenderingMetadata(options.cameras);
    if (options.view >= rows.size())
        throw InputError({options.cameras.string(), fmt::format("view {}", options.view),
                          fmt::format("is not there: the file has {} rows", rows.size()),
                          "Count from 0."});
    return Camera::fromRow(rows[options.view]);
}

void intoView(const Camera& camera, glm::dvec3 origin, Points& points) {
    for (glm::vec3& point : points) point = glm::vec3(camera.toView(origin + glm::dvec3(point)));
}

void intoView(const Camera& camera, glm::dvec3 origin, Points& points, Points& normals) {
    intoView(camera, origin, points);
    for (glm::vec3& normal : normals) normal = glm::vec3(camera.rotation * glm::dvec3(normal));
}

/// Converts the file in world space to view space if the given spaces differ. Returns a warning if
/// no space was given and the files seem to differ in space or unit, else an empty string. Throws
/// UsageError if the spaces differ and no cameras are named, as readRenderingMetadata(), and
/// InputError if the row does not exist.
std::string intoOneSpace(const SpaceOptions& options, MeshFile& mesh, GroundTruth& truth) {
    // Where only one is given, the other is detected.
    const auto resolveSpace = [](const std::string& stated, std::span<const glm::vec3> points,
                                 glm::dvec3 origin) {
        return stated.empty() ? guessSpace(points, origin)
                              : (stated == "view" ? MeshSpace::view : MeshSpace::world);
    };
    const bool given = !options.mesh.empty() || !options.truth.empty();
    if (!given && !options.cameras.empty())
        throw UsageError({"--cameras", options.cameras.string(),
                          "is given, but neither --space nor --truth-space",
                          "Add --space world or --truth-space world, whichever file is in it."});
    const MeshSpace space = resolveSpace(options.mesh, mesh.vertices, mesh.origin);
    if (given && space != resolveSpace(options.truth, truth.points, truth.origin)) {
        const Camera camera = viewCamera(options);
        if (space == MeshSpace::world) {
            intoView(camera, std::exchange(mesh.origin, {}), mesh.vertices, mesh.normals);
        } else {
            intoView(camera, truth.origin, truth.surface.vertices);
            intoView(camera, std::exchange(truth.origin, {}), truth.points, truth.normals);
        }
    }
    std::string warning = spaceWarning(mesh, truth, given);
    // The truth's points keep their full precision.
    moveOrigin(mesh, truth.origin);
    return warning;
}

/// Pairs of points up to which the earth mover's distance is computed by default: about a second on
/// two cores with AVX-512. A mesh's 2466 vertices and 6500 points are just below.
constexpr std::size_t kMaxDefaultPairs = std::size_t{1} << 24U;

/// Scores the two; an error about one of them names its file.
Scores scoreFiles(const ScoreRequest& request, const Shape& mesh, const Shape& truth,
                  Protocol protocol, const std::stop_token& cancel) {
    const std::size_t points =
        protocol == Protocol::surface ? kSurfaceSamples : mesh.vertices.size();
    ScoreOptions options;
    options.protocol = protocol;
    options.tau = request.tau;
    const bool quick = points <= kMaxDefaultPairs / std::max<std::size_t>(1, truth.vertices.size());
    options.earthMovers = request.earthMovers.value_or(quick);
    options.cancel = cancel;
    ProgressLine line;
    if (!quick)
        options.progress = [&](double fraction) {
            if (!line.isDue()) return;
            line.update(fmt::format("earth mover's distance of {} and {} points: {:.0f} %{}",
                                    points, truth.vertices.size(), 100 * fraction,
                                    remainingTimeText(line.seconds() * (1 - fraction) / fraction)));
        };
    try {
        return score(mesh, truth, options);
    } catch (const InputError& error) {
        ErrorReport report = error.report();
        if (report.subject == "prediction") report.subject = request.mesh.string();
        if (report.subject == "truth") report.subject = request.truth.string();
        throw InputError(report);
    }
}

/// Measures the vertices in the truth's space.
VertexDistances vertexDistances(const ScoreRequest& request, const MeshFile& mesh,
                                const GroundTruth& truth) {
    const TruthDistances distances(truth);
    VertexDistances found;
    if (request.withSign && !distances.areFromSurface())
        throw InputError({truth.source.string(), "", "has points alone, without an inside",
                          "Leave out --signed, or name a truth with faces."});
    if (!distances.areFromSurface() && request.output.empty()) return found;
    found.all = distances.of(mesh.vertices);
    if (distances.areFromSurface()) found.summary = summaryOf(found.all);
    if (request.withSign) found.all = distances.signedOf(mesh.vertices);
    return found;
}

bool hasExtension(const std::filesystem::path& file, std::string_view extension) {
    return lowered(file.extension().string()) == extension;
}

/// Writes the distance of each vertex: CSV, or the mesh as PLY with `property float quality`.
void writeDistances(const ScoreRequest& request, const MeshFile& mesh,
                    const VertexDistances& distances) {
    if (hasExtension(request.output, ".ply")) {
        MeshWriteOptions extras;
        extras.values = distances.all;
        extras.origin = mesh.origin;
        writeMesh(request.output, MeshFormat::ply, {mesh.vertices, mesh.faces}, extras);
        return;
    }
    std::string text = request.withSign ? "vertex,signed_distance\n" : "vertex,distance\n";
    for (std::size_t i = 0; i < distances.all.size(); ++i)
        text += fmt::format("{},{}\n", i, distances.all[i]);
    writeFileAtomically(request.output, text);
}

void requireUsableOutput(const ScoreRequest& request) {
    const std::filesystem::path& output = request.output;
    if (output.empty()) return;
    if (!hasExtension(output, ".ply") && !hasExtension(output, ".csv"))
        throw UsageError({"-o", output.string(), "is neither .csv nor .ply",
                          "Name a file that ends with one of these."});
    for (const std::filesystem::path& read : {request.mesh, request.truth}) {
        std::error_code missing;
        if (std::filesystem::equivalent(output, read, missing))
            throw UsageError({"-o", output.string(), "is one of the files to be measured",
                              "Name another file for the distances."});
    }
    requireWritable(output);
}

ExitCode scoreCommand(const ScoreRequest& request) {
    requireUsableOutput(request);
    Interrupt interrupt;
    const Interrupt::ImmediateExit immediateExit(interrupt);
    const MeshReadOptions reading{interrupt.token()};
    MeshFile mesh = aboutFile(request.mesh, [&] { return readMesh(request.mesh, reading); });
    GroundTruth truth =
        aboutFile(request.truth, [&] { return readGroundTruth(request.truth, reading); });
    for (const std::string& note : truth.notes) spdlog::warn("{}", note);
    if (const std::string leftOut = leftOutText(mesh); !leftOut.empty())
        spdlog::warn("{}: {}", mesh.source.string(), leftOut);
    const bool sampled = !truth.surface.faces.empty();
    if (const std::string warning = intoOneSpace(request.spaces, mesh, truth); !warning.empty())
        spdlog::warn("{}", warning);
    std::vector<Scores> scores;
    for (const Protocol protocol : protocolsOf(request.protocol))
        scores.push_back(scoreFiles(request, {mesh.vertices, mesh.faces, mesh.normals},
                                    shapeOf(truth), protocol, interrupt.token()));
    const VertexDistances distances = vertexDistances(request, mesh, truth);
    if (!request.output.empty()) writeDistances(request, mesh, distances);
    request.json ? printJson(scoreJson(request, sampled, scores, distances))
                 : printText(scoreText(request, sampled, scores, distances));
    return ExitCode::done;
}

void addSpaces(CLI::App& command, SpaceOptions& spaces) {
    const auto space = [&](const char* name, std::string& value, const char* help) {
        addValue(command, name, value, "NAME", help)->check(CLI::IsMember({"view", "world"}));
    };
    space("--space", spaces.mesh, "Space of MESH: view or world");
    space("--truth-space", spaces.truth, "Space of TRUTH: view or world");
    constexpr int kMaxRow = 1'000'000;
    addValue(command, "--cameras", spaces.cameras, "FILE", "rendering_metadata.txt of the sample");
    addValue(command, "--view", spaces.view, "N",
             "Row of --cameras whose view space the file is in, from 0")
        ->check(numberValidator(NumberRange::count(0, kMaxRow)));
}

}  // namespace

void addScore(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<ScoreRequest>();
    CLI::App& command = addCommand(program, "score", "Measure a mesh against its ground truth",
                                   fmt::format(kScoreExamples, meshFormatNames(" or ")));
    addValue(command, "mesh", request->mesh, "MESH", "The mesh to measure")->required();
    addValue(command, "truth", request->truth, "TRUTH", "Its ground truth")->required();
    addSetting(command, setting::protocol, request->protocol);
    addSetting(command, setting::tau, request->tau);
    CLI::Option* emd = command.add_flag_callback(
        "--emd", [request] { request->earthMovers = true; },
        "Always compute the earth mover's distance, up to 65536 points a side. By default it is "
        "computed only up to 2466 against 6500 points, which takes about a second");
    command
        .add_flag_callback(
            "--no-emd", [request] { request->earthMovers = false; },
            "Leave out the earth mover's distance")
        ->excludes(emd);
    command.add_flag("--signed", request->withSign,
                     "Also the distances from the truth's surface with sign, negative inside; for "
                     "a watertight TRUTH with outward faces");
    addValue(command, "-o,--output", request->output, "FILE",
             "Write the distance of each vertex of MESH to .csv, or to .ply as the mesh's property "
             "\"quality\"; signed with --signed; to the points of a TRUTH without faces");
    command.add_flag("--json", request->json, "One JSON document on standard output");
    addSpaces(command, request->spaces);
    setAction(command, line, [request] { return scoreCommand(*request); });
}

}  // namespace threefold
