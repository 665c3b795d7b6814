#include "engine/evaluation/journal/journal.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/error.h"
#include "engine/evaluation/journal/journal_json.h"
#include "engine/evaluation/run/output_files.h"
#include "engine/evaluation/run/run_description.h"
#include "engine/evaluation/run/run_differences.h"
#include "engine/evaluation/run/shown_lists.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/file_descriptor.h"
#include "engine/formats/files/write_file.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWriteRemedy =
    "Finished samples are kept. Free space, or make the folder writable again, then continue "
    "(`resume`).";

/// The readable records of `text`; empty if it is not a journal.
std::vector<SampleRecord> recordsIn(const fs::path& file, std::string_view text) {
    try {
        return parseJournal(text, file).contents.run().records;
    } catch (const FormatError&) {
        return {};
    }
}

[[noreturn]] void throwHoldsRun(const fs::path& folder, std::size_t done, const char* remedy) {
    throw InputError({folder.string(), "",
                      fmt::format("holds a run already, {} of its samples are done", done),
                      remedy});
}

void requireSameRun(const fs::path& folder, const JournalContents& contents,
                    const RunDescription& current) {
    RunDescription stored = contents.description;
    // While no sample has scores, the truths may change: samples without a truth are evaluated
    // again once truths are given.
    const bool hasScoredSample = std::ranges::any_of(contents.records, [](const auto& entry) {
        return entry.second.succeeded() && !entry.second.withoutTruth();
    });
    if (stored.folders && !hasScoredSample) stored.folders->truths.clear();
    const std::vector<RunDifference> differences = differencesToResume(stored, current);
    if (differences.empty()) return;
    throw InputError({folder.string(), "", "holds another run: " + differencesText(differences),
                      "Repeat what that run was started with, choose another output folder "
                      "(`output`), or start over (`overwrite`)."});
}

/// Throws InputError if the file exists, since a run would replace it.
void refuseIfThere(const fs::path& file) {
    if (pathExists(file))
        throw InputError({file.string(), "", "already exists and belongs to no run in this folder",
                          "Choose another output folder (`output`), or replace the file "
                          "(`overwrite`)."});
}

constexpr const char* kLinkRemedy = "Remove the link, or choose another output folder (`output`).";

/// Throws InputError for a link whose target a run would write to or delete from.
void refuseLinks(const fs::path& folder) {
    std::error_code error;
    for (const char* name : {kJournalName, kThumbnailFolder})
        if (fs::is_symlink(folder / name, error))
            throw InputError({(folder / name).string(), "",
                              "is a symbolic link: a run writes and deletes only in its own folder",
                              kLinkRemedy});
}

/// Throws InputError for a journal with further hard links, for example in a backup.
void refuseOtherNames(const fs::path& file, const FileDescriptor& descriptor) {
    struct stat status {};
    if (::fstat(descriptor.get(), &status) != 0 || status.st_nlink <= 1) return;
    throw InputError(
        {file.string(), "",
         fmt::format("has {} names (hard links): the others would change with it", status.st_nlink),
         "Replace it by a copy, or choose another output folder (`output`)."});
}

/// Throws InputError if a folder without a journal holds a file that a run's report would replace.
void refuseOtherReports(const fs::path& folder) {
    if (holdsJournal(folder)) return;
    for (const char* name : kReportNames) refuseIfThere(folder / name);
}

}  // namespace

Journal::Journal(const fs::path& folder, const RunDescription& description, ExistingRun existing)
    : file_(folder / kJournalName) {
    openAndLock(folder, existing);
    removeTemporaryFiles(folder);
    removeTemporaryFiles(folder / kThumbnailFolder);
    continueOrDiscard(folder, description, existing);
    begin(description);
}

void Journal::openAndLock(const fs::path& folder, ExistingRun existing) {
    folder_ = FileDescriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder_)
        throwIoError(folder, "cannot be opened", errno, "Choose another output folder (`output`).");
    refuseLinks(folder);
    if (existing != ExistingRun::overwrite) refuseOtherReports(folder);
    descriptor_ = openRegularFile(file_, O_RDWR | O_CREAT | O_NOFOLLOW, "cannot be written",
                                  "Choose an output folder that you may write to (`output`).");
    refuseOtherNames(file_, descriptor_);
    lockRun(descriptor_, RunLock::exclusive, file_, folder);
}

void Journal::continueOrDiscard(const fs::path& folder, const RunDescription& description,
                                ExistingRun existing) {
    const std::vector<std::byte> bytes = readFile(file_);
    if (existing == ExistingRun::overwrite)
        return removeRunFiles(folder, recordsIn(file_, asText(bytes)));
    ParsedJournal parsed = parseJournal(asText(bytes), file_);
    const std::size_t done = parsed.contents.succeededCount();
    if (done > 0 && existing == ExistingRun::refuse)
        throwHoldsRun(folder, done,
                      "Continue it (`resume`), start over (`overwrite`), or choose another "
                      "output folder (`output`).");
    if (done > 0) {
        requireSameRun(folder, parsed.contents, description);
        size_ = parsed.completeBytes;
        contents_ = std::move(parsed.contents);
    } else if (!parsed.contents.records.empty()) {
        // All samples failed, for example after a mistyped list or root, so nothing is lost.
        removeRunFiles(folder, recordsIn(file_, asText(bytes)));
    }
}

