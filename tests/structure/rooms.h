#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace threefold::test {

/// The file's bytes; empty if it cannot be read.
std::string textOf(const std::filesystem::path& file);

/// The order of the project's rooms (docs/rooms.txt): a file includes its own room and lower ones.
class RoomOrder {
  public:
    /// `text` as in docs/rooms.txt. Throws std::runtime_error where a room is named twice.
    explicit RoomOrder(std::string_view text);

    /// The room of a file, both relative to the project's root with '/'; empty: none is declared.
    std::string roomOf(const std::string& file) const;
    bool mayInclude(const std::string& from, const std::string& to) const;
    const std::map<std::string, std::size_t>& rooms() const { return lines_; }

  private:
    std::map<std::string, std::size_t> lines_;  // room → its line, 0: the highest
    std::vector<std::string> deep_;             // rooms that take their subfolders along
};

/// Every include of a project's own file that the order forbids, and every source in no room, a
/// line each: "ui/panes/x.cpp:12: ui/panes may not include ui/window (ui/window/main_window.h)".
/// Reads the sources below the folders that `order` names.
std::vector<std::string> forbiddenIncludes(const RoomOrder& order,
                                           const std::filesystem::path& root);

}  // namespace threefold::test
