#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace threefold::video {

/// Time and blur of a video frame, from which sharpFrames() chooses.
struct FrameBlur {
    double seconds = 0;  ///< since the video's beginning
    double blur = 0;     ///< mean width of edges, pixels of a picture of at most kMaxMeasuredWidth
};

/// Maximum width of the pictures whose blur is measured, in pixels.
inline constexpr int kMaxMeasuredWidth = 960;

/// Chooses the sharpest frame of each of `count` parts of equal length, out of the middle two
/// thirds of the part: neighbours are then a third of a part or more apart. Chooses all frames if
/// there are at most `count`. A frame without edges, whose blur is not finite, is chosen only if
/// the part has no other. Returns indices, ascending.
std::vector<std::size_t> sharpFrames(std::span<const FrameBlur> frames, std::size_t count);

/// Options of extracting frames from a video.
struct VideoOptions {
    std::filesystem::path program;  ///< ffmpeg 5.1 or newer
    /// Empty folder for frames and log; the caller removes it.
    std::filesystem::path scratchFolder;
    std::size_t maxFrameCount = 40;
    /// Called on the calling thread: name of the step, and the fraction that is done, 0 to 1. May
    /// be empty.
    std::function<void(const char* work, double fraction)> onProgress = {};
};

/// Frame that was written.
struct VideoFrame {
    std::filesystem::path file;
    double seconds = 0;  ///< FrameBlur::seconds
    double blur = 0;     ///< FrameBlur::blur
};

/// Result of writeSharpFrames().
struct VideoFrames {
    std::vector<VideoFrame> frames;    ///< in the video's order
    std::size_t videoFrameCount = 0;   ///< number of the video's frames
    double lastFrameSeconds = 0;       ///< time of the video's last frame
    double statedDurationSeconds = 0;  ///< duration that the file states; 0: none

    /// Whether frames end long before the stated duration: the file may be cut off.
    bool endsEarly() const {
        constexpr double kMinMissing = 1;  // seconds; sound may be longer than the pictures
        constexpr double kMinFraction = 0.8;
        return lastFrameSeconds < kMinFraction * statedDurationSeconds &&
               statedDurationSeconds - lastFrameSeconds > kMinMissing;
    }
};

/// Path of ffmpeg's program in PATH; empty if ffmpeg is not installed.
std::filesystem::path ffmpegProgram();

/// Writes the sharp frames (sharpFrames()) of a video into `folder`, upright, as JPEG files named
/// by the video and the frame's number: "walk_00317.jpg". `folder` exists. Blur is measured by
/// ffmpeg's blurdetect (P. Marziliano et al., "A no-reference perceptual blur metric", ICIP 2002).
/// Throws InputError (`video` is not a video or shows nothing, or `folder` holds photographs
/// already), IoError (the program fails, or a frame cannot be written: nothing is then left in
/// `folder`), Cancelled within 50 ms of the request. Thread-safe.
VideoFrames writeSharpFrames(const std::filesystem::path& video,
                             const std::filesystem::path& folder, const VideoOptions& options,
                             const std::stop_token& cancel);

}  // namespace threefold::video
