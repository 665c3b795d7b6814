#pragma once

#include <filesystem>
#include <vector>

namespace threefold::test {

/// Writes a fake ffmpeg that reports `blurs` as measured, one per frame (NaN for a frame without
/// edges), and writes a file with the text "frame N" for each selected frame N. With
/// FAKE_FFMPEG=fail, the fake ffmpeg fails; with FAKE_FFMPEG=hang, it creates the file that
/// FAKE_FFMPEG_STARTED names, and waits.
void writeFakeFfmpeg(const std::filesystem::path& program, const std::vector<double>& blurs);

/// Writes the first bytes of an MP4 file.
void writeFakeVideo(const std::filesystem::path& video);

}  // namespace threefold::test
