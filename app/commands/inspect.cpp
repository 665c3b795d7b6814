#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include "app/commands/commands.h"
#include "app/console/output.h"
#include "app/describe/describers.h"
#include "app/options/add_option.h"
#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/meshes/mesh_formats.h"
#include "engine/formats/pictures/picture_formats.h"
#include "engine/sample/posed_photos/camera_formats.h"
#include "engine/text.h"
#include "engine/text_table.h"

namespace threefold {
namespace {

constexpr fmt::format_string<std::string, std::string> kInspectExamples =
    R"(Reads samples (a folder), rendering_metadata.txt, transforms.json, cameras.json, COLMAP's
projects, test lists, {},
{}, npz, npy, safetensors, PyTorch archives, TensorFlow
checkpoints (by their .index, their prefix, a data file or their folder) and pickles of data;
nothing that a pickle names is ever run.
Ranges of values are shown for files with at most 32 MB of values.

Examples:
  threefold inspect resources/models/default.safetensors --ranges
  threefold inspect checkpoints/model.ckpt-10.index
  threefold inspect --formats)";

struct InspectRequest {
    std::vector<std::string> files;
    RangeSelection ranges = RangeSelection::small;
    bool formats = false;
    bool json = false;
};

/// Names that are not empty, each after `prefix`, separated by commas.
std::string joinNames(std::span<const std::string_view> names, std::string_view prefix) {
    std::vector<std::string> present;
    for (const std::string_view name : names)
        if (!name.empty()) present.push_back(fmt::format("{}{}", prefix, name));
    return fmt::format("{}", fmt::join(present, ", "));
}

/// Formats that readCameraFile() and readMesh() read, for --json.
nlohmann::ordered_json formatsJson() {
    nlohmann::ordered_json cameras = nlohmann::ordered_json::array();
    for (const CameraFormat* format : cameraFormats()) {
        nlohmann::ordered_json files = nlohmann::ordered_json::array();
        for (const std::string_view file : format->files)
            if (!file.empty()) files.push_back(file);
        cameras.push_back({{"name", format->name}, {"files", files}, {"writers", format->writers}});
    }
    nlohmann::ordered_json meshes = nlohmann::ordered_json::array();
    for (const MeshFormat each : meshFormats()) {
        const MeshFormatInfo& info = infoOf(each);
        nlohmann::ordered_json endings = nlohmann::ordered_json::array();
        for (const std::string_view extension : info.extensions)
            if (!extension.empty()) endings.push_back(fmt::format(".{}", extension));
        meshes.push_back(
            {{"name", info.names}, {"extensions", endings}, {"written", info.encode != nullptr}});
    }
    return {{"cameras", cameras}, {"meshes", meshes}};
}

/// Formats that readCameraFile() and readMesh() read, as two tables.
std::string formatsText() {
    TextTable cameras("lll");
    for (const CameraFormat* format : cameraFormats())
        cameras.add({std::string(format->name), joinNames(format->files, ""),
                     fmt::format("written by {}", format->writers)});
    TextTable meshes("lll");
    for (const MeshFormat each : meshFormats()) {
        const MeshFormatInfo& info = infoOf(each);
        meshes.add({std::string(info.names), joinNames(info.extensions, "."),
                    info.encode != nullptr ? "read and written" : "read"});
    }
    return "Cameras of photographs, in a folder, its sparse/0, sparse or images; the first "
           "counts:\n" +
           cameras.text("  ") + "Meshes and points:\n" + meshes.text("  ");
}

ExitCode inspect(const InspectRequest& request) {
    if (request.formats) {
        if (request.json)
            printJson(formatsJson());
        else
            printText(formatsText());
        return ExitCode::done;
    }
    nlohmann::ordered_json documents = nlohmann::ordered_json::array();
    ExitCode code = ExitCode::done;
    for (const std::string& file : request.files) {
        try {
            const Description description =
                namingFileIfOutOfMemory(file, [&] { return describeFile(file, request.ranges); });
            if (request.json)
                documents.push_back(descriptionJson(file, description));
            else
                printText(descriptionText(file, description));
        } catch (const OutputClosed&) {
            throw;
        } catch (const Error& error) {
            spdlog::error("{}", error.what());
            if (request.json) documents.push_back({{"file", file}, {"error", error.what()}});
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
                   fmt::format(kInspectExamples, pictureFormatNames(),
                               meshFormatNames(", ", mesh_format_filters::notArrays)));
    CLI::Option* files =
        addValue(command, "files", request->files, "FILE...", "Files or folders")->required();
    command.add_flag_callback(
        "--formats",
        [request, files] {
            request->formats = true;
            files->required(false);
        },
        "List the formats of cameras and of meshes that are read, and end");
    CLI::Option* none = command.add_flag_callback(
        "--no-ranges", [request] { request->ranges = RangeSelection::none; },
        "Compute no ranges: show only names, types and shapes");
    command
        .add_flag_callback(
            "--ranges", [request] { request->ranges = RangeSelection::all; },
            "Compute the range of every array, however large")
        ->excludes(none);
    command.add_flag("--json", request->json, "A JSON array on standard output, an entry a file");
    setAction(command, line, [request] { return inspect(*request); });
}

}  // namespace threefold
