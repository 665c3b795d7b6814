#include <memory>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include "app/commands/commands.h"
#include "app/describe/describers.h"
#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/meshes/mesh_formats.h"

namespace threefold {
namespace {

constexpr fmt::format_string<std::string> kInspectExamples =
    R"(Reads samples (a folder), rendering_metadata.txt, test lists, PNG, JPEG, WebP,
{}, npz, npy, safetensors, PyTorch archives, TensorFlow
checkpoints (by their .index, their prefix, a data file or their folder) and pickles of data;
nothing that a pickle names is ever run.
Ranges of values are shown of files that hold at most 32 MB of them.

Examples:
  threefold inspect resources/models/default.safetensors --ranges
  threefold inspect checkpoints/model.ckpt-10.index)";

struct InspectRequest {
    std::vector<std::string> files;
    bool noRanges = false;
    bool ranges = false;
    bool json = false;
};

ExitCode inspect(const InspectRequest& request) {
    const Ranges ranges = request.noRanges ? Ranges::none
                          : request.ranges ? Ranges::all
                                           : Ranges::small;
    nlohmann::ordered_json documents = nlohmann::ordered_json::array();
    ExitCode code = ExitCode::done;
    for (const std::string& file : request.files) {
        try {
            const Description description =
                aboutFile(file, [&] { return describeFile(file, ranges); });
            if (request.json)
                documents.push_back(descriptionJson(file, description));
            else
                printText(descriptionText(file, description));
        } catch (const OutputClosed&) {
            throw;
        } catch (const Error& error) {
            spdlog::error("{}", error.what());
            code = ExitCode::failed;
        }
    }
    if (request.json) printJson(documents);
    return code;
}

}  // namespace

void addInspect(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<InspectRequest>();
    CLI::App& command =
        addCommand(program, "inspect", "Show what files hold",
                   fmt::format(kInspectExamples, meshFormatNames(", ", mesh_formats::notArrays)));
    addValue(command, "files", request->files, "FILE...", "Files or folders")->required();
    CLI::Option* none =
        command.add_flag("--no-ranges", request->noRanges, "Names, types and shapes alone");
    command.add_flag("--ranges", request->ranges, "Look at every value, however many there are")
        ->excludes(none);
    command.add_flag("--json", request->json, "A JSON array on standard output, an entry a file");
    setAction(command, line, [request] { return inspect(*request); });
}

}  // namespace threefold
