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

std::vector<std::string> forbiddenIncludes(const ModuleOrder& order, const fs::path& root) {
    const std::regex include(R"re(^\s*#\s*include\s+"([^"]+)")re");
    std::set<std::string> tops;
    for (const auto& [module, line] : order.modules()) tops.insert(topFolder(module));
    std::vector<std::string> found;
    for (const std::string& top : tops) {
        if (!fs::exists(root / top)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            if (!entry.is_regular_file() || !isSource(entry.path())) continue;
            const std::string file = fs::relative(entry.path(), root).generic_string();
            const std::string module = order.moduleOf(file);
            if (module.empty()) {
                found.push_back(fmt::format("{}: docs/modules.txt does not name its folder", file));
                continue;
            }
            std::ifstream source(entry.path());
            std::string line;
            for (int number = 1; std::getline(source, line); ++number) {
                std::smatch match;
                if (!std::regex_search(line, match, include)) continue;
                const std::string target = included(match[1], file, root);
                if (target.empty()) continue;
                const std::string other = order.moduleOf(target);
                if (!other.empty() && order.mayInclude(module, other)) continue;
                found.push_back(
                    fmt::format("{}:{}: {} may not include {} ({})", file, number, module,
                                other.empty() ? "a folder without a module" : other, target));
            }
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace threefold::test
