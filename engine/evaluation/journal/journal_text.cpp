#include "engine/evaluation/journal/journal_text.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/evaluation/journal/journal_json.h"
#include "engine/formats/bytes/sha256.h"
#include "engine/json_text.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Increase when records lose a field, or gain one that a report needs: a resumed run must give the
/// same files as an uninterrupted run of this release.
constexpr int kFormatVersion = 3;
constexpr std::size_t kCheckDigits = 16;
constexpr std::string_view kPrefix = R"({"check":")";
constexpr std::string_view kSeparator = R"(","line":)";
constexpr std::string_view kSuffix = "}";
/// Maximum line length in bytes: parsing can take memory of sixty times the size of the text.
/// Records take a few kB.
constexpr std::size_t kMaxLine = std::size_t{512} << 10;

std::string lineOf(const Json& json) {
    const std::string text = dumpJson(json);
    return fmt::format("{}{}{}{}{}\n", kPrefix, journalChecksum(text), kSeparator, text, kSuffix);
}

/// Parses a line without its newline; nullopt if the line is torn or damaged.
std::optional<Json> parsedLine(std::string_view line) {
    constexpr std::size_t kFrame =
        kPrefix.size() + kCheckDigits + kSeparator.size() + kSuffix.size();
    if (line.size() < kFrame || line.size() > kMaxLine || !line.starts_with(kPrefix))
        return std::nullopt;
    const std::string_view check = line.substr(kPrefix.size(), kCheckDigits);
    const std::string_view text = line.substr(kFrame - kSuffix.size(), line.size() - kFrame);
    if (journalChecksum(text) != check) return std::nullopt;
    Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) return std::nullopt;
    return json;
}

class Parser {
  public:
    explicit Parser(const fs::path& file) : file_(file) {}

    ParsedJournal parse(std::string_view text) {
        std::size_t offset = 0;
        for (std::size_t number = 1; offset < text.size(); ++number) {
            const std::size_t end = text.find('\n', offset);
            if (end == std::string_view::npos) break;
            const std::optional<Json> json = parsedLine(text.substr(offset, end - offset));
            offset = end + 1;
            if (number == 1) {
                parseHeader(json);
            } else if (!json || !parseLine(*json)) {
                ++parsed_.contents.damagedLines;
                continue;
            }
            parsed_.completeBytes = offset;
        }
        requireBeginning(text);
        parsed_.contents.description.seconds += sessionSeconds_;
        if (parsed_.completeBytes < text.size() && offset < text.size())
            ++parsed_.contents.damagedLines;
        return std::move(parsed_);
    }

  private:
    /// Accepts an empty or torn first line. Throws FormatError for any other text without a header.
    void requireBeginning(std::string_view text) const {
        if (parsed_.hasHeader || text.substr(0, kPrefix.size()) == kPrefix.substr(0, text.size()))
            return;
        throwNotAJournal(file_, "is not the journal of a run");
    }

    void parseHeader(const std::optional<Json>& json) {
        if (!json) throwNotAJournal(file_, "is not the journal of a run, or damaged");
        try {
            if (json->at("journal") != kFormatVersion)
                throwNotAJournal(file_, "is of another release of Threefold");
            parsed_.contents.description = fromJournalJson<RunDescription>(json->at("run"));
        } catch (const Json::exception& error) {
            throwNotAJournal(file_, "is not the journal of a run: " + jsonProblem(error));
        } catch (const UsageError& error) {
            throwNotAJournal(file_, error.report().problem);
        }
        parsed_.hasHeader = true;
    }

    bool parseLine(const Json& json) {
        try {
            if (json.contains("session")) {
                parseSession(json.at("session"));
            } else {
                auto record = fromJournalJson<SampleRecord>(json.at("record"));
                json.at("seconds").get_to(sessionSeconds_);
                parsed_.contents.records[record.position] = std::move(record);
            }
        } catch (const Json::exception&) {
            return false;
        } catch (const UsageError&) {
            return false;
        }
        return true;
    }

    void parseSession(const Json& json) {
        RunDescription& description = parsed_.contents.description;
        const auto begun = json.at("begun").get<std::string>();
        // ISO 8601 in UTC sorts as text.
        description.startedAt =
            description.startedAt.empty() ? begun : std::min(description.startedAt, begun);
        for (const Json& machineJson : json.at("machines")) {
            auto machine = fromJournalJson<MachineDescription>(machineJson);
            if (machines_.insert(dumpJson(journalJson(machine))).second)
                description.machines.push_back(std::move(machine));
        }
        description.folders.reset();
        if (json.contains("folders"))
            description.folders = fromJournalJson<RunFolders>(json.at("folders"));
        description.seconds += std::exchange(sessionSeconds_, 0);
    }

    const fs::path& file_;
    ParsedJournal parsed_;
    std::set<std::string> machines_;  ///< JSON of the machines in parsed_
    double sessionSeconds_ = 0;
};

}  // namespace

std::size_t JournalContents::succeededCount() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(records, [](const auto& entry) { return entry.second.succeeded(); }));
}

EvaluationRun JournalContents::run() const {
    EvaluationRun run{description, {}};
    for (const auto& [position, record] : records) run.records.push_back(record);
    return run;
}

std::string journalChecksum(std::string_view text) {
    return sha256(std::as_bytes(std::span(text))).substr(0, kCheckDigits);
}

void throwNotAJournal(const fs::path& file, std::string problem) {
    throw FormatError(
        {file.string(), "line 1", std::move(problem),
         "Restore the file, or evaluate its list again: into another folder (`output`), "
         "or in place of this run (`overwrite`)."});
}

std::string journalHeaderLine(const RunDescription& description) {
    return lineOf({{"journal", kFormatVersion}, {"run", journalJson(description)}});
}

std::string journalSessionLine(const RunDescription& description) {
    Json machines = Json::array();
    for (const MachineDescription& machine : description.machines)
        machines.push_back(journalJson(machine));
    Json session{{"begun", description.startedAt}, {"machines", std::move(machines)}};
    if (description.folders) session["folders"] = journalJson(*description.folders);
    return lineOf({{"session", std::move(session)}});
}

std::string journalRecordLine(const SampleRecord& record, double seconds) {
    return lineOf({{"record", journalJson(record)}, {"seconds", seconds}});
}

ParsedJournal parseJournal(std::string_view text, const fs::path& file) {
    return Parser(file).parse(text);
}

}  // namespace threefold
