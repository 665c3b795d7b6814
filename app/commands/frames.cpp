#include <cmath>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include "app/commands/commands.h"
#include "app/configuration/number_range.h"
#include "app/console/interrupt.h"
#include "app/console/output.h"
#include "app/options/add_option.h"
#include "app/options/output_folder.h"
#include "engine/error.h"
#include "engine/formats/files/temporary_folder.h"
#include "engine/json_text.h"
#include "engine/order_statistics.h"
#include "engine/profile/stopwatch.h"
#include "engine/video/video_frames.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kFramesExamples =
    R"(Takes photographs out of a video of one object, where ffmpeg is installed (Debian: apt install
ffmpeg): the sharpest frame of each of 40 parts of equal length (--count), as JPEG files in a new
folder. Walk slowly once around the object. Then run cameras, board or turntable on that folder.

Examples:
  threefold frames walk.mp4
  threefold frames walk.mov --count 60 -o figure
  threefold cameras figure)";

/// Ratio of a frame's edge width to the median edge width; a frame with a larger ratio is reported.
constexpr double kBlurred = 1.5;

struct FramesRequest {
    fs::path video;
    fs::path output;
    std::size_t count = video::VideoOptions{}.maxFrameCount;
    bool json = false;
};

double medianBlur(const video::VideoFrames& result) {
    std::vector<double> blurs;
    for (const video::VideoFrame& frame : result.frames)
        if (std::isfinite(frame.blur)) blurs.push_back(frame.blur);
    return blurs.empty() ? 0 : upperMedian(std::move(blurs));
}

Json framesJson(const video::VideoFrames& result, double milliseconds) {
    const auto frameJson = [](const video::VideoFrame& frame) {
        Json json = {{"photograph", frame.file.string()}, {"seconds", frame.seconds}};
        if (std::isfinite(frame.blur)) json["blurPx"] = frame.blur;
        return json;
    };
    return {{"framesOfVideo", result.videoFrameCount},
            {"photographs", jsonArray(result.frames, frameJson)},
            {"ms", milliseconds}};
}

ExitCode takeFrames(FramesRequest request) {
    const fs::path program = video::ffmpegProgram();
    if (program.empty())
        throw DeviceError({"ffmpeg", "", "is not installed; Threefold needs it to read videos",
                           "On Debian: apt install ffmpeg."});
    if (request.output.empty()) request.output = request.video.parent_path() / request.video.stem();
    Interrupt interrupt;
    const OutputFolder folder(request.output);
    const TemporaryFolder temporary("video");
    const Stopwatch watch;
    const video::VideoFrames result = [&] {
        constexpr double kProgressDelaySeconds = 1;
        ProgressLine line;
        const video::VideoOptions options{
            program, temporary.path(), request.count, [&line](const char* work, double fraction) {
                if (line.seconds() < kProgressDelaySeconds || !line.isDue()) return;
                line.update(fmt::format("{} {:.0f} %", work, 100 * fraction));
            }};
        return video::writeSharpFrames(request.video, folder.path(), options, interrupt.token());
    }();
    if (result.endsEarly())
        spdlog::warn(
            "{}: its last frame is at {:.1f} s, but the file states a duration of {:.1f} s: it may "
            "be "
            "cut off",
            request.video.string(), result.lastFrameSeconds, result.statedDurationSeconds);
    const double median = medianBlur(result);
    for (const video::VideoFrame& frame : result.frames)
        if (std::isfinite(frame.blur) && frame.blur > kBlurred * median)
            spdlog::warn(
                "{}: is blurred: its edges are {:.1f} pixels wide, {:.1f} in the median frame; "
                "move slower there, in more light",
                frame.file.string(), frame.blur, median);
    if (request.json)
        printJson(framesJson(result, watch.milliseconds()));
    else
        printText(fmt::format("{}: {} of {} frames, the sharpest of each part of the video\n",
                              folder.path().string(), result.frames.size(),
                              result.videoFrameCount));
    return ExitCode::done;
}

}  // namespace

void addFrames(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<FramesRequest>();
    CLI::App& command =
        addCommand(program, "frames", "Sharp frames of a video, as photographs", kFramesExamples);
    addValue(command, "video", request->video, "VIDEO",
             "A video of one object: MP4, MOV, MKV, WebM, AVI")
        ->required();
    addValue(command, "-o,--output", request->output, "FOLDER",
             "Folder for the photographs; if not given, beside the video under the video's name");
    addValue(command, "--count", request->count, "N",
             fmt::format("Number of frames, 3 to 1000; {} if not given", request->count))
        ->check(numberValidator(NumberRange::wholeNumber(3, 1000)));
    command.add_flag("--json", request->json, "A JSON document on standard output");
    setAction(command, line, [request] { return takeFrames(*request); });
}

}  // namespace threefold
