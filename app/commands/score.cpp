#include <algorithm>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include "app/commands/commands.h"
#include "app/configuration/knob_option.h"
#include "app/console/about_file.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "app/console/printable.h"
#include "app/console/progress_line.h"
#include "app/options/scoring.h"
#include "app/options/value_option.h"
#include "app/score/score_output.h"
#include "app/score/spaces.h"
#include "engine/formats/meshes/mesh_formats.h"
#include "engine/pipeline/evaluate.h"
#include "engine/sample/surface_samples.h"

namespace threefold {
namespace {

constexpr fmt::format_string<std::string> kScoreExamples =
    R"(MESH is {}; TRUTH is one of these or a pickle of points and
normals. A truth with faces is taken by 10000 points of its surface. Protocols: published takes the
vertices of MESH, surface takes 10000 points of its faces; numbers of one say nothing about the
other. Distances are in the files' unit, which is ShapeNet's scaled by 0.57 for Threefold's own.
Both files must be in the same space; where one is in the world's and the other in a view's, say so,
and name the cameras.

Examples:
  threefold score out/02691156_p0001_00_predict.obj gt/02691156_p0001_00.dat
  threefold score mesh.ply truth.obj --protocol both --json
  threefold score mesh.obj truth.dat --space world --cameras rendering_metadata.txt --view 0)";

struct ScoreRequest {
    std::filesystem::path mesh;
    std::filesystem::path truth;
    std::string protocol;
    double tau = kTau;
    bool emd = false;
    bool noEmd = false;
    bool json = false;
    SpaceOptions spaces;
};

/// Pairs of points up to which the earth mover's distance comes without being asked for: about a
/// second on two cores with AVX-512. A mesh's 2466 vertices and 6500 points are just below.
constexpr std::size_t kPairsUnasked = std::size_t{1} << 24U;

/// Says what the wait is for, and how much of it is left.
class EarthMoversProgress {
  public:
    EarthMoversProgress(std::size_t points, std::size_t truthPoints)
        : what_(fmt::format("earth mover's distance of {} and {} points:", points, truthPoints)) {}

    void show(double done) {
        if (!line_.isDue()) return;
        constexpr double kPercent = 100;
        const std::string left = leftText(line_.seconds() * (1 - done) / done);
        line_.show(fmt::format("{} {:.0f} %{}", what_, kPercent * done, left));
    }

  private:
    const std::string what_;
    ProgressLine line_;
};

/// Errors about a side say which file it came from.
Scores scoreFiles(const ScoreRequest& request, const Shape& mesh, const Shape& truth,
                  Protocol protocol, const std::stop_token& cancel) {
    const std::size_t points =
        protocol == Protocol::surface ? kSurfaceSamples : mesh.vertices.size();
    ScoreOptions options;
    options.protocol = protocol;
    options.tau = request.tau;
    const bool quick = points <= kPairsUnasked / std::max<std::size_t>(1, truth.vertices.size());
    options.earthMovers = request.emd || (!request.noEmd && quick);
    options.cancel = cancel;
    EarthMoversProgress progress(points, truth.vertices.size());
    if (!quick) options.progress = [&](double done) { progress.show(done); };
    try {
        return score(mesh, truth, options);
    } catch (const InputError& error) {
        ErrorReport report = error.report();
        if (report.subject == "prediction") report.subject = request.mesh.string();
        if (report.subject == "truth") report.subject = request.truth.string();
        throw InputError(report);
    }
}

ExitCode scoreCommand(const ScoreRequest& request) {
    const Interrupt interrupt;
    const MeshReading reading{interrupt.token()};
    MeshFile mesh = aboutFile(request.mesh, [&] { return readMesh(request.mesh, reading); });
    GroundTruth truth =
        aboutFile(request.truth, [&] { return readGroundTruth(request.truth, reading); });
    if (const std::string warning = intoOneSpace(request.spaces, mesh, truth); !warning.empty()) {
        spdlog::warn("{}", warning);
    }
    ScoredFiles scored{request.mesh, request.truth, !truth.surface.faces.empty(), request.tau, {}};
    for (const Protocol protocol : protocolsOf(request.protocol)) {
        scored.scores.push_back(scoreFiles(request, {mesh.vertices, mesh.faces, mesh.normals},
                                           shapeOf(truth), protocol, interrupt.token()));
    }
    request.json ? printJson(scoreJson(scored)) : printText(scoreText(scored));
    return ExitCode::done;
}

void addSpaces(CLI::App& command, SpaceOptions& spaces) {
    const auto space = [&](const char* name, std::string& value, const char* help) {
        addValue(command, name, value, "NAME", help)->check(CLI::IsMember({"view", "world"}));
    };
    space("--space", spaces.mesh, "Space of MESH: view or world");
    space("--truth-space", spaces.truth, "Space of TRUTH: view or world");
    addValue(command, "--cameras", spaces.cameras, "FILE", "rendering_metadata.txt of the item");
    addValue(command, "--view", spaces.view, "N",
             "Its row of the file that is in a view's space, from 0")
        ->check(CLI::NonNegativeNumber);
}

}  // namespace

void addScore(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<ScoreRequest>();
    CLI::App& command = addCommand(program, "score", "Measure a mesh against its ground truth",
                                   fmt::format(kScoreExamples, meshFormatNames(" or ")));
    addValue(command, "mesh", request->mesh, "MESH", "The mesh to measure")->required();
    addValue(command, "truth", request->truth, "TRUTH", "Its ground truth")->required();
    addKnob(command, knob::protocol, request->protocol);
    addKnob(command, knob::tau, request->tau);
    CLI::Option* emd =
        command.add_flag("--emd", request->emd,
                         "Always compute the earth mover's distance, up to 65536 points a side; "
                         "without the flag only where that takes about a second: up to 2466 "
                         "against 6500 points");
    command.add_flag("--no-emd", request->noEmd, "Leave out the earth mover's distance")
        ->excludes(emd);
    command.add_flag("--json", request->json, "One JSON document on standard output");
    addSpaces(command, request->spaces);
    setAction(command, line, [request] { return scoreCommand(*request); });
}

}  // namespace threefold
