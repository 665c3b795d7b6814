#include "engine/video/video_frames.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/files/mapped_file.h"
#include "engine/formats/files/unsupported_kinds.h"
#include "engine/formats/files/write_file.h"
#include "engine/sample/view_files.h"
#include "engine/system/child_process.h"

namespace threefold::video {
namespace {

namespace fs = std::filesystem;

/// Maximum number of frames, a day at 100 a second: bounds the memory, whatever number a file
/// claims.
constexpr double kMaxFrames = 1e7;
constexpr std::string_view kFrameMark = "frame:";
constexpr std::string_view kTimeMark = "pts_time:";
constexpr std::string_view kBlurMark = "lavfi.blur=";
constexpr std::string_view kDurationMark = "Duration: ";

std::optional<double> numberAfter(std::string_view line, std::string_view mark) {
    const std::size_t at = line.find(mark);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view text = line.substr(at + mark.size());
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) return std::nullopt;
    return value;
}

/// Seconds of ffmpeg's "Duration: 00:01:23.45"; nullopt for "N/A".
std::optional<double> durationIn(std::string_view line) {
    std::optional<double> seconds;
    std::size_t at = line.find(kDurationMark);
    if (at == std::string_view::npos) return std::nullopt;
    at += kDurationMark.size();
    for (int part = 0; part < 3; ++part) {
        const auto number = numberAfter(line.substr(at), "");
        if (!number) return std::nullopt;
        seconds = seconds.value_or(0) * 60 + *number;
        at = line.find(':', at);
        if (part < 2 && at == std::string_view::npos) return std::nullopt;
        ++at;
    }
    return seconds;
}

/// Output pattern of ffmpeg for the files 1.jpg, 2.jpg, … of a folder; a '%' in the folder's name
/// is escaped.
std::string numberedFilesIn(const fs::path& folder) {
    std::string pattern;
    for (const char each : folder.string()) pattern.append(each == '%' ? 2 : 1, each);
    return pattern + "/%d.jpg";
}

void requireVideo(const fs::path& video) {
    const MappedFile file(video);
    if (file.decode(isVideo)) return;
    const auto kind = file.decode(unsupportedKind);
    throw InputError({video.string(), "",
                      kind ? fmt::format("is {}, expected a video", kind->name) : "is no video",
                      "Give an MP4, MOV, MKV, WebM or AVI file."});
}

/// The frames of a video, with the blur that ffmpeg has measured.
struct MeasuredVideo {
    std::vector<FrameBlur> frames = {};
    double statedSeconds = 0;  ///< the duration that the file states; 0: none
};

class FrameExtractor {
  public:
    FrameExtractor(const fs::path& video, const VideoOptions& options,
                   const std::stop_token& cancel)
        : video_(video),
          options_(options),
          cancel_(cancel),
          log_(options.scratchFolder / "log.txt") {}

    /// Measures the blur of all frames.
    MeasuredVideo measure() {
        MeasuredVideo measured;
        std::vector<FrameBlur>& frames = measured.frames;
        report("looking for sharp frames", 0);
        // Without metadata of its own, a frame is not printed: blurdetect may give none to a frame
        // without edges.
        run({"-vf",
             fmt::format("scale='min({},iw)':-2,blurdetect=block_width=32:block_height=32,"
                         "metadata=mode=add:key=frame:value=1,metadata=print:file=-",
                         kMaxMeasuredWidth),
             "-f", "null", "-"},
            [&](std::string_view line) {
                if (const auto seconds = durationIn(line)) measured.statedSeconds = *seconds;
                if (const auto frame =
                        line.starts_with(kFrameMark) ? numberAfter(line, kFrameMark) : std::nullopt;
                    frame && *frame >= static_cast<double>(frames.size()) && *frame < kMaxFrames) {
                    frames.resize(static_cast<std::size_t>(*frame) + 1,
                                  {0, std::numeric_limits<double>::infinity()});
                    frames.back().seconds = numberAfter(line, kTimeMark).value_or(0);
                    if (measured.statedSeconds > 0)
                        report(
                            "looking for sharp frames",
                            std::clamp(frames.back().seconds / measured.statedSeconds, 0.0, 1.0));
                }
                if (const auto blur = numberAfter(line, kBlurMark); blur && !frames.empty())
                    frames.back().blur = *blur;
            });
        return measured;
    }

