#pragma once

#include <filesystem>
#include <vector>

namespace threefold::test {

/// Writes a fake ffmpeg that measures these blurs, one per frame (NaN for a frame without edges),
/// and writes a file "frame N" for each selected frame N. FAKE_FFMPEG=fail makes it fail,
/// FAKE_FFMPEG=hang makes it create the file FAKE_FFMPEG_STARTED and wait.
void writeFakeFfmpeg(const std::filesystem::path& program, const std::vector<double>& blurs);

/// Writes the first bytes of an MP4 file.
void writeFakeVideo(const std::filesystem::path& video);

}  // namespace threefold::test
