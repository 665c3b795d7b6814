#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace threefold::test {

/// The file's bytes; empty if it cannot be read.
std::string textOf(const std::filesystem::path& file);

/// The order of the project's modules (docs/modules.txt): a file may include only its own module
/// and lower modules.
class ModuleOrder {
  public:
    /// Parses `text`, which has the format of docs/modules.txt. Throws std::runtime_error if a
    /// module is named twice.
    explicit ModuleOrder(std::string_view text);

    /// Returns the module of a file, or "" if none is declared. File and module are paths relative
    /// to the project's root, with '/'.
    std::string moduleOf(const std::string& file) const;
    bool mayInclude(const std::string& from, const std::string& to) const;
    const std::map<std::string, std::size_t>& modules() const { return lines_; }

  private:
    std::map<std::string, std::size_t> lines_;  // line of each module, from 0; higher modules first
    std::vector<std::string> deep_;  // modules to which the files in subfolders belong, too
};

/// Returns a line for each include and each forward declaration of the project that the order
/// forbids, and for each source without a module, such as "ui/panes/x.cpp:12: ui/panes may not
/// include ui/window (ui/window/main_window.h)" or "… may not declare MainWindow of ui/window".
/// Reads all sources below the top folders of the modules in `order`.
std::vector<std::string> forbiddenUses(const ModuleOrder& order, const std::filesystem::path& root);

}  // namespace threefold::test