    /// Writes the chosen frames into VideoOptions::scratchFolder. Returns their files, in order.
    std::vector<fs::path> write(const std::vector<std::size_t>& chosen) {
        std::string condition;
        for (const std::size_t frame : chosen)
            condition += fmt::format("{}eq(n,{})", condition.empty() ? "" : "+", frame);
        std::size_t done = 0;
        report("writing frames", 0);
        run({"-vf",
             fmt::format("select='{}',metadata=mode=add:key=frame:value=1,"
                         "metadata=print:file=-",
                         condition),
             "-q:v", "2", "-f", "image2", numberedFilesIn(options_.scratchFolder)},
            [&](std::string_view line) {
                if (line.starts_with(kFrameMark))
                    report("writing frames",
                           static_cast<double>(++done) / static_cast<double>(chosen.size()));
            });
        std::vector<fs::path> files;
        for (std::size_t i = 1; i <= chosen.size(); ++i) {
            files.push_back(options_.scratchFolder / fmt::format("{}.jpg", i));
            if (!isFile(files.back()))
                throw IoError({video_.string(), fmt::format("frame {}", chosen[i - 1]),
                               "was not written by ffmpeg", "Is the video damaged?"});
        }
        return files;
    }

  private:
    void report(const char* work, double fraction) const {
        if (options_.onProgress) options_.onProgress(work, fraction);
    }

    void run(const std::vector<std::string>& output,
             const std::function<void(std::string_view)>& line) {
        // "file:" keeps names that look like protocols or options literal; the whitelist keeps a
        // file from opening others.
        std::vector<std::string> words = {"-nostdin",
                                          "-hide_banner",
                                          "-nostats",
                                          "-protocol_whitelist",
                                          "file",
                                          "-i",
                                          "file:" + absolutePath(video_).string(),
                                          "-map",
                                          "0:v:0",
                                          "-fps_mode",
                                          "passthrough"};
        words.insert(words.end(), output.begin(), output.end());
        const ProgramResult result = runProgram(options_.program, words, log_, line, cancel_);
        if (!result.status.succeeded())
            throw IoError({video_.string(), "", failureText("ffmpeg", result),
                           "Does another program play it? ffmpeg 5.1 or newer is needed."});
    }

    const fs::path& video_;
    const VideoOptions& options_;
    const std::stop_token& cancel_;
    fs::path log_;
};

}  // namespace

std::vector<std::size_t> sharpFrames(std::span<const FrameBlur> frames, std::size_t count) {
    std::vector<std::size_t> chosen;
    if (frames.size() <= count) {
        for (std::size_t i = 0; i < frames.size(); ++i) chosen.push_back(i);
        return chosen;
    }
    constexpr double kMargin = 1.0 / 6;  // at both ends of a part
    const double part = static_cast<double>(frames.size()) / static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double begin = static_cast<double>(i) * part;
        const auto first = static_cast<std::size_t>(begin + kMargin * part);
        const auto end =
            std::max(first + 1, static_cast<std::size_t>(begin + (1 - kMargin) * part));
        const auto blur = [&](std::size_t frame) {
            const double value = frames[frame].blur;
            return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
        };
        std::size_t sharpest = first;
        for (std::size_t frame = first; frame < std::min(end, frames.size()); ++frame)
            if (blur(frame) < blur(sharpest)) sharpest = frame;
        chosen.push_back(sharpest);
    }
    return chosen;
}

fs::path ffmpegProgram() {
    return findExecutable("ffmpeg");
}

VideoFrames writeSharpFrames(const fs::path& video, const fs::path& folder,
                             const VideoOptions& options, const std::stop_token& cancel) {
    requireVideo(video);
    if (isFolder(folder) && !listPhotographs(folder).empty())
        throw InputError({folder.string(), "", "holds photographs already",
                          "Name another folder: all photographs of a folder are of one object."});
    FrameExtractor extractor(video, options, cancel);
    const auto [frames, statedSeconds] = extractor.measure();
    if (frames.empty())
        throw InputError(
            {video.string(), "", "has no frame that ffmpeg can decode", "Is the video damaged?"});
    const std::vector<std::size_t> chosen = sharpFrames(frames, options.maxFrameCount);
    const std::vector<fs::path> pictures = extractor.write(chosen);
    VideoFrames result{{}, frames.size(), frames.back().seconds, statedSeconds};
    try {
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            if (cancel.stop_requested()) throw Cancelled();
            const fs::path file =
                folder / fmt::format("{}_{:05}.jpg", video.stem().string(), chosen[i]);
            const FrameBlur& frame = frames[chosen[i]];
            result.frames.push_back({file, frame.seconds, frame.blur});
            writeFileAtomically(file, readFile(pictures[i]));
        }
    } catch (...) {
        std::error_code ignored;
        for (const VideoFrame& frame : result.frames) fs::remove(frame.file, ignored);
        throw;
    }
    return result;
}

}  // namespace threefold::video
