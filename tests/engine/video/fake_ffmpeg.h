#pragma once

#include <filesystem>
#include <vector>

namespace threefold::test {

/// Writes a stand-in for ffmpeg, which measures these blurs, one a frame, NaN for a frame without
/// edges, and writes a file "frame N" for each frame N that is selected. FAKE_FFMPEG=fail fails,
/// FAKE_FFMPEG=hang waits, after it has made the file FAKE_FFMPEG_STARTED.
void writeFakeFfmpeg(const std::filesystem::path& program, const std::vector<double>& blurs);

/// Writes the first bytes of an MP4 file.
void writeFakeVideo(const std::filesystem::path& video);

}  // namespace threefold::test
