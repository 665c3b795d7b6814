#include "app/configuration/configuration.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/ranges.h>

#include "app/console/nearest_name.h"
#include "app/console/output.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/resources.h"
#include "engine/text.h"
#include "engine/utf8.h"

// Only this file includes the parser, whose headers take seconds to compile.
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFileName = "threefold.toml";

/// Whether a file exists; a dangling link counts, since the user meant it to be read.
bool isThere(const fs::path& file) {
    std::error_code error;
    return fs::exists(fs::symlink_status(file, error));
}

/// Maximum size of a file. The parser destroys nested tables recursively: a longer file of many
/// levels could overflow the stack.
constexpr std::uintmax_t kMaxBytes = std::uintmax_t{16} << 10U;
constexpr std::size_t kMaxShown = 60;  // bytes of a name or value in a message
constexpr std::size_t kMaxShownOfParser = 200;
constexpr const char* kTemplate = "`threefold config --template` explains every key.";

std::string clipped(std::string_view text, std::size_t length = kMaxShown) {
    return fmt::format("{}{}", textPrefix(text, length), text.size() > length ? "…" : "");
}

std::size_t lineNumber(const toml::source_region& source) {
    return source.begin.line;
}

std::string_view typeName(const toml::node& node) {
    constexpr std::string_view kNames[] = {"nothing",    "a table",  "a list",       "a text",
                                           "an integer", "a number", "true or false"};
    const auto type = static_cast<std::size_t>(node.type());
    return type < std::size(kNames) ? kNames[type] : "a date or time";
}

std::string didYouMean(const std::string& nearest) {
    return nearest.empty() ? kTemplate : fmt::format("Did you mean {}?", nearest);
}

/// Names of all tables, in the order of the settings.
std::vector<std::string> tableNames() {
    std::vector<std::string> names;
    for (const Setting* setting : allSettings())
        if (names.empty() || names.back() != tableOf(*setting))
            names.emplace_back(tableOf(*setting));
    return names;
}

std::string nearestKey(std::string_view table, std::string_view key) {
    std::vector<std::string> localNames;
    std::vector<std::string> allNames;
    for (const Setting* setting : allSettings()) {
        if (tableOf(*setting) == table) localNames.emplace_back(nameOf(*setting));
        allNames.emplace_back(nameOf(*setting));
    }
    // A correct name in the wrong table is more likely than a misspelt name.
    const auto exact = std::ranges::find(allNames, key);
    if (exact != allNames.end()) return allSettings()[std::size_t(exact - allNames.begin())]->key;
    const std::string nearest = nearestName(key, localNames);
    if (!nearest.empty()) return fmt::format("{}.{}", table, nearest);
    const std::string other = nearestName(key, allNames);
    if (other.empty()) return {};
    return allSettings()[std::size_t(std::ranges::find(allNames, other) - allNames.begin())]->key;
}

/// Adds a file's values and problems to a configuration.
class Reader {
  public:
    Reader(const fs::path& file, Configuration& configuration)
        : file_(file), configuration_(configuration) {}

    void read() {
        try {
            parse(readFile(file_, kMaxBytes));
        } catch (const Error& error) {
            configuration_.problems.push_back(error.report());
        }
        std::ranges::stable_sort(problems_, {}, &std::pair<std::size_t, ErrorReport>::first);
        for (auto& [line, report] : problems_) configuration_.problems.push_back(std::move(report));
    }

  private:
    void addProblem(std::size_t line, const std::string& where, std::string problem,
                    std::string remedy) {
        problems_.emplace_back(
            line, ErrorReport{file_.string(),
                              where.empty() ? fmt::format("line {}", line)
                                            : fmt::format("line {}, {}", line, clipped(where)),
                              std::move(problem), std::move(remedy)});
    }

