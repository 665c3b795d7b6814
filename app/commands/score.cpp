#include <algorithm>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include <fmt/format.h>
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
#include "app/options/output_folder.h"
#include "app/score/one_space.h"
#include "app/score/score_json.h"
#include "app/score/score_text.h"
#include "app/score/vertex_distances.h"
#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_formats.h"
#include "engine/formats/meshes/mesh_writing.h"
#include "engine/formats/text/text_encoding.h"
#include "engine/geometry/surface_samples.h"
#include "engine/measures/scores.h"
#include "engine/sample/ground_truth.h"
#include "engine/text.h"

namespace threefold {
namespace {

constexpr fmt::format_string<std::string> kScoreExamples =
    R"(MESH is {}; TRUTH is one of these or a
pickle of points and normals. A truth with faces is sampled at 10000 points of its surface.
Protocols: published takes the vertices of MESH, surface takes 10000 points of its faces; their
numbers cannot be compared. If TRUTH has faces, the exact distances of MESH's vertices from its
surface are printed too; they do not depend on the protocol. Distances are in the files' unit, which
is ShapeNet's scaled by 0.57 for Threefold's own files. Both files must be in the same space; if one
is in world space and the other in a view's space, give --space or --truth-space, and --cameras.

Examples:
  threefold score out/02691156_p0001_00_predict.obj gt/02691156_p0001_00.dat
  threefold score mesh.ply truth.obj --protocol both --json
  threefold score mesh.ply truth.obj --signed -o distances.ply
  threefold score mesh.obj truth.dat --space world --cameras rendering_metadata.txt --view 0)";

/// Maximum number of pairs of points for which the earth mover's distance is computed by default:
/// about a second on two cores with AVX-512. A mesh's 2466 vertices and 6500 points make just fewer
/// pairs.
constexpr std::size_t kMaxDefaultPairs = std::size_t{1} << 24U;

/// Scores the mesh against the truth; an error about either names its file.
Scores scoreFiles(const ScoreRequest& request, const ScoredShape& mesh, const ScoredShape& truth,
                  Protocol protocol, const std::stop_token& cancel) {
    const std::size_t points =
        protocol == Protocol::surface ? kSurfaceSampleCount : mesh.vertices.size();
    ScoreOptions options;
    options.protocol = protocol;
    options.tau = request.tau;
    const bool quick = points <= kMaxDefaultPairs / std::max<std::size_t>(1, truth.vertices.size());
    options.measuresEarthMovers = request.earthMovers.value_or(quick);
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

bool hasExtension(const std::filesystem::path& file, std::string_view extension) {
    return lowered(file.extension().string()) == extension;
}

/// Writes the distance of each vertex: CSV, or the mesh as PLY with `property float quality`.
void writeDistances(const ScoreRequest& request, const LoadedMesh& mesh,
                    const VertexDistances& distances) {
    if (hasExtension(request.output, ".ply")) {
        MeshWriteOptions extras;
        extras.scalars = distances.all;
        extras.origin = mesh.origin;
        writeMesh(request.output, MeshFormat::ply, {mesh.vertices, mesh.faces}, extras);
        return;
    }
    std::string text = request.withSign ? "vertex,signed_distance\n" : "vertex,distance\n";
    for (std::size_t i = 0; i < distances.all.size(); ++i)
        text += fmt::format("{},{}\n", mesh.fileIndexOf(i), distances.all[i]);
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
    const bool csv = hasExtension(output, ".csv");
    requireReplaceable("-o", output, csv ? "vertex," : "ply", csv ? "a CSV of distances" : "a PLY");
}

ExitCode scoreCommand(const ScoreRequest& request) {
    requireUsableOutput(request);
    Interrupt interrupt;
    const Interrupt::ImmediateExit immediateExit(interrupt);
    const MeshReadOptions reading{interrupt.token()};
    LoadedMesh mesh =
        namingFileIfOutOfMemory(request.mesh, [&] { return readMesh(request.mesh, reading); });
    GroundTruth truth = namingFileIfOutOfMemory(
        request.truth, [&] { return readGroundTruth(request.truth, reading); });
    for (const std::string& note : truth.notes) spdlog::warn("{}", note);
    if (const std::string leftOut = leftOutText(mesh); !leftOut.empty())
        spdlog::warn("{}: {}", mesh.source.string(), leftOut);
    const bool sampled = !truth.surface.faces.empty();
    if (const std::string warning = intoOneSpace(request.spaces, mesh, truth); !warning.empty())
        spdlog::warn("{}", warning);
    std::vector<Scores> scores;
    for (const Protocol protocol : request.protocols)
        scores.push_back(scoreFiles(request, {mesh.vertices, mesh.faces, mesh.normals},
                                    scoredShapeOf(truth), protocol, interrupt.token()));
    const VertexDistances distances = vertexDistances(request, mesh, truth);
    if (request.withSign)
        if (const std::string warning = signWarning(truth); !warning.empty())
            spdlog::warn("{}", warning);
    if (!request.output.empty()) writeDistances(request, mesh, distances);
    if (request.json)
        printJson(scoreJson(request, sampled, scores, distances));
    else
        printText(scoreText(request, sampled, scores, distances));
    return ExitCode::done;
}

void addSpaces(CLI::App& command, SpaceOptions& spaces) {
    const auto space = [&](const char* name, std::optional<MeshSpace>& value, const char* help) {
        command
            .add_option_function<std::string>(
                name,
                [&value](const std::string& word) {
                    value = word == "view" ? MeshSpace::camera : MeshSpace::world;
                },
                help)
            ->option_text("NAME")
            ->check(CLI::IsMember({"view", "world"}));
    };
    space("--space", spaces.mesh, "Space of MESH: view or world");
    space("--truth-space", spaces.truth, "Space of TRUTH: view or world");
    constexpr int kMaxRow = 1'000'000;
    addValue(command, "--cameras", spaces.cameras, "FILE", "rendering_metadata.txt of the sample");
    addValue(command, "--view", spaces.view, "N",
             "Row of --cameras whose camera space the file is in, from 0")
        ->check(numberValidator(NumberRange::wholeNumber(0, kMaxRow)));
}

}  // namespace

void addScore(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<ScoreRequest>();
    CLI::App& command = addCommand(program, "score", "Measure a mesh against its ground truth",
                                   fmt::format(kScoreExamples, meshFormatNames(" or ")));
    addValue(command, "mesh", request->mesh, "MESH", "The mesh to measure")->required();
    addValue(command, "truth", request->truth, "TRUTH", "Its ground truth")->required();
    addSettingWord(command, setting::protocol,
                   [request](const std::string& word) { request->protocols = protocolsOf(word); });
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
    addValue(
        command, "-o,--output", request->output, "FILE",
        "Write the distance of each vertex of MESH from the surface of TRUTH, or from the points "
        "of a TRUTH without faces: as .csv, or as .ply with the vertex property \"quality\". With "
        "--signed, the distances have a sign");
    command.add_flag("--json", request->json, "One JSON document on standard output");
    addSpaces(command, request->spaces);
    setAction(command, line, [request] { return scoreCommand(*request); });
}

}  // namespace threefold
