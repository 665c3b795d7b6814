#include "tests/structure/rooms.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

namespace threefold::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDeep = "/...";

bool isSource(const fs::path& file) {
    constexpr std::array kEndings = {".h", ".cpp", ".cu", ".inl", ".glsl"};
    return std::find(kEndings.begin(), kEndings.end(), file.extension().string()) != kEndings.end();
}

std::string topFolder(const std::string& room) {
    return room.substr(0, room.find('/'));
}

// What a quoted include names, relative to the root; empty: no file of the project.
std::string included(const std::string& name, const std::string& from, const fs::path& root) {
    if (fs::exists(root / name)) return name;
    const fs::path beside = (fs::path(from).parent_path() / name).lexically_normal();
    return fs::exists(root / beside) ? beside.generic_string() : "";
}

}  // namespace

std::string textOf(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

RoomOrder::RoomOrder(std::string_view text) {
    std::istringstream lines{std::string(text)};
    std::string line;
    for (std::size_t number = 0; std::getline(lines, line); ++number) {
        if (line.starts_with('#')) continue;
        std::istringstream names(line);
        for (std::string room; names >> room;) {
            if (room.ends_with(kDeep)) {
                room.resize(room.size() - kDeep.size());
                deep_.push_back(room);
            }
            if (!lines_.emplace(room, number).second) {
                throw std::runtime_error(fmt::format("line {}: {} again", number + 1, room));
            }
        }
    }
}

std::string RoomOrder::roomOf(const std::string& file) const {
    std::string folder = fs::path(file).parent_path().generic_string();
    if (lines_.contains(folder)) return folder;
    for (const std::string& room : deep_) {
        if (folder.starts_with(room + '/')) return room;
    }
    return "";
}

bool RoomOrder::mayInclude(const std::string& from, const std::string& to) const {
    return from == to || lines_.at(from) < lines_.at(to);
}

std::vector<std::string> forbiddenIncludes(const RoomOrder& order, const fs::path& root) {
    const std::regex include(R"re(^\s*#\s*include\s+"([^"]+)")re");
    std::set<std::string> tops;
    for (const auto& [room, line] : order.rooms()) tops.insert(topFolder(room));
    std::vector<std::string> found;
    for (const std::string& top : tops) {
        if (!fs::exists(root / top)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            if (!entry.is_regular_file() || !isSource(entry.path())) continue;
            const std::string file = fs::relative(entry.path(), root).generic_string();
            const std::string room = order.roomOf(file);
            if (room.empty()) {
                found.push_back(fmt::format("{}: docs/rooms.txt does not name its folder", file));
                continue;
            }
            std::ifstream source(entry.path());
            std::string line;
            for (int number = 1; std::getline(source, line); ++number) {
                std::smatch match;
                if (!std::regex_search(line, match, include)) continue;
                const std::string target = included(match[1], file, root);
                if (target.empty()) continue;
                const std::string other = order.roomOf(target);
                if (!other.empty() && order.mayInclude(room, other)) continue;
                found.push_back(fmt::format("{}:{}: {} may not include {} ({})", file, number, room,
                                            other.empty() ? "a folder without a room" : other,
                                            target));
            }
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace threefold::test
