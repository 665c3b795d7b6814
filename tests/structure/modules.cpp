#include "tests/structure/modules.h"

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

std::string topFolder(const std::string& module) {
    return module.substr(0, module.find('/'));
}

// File of a quoted include, relative to the root; empty if it is no file of the project.
std::string included(const std::string& name, const std::string& from, const fs::path& root) {
    if (fs::exists(root / name)) return name;
    const fs::path beside = (fs::path(from).parent_path() / name).lexically_normal();
    return fs::exists(root / beside) ? beside.generic_string() : "";
}

struct Source {
    std::string file;  ///< relative to the root
    std::vector<std::string> lines;
};

std::vector<Source> sourcesOf(const ModuleOrder& order, const fs::path& root) {
    std::set<std::string> tops;
    for (const auto& [module, line] : order.modules()) tops.insert(topFolder(module));
    std::vector<Source> sources;
    for (const std::string& top : tops) {
        if (!fs::exists(root / top)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            if (!entry.is_regular_file() || !isSource(entry.path())) continue;
            Source& source = sources.emplace_back();
            source.file = fs::relative(entry.path(), root).generic_string();
            std::ifstream stream(entry.path());
            for (std::string line; std::getline(stream, line);) source.lines.push_back(line);
        }
    }
    return sources;
}

/// Maps each class to the modules whose headers define a class of its name.
std::multimap<std::string, std::string> homesOf(const std::vector<Source>& sources,
                                                const ModuleOrder& order) {
    const std::regex defined(R"(^(?:class|struct) (\w+)(?: final)?(?: :[^;]*)?(?: \{.*)?$)");
    std::multimap<std::string, std::string> homes;
    for (const Source& source : sources) {
        const std::string module = order.moduleOf(source.file);
        if (module.empty() || !source.file.ends_with(".h")) continue;
        std::smatch match;
        for (const std::string& line : source.lines)
            if (std::regex_search(line, match, defined)) homes.emplace(match[1], module);
    }
    return homes;
}

}  // namespace

std::string textOf(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

ModuleOrder::ModuleOrder(std::string_view text) {
    std::istringstream lines{std::string(text)};
    std::string line;
    for (std::size_t number = 0; std::getline(lines, line); ++number) {
        if (line.starts_with('#')) continue;
        std::istringstream names(line);
        for (std::string module; names >> module;) {
            if (module.ends_with(kDeep)) {
                module.resize(module.size() - kDeep.size());
                deep_.push_back(module);
            }
            if (!lines_.emplace(module, number).second) {
                throw std::runtime_error(fmt::format("line {}: {} again", number + 1, module));
            }
        }
    }
}

std::string ModuleOrder::moduleOf(const std::string& file) const {
    std::string folder = fs::path(file).parent_path().generic_string();
    if (lines_.contains(folder)) return folder;
    for (const std::string& module : deep_) {
        if (folder.starts_with(module + '/')) return module;
    }
    return "";
}

bool ModuleOrder::mayInclude(const std::string& from, const std::string& to) const {
    return from == to || lines_.at(from) < lines_.at(to);
}

std::vector<std::string> forbiddenUses(const ModuleOrder& order, const fs::path& root) {
    const std::regex include(R"re(^\s*#\s*include\s+"([^"]+)")re");
    const std::regex declared(R"(^(?:class|struct) (\w+);)");
    const std::vector<Source> sources = sourcesOf(order, root);
    const std::multimap<std::string, std::string> homes = homesOf(sources, order);
    std::vector<std::string> found;
    for (const Source& source : sources) {
        const std::string module = order.moduleOf(source.file);
        if (module.empty()) {
            found.push_back(
                fmt::format("{}: docs/modules.txt does not name its folder", source.file));
            continue;
        }
        for (std::size_t i = 0; i < source.lines.size(); ++i) {
            const std::string& line = source.lines[i];
            const auto forbid = [&](const std::string& what) {
                found.push_back(
                    fmt::format("{}:{}: {} may not {}", source.file, i + 1, module, what));
            };
            std::smatch match;
            if (std::regex_search(line, match, include)) {
                const std::string target = included(match[1], source.file, root);
                const std::string other = target.empty() ? "" : order.moduleOf(target);
                if (target.empty() || (!other.empty() && order.mayInclude(module, other))) continue;
                forbid(fmt::format("include {} ({})",
                                   other.empty() ? "a folder without a module" : other, target));
            } else if (std::regex_search(line, match, declared)) {
                // Several modules may define classes of the same name; classes of libraries have no
                // module.
                const auto [first, last] = homes.equal_range(match[1]);
                if (first != last && std::none_of(first, last, [&](const auto& home) {
                        return order.mayInclude(module, home.second);
                    }))
                    forbid(fmt::format("declare {} of {}", match[1].str(), first->second));
            }
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace threefold::test
