#include "tests/engine/video/fake_ffmpeg.h"

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "engine/formats/files/write_file.h"

namespace threefold::test {

void writeFakeFfmpeg(const std::filesystem::path& program, const std::vector<double>& blurs) {
    std::string lines =
        fmt::format("  Duration: 00:00:{:05.2f}, start: 0.0\n", blurs.size() / 10.0);
    for (std::size_t i = 0; i < blurs.size(); ++i) {
        const bool hasEdges = std::isfinite(blurs[i]);
        lines += fmt::format("{}frame:{}    pts:{}   pts_time:{}\n", hasEdges ? "" : "bare ", i,
                             100 * i, static_cast<double>(i) / 10);
        if (hasEdges) lines += fmt::format("lavfi.blur={}\n", blurs[i]);
    }
    std::filesystem::create_directories(program.parent_path());
    const std::filesystem::path measured = program.parent_path() / "measured.txt";
    writeFileAtomically(measured, lines);
    writeFileAtomically(program, "#!/bin/bash\nmeasured='" + measured.string() + R"sh('
for word; do
    case $word in
    *select=*) selected=$(grep -o 'eq(n,[0-9]*)' <<< "$word" | tr -dc '0-9\n') ;;
    esac
    output=$word
done
if [[ $FAKE_FFMPEG == hang ]]; then
    touch "$FAKE_FFMPEG_STARTED"
    sleep 600
fi
if [[ $FAKE_FFMPEG == fail ]]; then
    echo "moov atom not found" >&2
    exit 1
fi
if [[ -z $selected ]]; then
    # As in ffmpeg, a frame without metadata is not printed.
    if [[ $* == *blurdetect*mode=add* ]]; then
        sed 's/^bare //' "$measured"
    else
        grep -v '^bare ' "$measured"
    fi
    exit
fi
# As in ffmpeg's patterns: a '%' stands for itself where it is doubled, and nowhere else.
rest=${output//%%/}
if [[ ${rest/\%d/} == *%* ]]; then
    echo "Invalid argument" >&2
    exit 1
fi
number=0
for frame in $selected; do
    echo "frame:$number    pts:0   pts_time:0"
    file=${output/\%d/$((++number))}
    printf 'frame %d' "$frame" > "${file//%%/%}"
done
)sh");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
}

void writeFakeVideo(const std::filesystem::path& video) {
    using namespace std::string_view_literals;
    std::filesystem::create_directories(video.parent_path());
    writeFileAtomically(video,
                        "\0\0\0\x20"
                        "ftypisom\0\0\2\0"sv);
}

}  // namespace threefold::test