void Journal::begin(const RunDescription& description) {
    if (::ftruncate(descriptor_.get(), static_cast<off_t>(size_)) != 0)
        throwIoError(file_, "cannot be written", errno, kWriteRemedy);
    write((size_ == 0 ? journalHeaderLine(description) : "") + journalSessionLine(description));
    const std::vector<std::byte> bytes = readFile(file_);
    const std::size_t damaged = contents_.damagedLines;
    contents_ = parseJournal(asText(bytes), file_).contents;
    contents_.damagedLines = damaged;
    secondsBefore_ = contents_.description.seconds;
}

void Journal::write(const std::string& text) {
    try {
        ::lseek(descriptor_.get(), static_cast<off_t>(size_), SEEK_SET);
        writeAll(descriptor_, asBytes(text), file_, kWriteRemedy);
        // Flushes the folder first, so that each sample in the journal has its files on disk.
        if (::fsync(folder_.get()) != 0 || ::fdatasync(descriptor_.get()) != 0)
            throwIoError(file_, "cannot be written", errno, kWriteRemedy);
    } catch (const IoError&) {
        // If truncating fails, too, the next reader recognises the line as torn.
        [[maybe_unused]] const int cut = ::ftruncate(descriptor_.get(), static_cast<off_t>(size_));
        throw;
    }
    // A removed file vanishes when the descriptor closes.
    if (isGone())
        throw IoError({file_.string(), "", "was removed during the run",
                       "Start the run again, and leave its folder alone until it has ended."});
    size_ += text.size();
}

bool Journal::isGone() const {
    struct stat open {};
    struct stat current {};
    if (::fstat(descriptor_.get(), &open) != 0) return false;  // unknown
    if (::stat(file_.c_str(), &current) != 0) return errno == ENOENT || errno == ENOTDIR;
    return open.st_dev != current.st_dev || open.st_ino != current.st_ino;
}

void Journal::append(std::span<const SampleRecord> records, double seconds) {
    std::string text;
    for (const SampleRecord& record : records) text += journalRecordLine(record, seconds);
    write(text);
    for (const SampleRecord& record : records)
        contents_.records[record.position] = afterRoundTrip(record);
    contents_.description.seconds = secondsBefore_ + seconds;
}

bool holdsJournal(const fs::path& folder) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(folder / kJournalName, error);
    return error ? pathExists(folder / kJournalName) : size > 0;
}

JournalContents readJournal(const fs::path& folder) {
    const fs::path file = folder / kJournalName;
    const FileDescriptor descriptor =
        openRegularFile(file, O_RDONLY, "cannot be read",
                        "Name a folder that `threefold eval` wrote its results to.");
    lockRun(descriptor, RunLock::shared, file, folder);
    const std::vector<std::byte> bytes = readFile(file);
    ParsedJournal parsed = parseJournal(asText(bytes), file);
    if (!parsed.hasHeader) throwNotAJournal(file, "holds no run");
    return std::move(parsed.contents);
}

void writeJournal(const fs::path& folder, const EvaluationRun& run, ExistingRun existing) {
    const fs::path file = folder / kJournalName;
    refuseLinks(folder);
    if (existing != ExistingRun::overwrite) refuseOtherReports(folder);
    if (existing != ExistingRun::overwrite && !holdsJournal(folder))
        for (const std::size_t shown : shownRecords(run.records))
            refuseIfThere(thumbnailFile(folder, run.records[shown].name));
    const bool isPresent = pathExists(file);
    // Makes a missing journal first, so that one of two processes that write it gets the lock.
    const FileDescriptor locked =
        openRegularFile(file, O_RDONLY | O_CREAT | O_NOFOLLOW,
                        isPresent ? "cannot be replaced" : "cannot be written",
                        "Choose another output folder (`output`).");
    lockRun(locked, RunLock::exclusive, file, folder);
    const std::vector<std::byte> bytes = readFile(file);
    if (existing != ExistingRun::overwrite)
        if (const std::size_t done = parseJournal(asText(bytes), file).contents.succeededCount())
            throwHoldsRun(folder, done,
                          "Choose another output folder (`output`), or start over "
                          "(`overwrite`).");
    const std::vector<SampleRecord> discarded = recordsIn(file, asText(bytes));
    std::string text = journalHeaderLine(run.description) + journalSessionLine(run.description);
    for (const SampleRecord& record : run.records)
        text += journalRecordLine(record, run.description.seconds);
    writeFileAtomically(file, text, Durability::flushed);
    // A merged run has written no meshes, so this folder's meshes are not its own.
    if (isPresent) removeRunFiles(folder, discarded, RunFiles::withoutMeshes);
}

}  // namespace threefold