    void parse(const std::vector<std::byte>& bytes) {
        const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        // The parser would read the text only up to a NUL byte.
        if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
            addProblem(1 + std::size_t(std::count(text.begin(), text.begin() + zero, '\n')), "",
                       "holds a zero byte", "Save it as plain text in UTF-8.");
            return;
        }
        const toml::parse_result parsed = toml::parse(text);
        if (!parsed) {
            const toml::parse_error& error = parsed.error();
            addProblem(std::max<std::size_t>(1, lineNumber(error.source())), "",
                       clipped(error.description(), kMaxShownOfParser),
                       "The file is to be TOML in UTF-8: toml.io.");
            return;
        }
        for (const auto& [key, node] : parsed.table()) {
            if (const toml::table* const table = node.as_table())
                readTable(key, *table);
            else
                unknown("", key, node);
        }
    }

    void readTable(const toml::key& name, const toml::table& table) {
        const std::vector<std::string> names = tableNames();
        if (std::ranges::find(names, name.str()) == names.end()) {
            const std::string nearest = nearestName(name.str(), names);
            return addProblem(lineNumber(name.source()), "",
                              fmt::format("there is no table [{}]", clipped(name.str())),
                              didYouMean(nearest.empty() ? "" : fmt::format("[{}]", nearest)));
        }
        for (const auto& [key, node] : table) {
            const std::string full = fmt::format("{}.{}", name.str(), key.str());
            const Setting* const setting = findSetting(full);
            if (setting == nullptr) unknown(name.str(), key, node);
            // An earlier key counts only if the current key is absent.
            else if (setting->key == full || !table.contains(nameOf(*setting)))
                readSetting(*setting, node);
        }
    }

    void unknown(std::string_view table, const toml::key& key, const toml::node& node) {
        const std::vector<std::string> tables = tableNames();
        if (table.empty() && std::ranges::find(tables, key.str()) != tables.end())
            return addProblem(lineNumber(key.source()), "",
                              fmt::format("{} is {}, expected a table", key.str(), typeName(node)),
                              fmt::format("Write [{}], once.", key.str()));
        addProblem(lineNumber(key.source()), "",
                   fmt::format("there is no key {}{}{}", table, table.empty() ? "" : ".",
                               clipped(key.str())),
                   didYouMean(nearestKey(table, key.str())));
    }

    void readSetting(const Setting& setting, const toml::node& node) {
        const std::size_t line = lineNumber(node.source());
        const toml::array* const array = node.as_array();
        if (setting.list != (array != nullptr)) return wrongType(setting, node, "is");
        std::vector<std::string> values;
        if (array == nullptr) {
            if (!readValue(setting, node, values)) return;
        } else {
            for (const toml::node& element : *array)
                if (!readValue(setting, element, values)) return;
            if (!acceptsList(setting, values))
                return addProblem(line, setting.key,
                                  fmt::format("is [{}]; expected {}",
                                              clipped(fmt::format("{}", fmt::join(values, ", "))),
                                              countText(setting)),
                                  kTemplate);
        }
        if (configuration_.find(setting) != nullptr) return;
        configuration_.values.push_back(
            {&setting, fmt::format("{}", fmt::join(values, ",")), file_, line});
    }

    void wrongType(const Setting& setting, const toml::node& node, const char* verb) {
        addProblem(lineNumber(node.source()), setting.key,
                   fmt::format("{} {}; expected {}", verb, typeName(node), typeText(setting)),
                   kTemplate);
    }

    /// Appends the value of a node if it is valid.
    bool readValue(const Setting& setting, const toml::node& node,
                   std::vector<std::string>& values) {
        const std::optional<std::string> text = nodeText(setting, node);
        if (!text) {
            wrongType(setting, node, setting.list ? "holds" : "is");
            return false;
        }
        std::string problem = escapeControls(*text) != *text ? "holds a control character"
                                                             : problemOf(setting, *text);
        // Messages show the beginning of a long value.
        if (!problem.empty() && clipped(*text) != *text)
            if (std::string brief = problemOf(setting, clipped(*text)); !brief.empty())
                problem = std::move(brief);
        if (!problem.empty()) {
            const std::string nearest =
                setting.choices == nullptr ? std::string() : nearestName(*text, setting.choices());
            addProblem(lineNumber(node.source()), setting.key, problem, didYouMean(nearest));
            return false;
        }
        const bool path = setting.type == Setting::Type::path;
        values.push_back(path ? (file_.parent_path() / *text).lexically_normal().string() : *text);
        return true;
    }

    static std::optional<std::string> nodeText(const Setting& setting, const toml::node& node) {
        const bool truth = setting.type == Setting::Type::boolean;
        if (const auto* value = node.as_boolean(); value != nullptr && truth)
            return **value ? "true" : "false";
        if (const auto* value = node.as_floating_point();
            value != nullptr && setting.type == Setting::Type::number)
            return fmt::format("{}", **value);
        // Texts with a check, such as a number of views or of a GPU, may be written without quotes.
        if (const auto* value = node.as_integer();
            value != nullptr && (isText(setting) ? setting.check != nullptr : !truth))
            return fmt::format("{}", **value);
        if (const auto* value = node.as_string(); value != nullptr && isText(setting))
            return **value;
        return std::nullopt;
    }

    const fs::path& file_;
    Configuration& configuration_;
    std::vector<std::pair<std::size_t, ErrorReport>> problems_;
};

}  // namespace

std::string ConfiguredValue::origin() const {
    return fmt::format("{}, line {}", file.string(), line);
}

const ConfiguredValue* Configuration::find(const Setting& setting) const {
    const auto found = std::ranges::find(values, &setting, &ConfiguredValue::setting);
    return found == values.end() ? nullptr : &*found;
}

std::optional<std::string> Configuration::text(const Setting& setting) const {
    if (const ConfiguredValue* const value = find(setting)) return value->text;
    if (setting.defaultValue == nullptr) return std::nullopt;
    return setting.defaultValue;
}

std::vector<fs::path> configurationFiles(const fs::path& named) {
    if (!named.empty()) return {named};
    std::vector<fs::path> files;
    if (isThere(kFileName)) files.emplace_back(kFileName);
    const fs::path folder = xdgFolder("XDG_CONFIG_HOME", ".config");
    if (folder.empty() || !isThere(folder / kFileName)) return files;
    std::error_code error;
    const bool same = !files.empty() && fs::equivalent(files.front(), folder / kFileName, error);
    if (!same) files.push_back(folder / kFileName);
    return files;
}

Configuration readConfiguration(const std::vector<fs::path>& files) {
    Configuration configuration;
    configuration.files = files;
    for (const fs::path& file : files) Reader(file, configuration).read();
    return configuration;
}

}  // namespace threefold
