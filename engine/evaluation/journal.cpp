#include "engine/evaluation/journal.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "engine/error.h"
#include "engine/evaluation/record.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWriteRemedy =
    "What was finished is kept: make space, or give the folder back its rights, then go on with "
    "--resume.";
std::string_view textOf(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The records that can be read from `text`; none if it is not a journal.
std::vector<SampleRecord> recordsIn(const fs::path& file, std::string_view text) {
    std::vector<SampleRecord> records;
    try {
        for (auto& [position, record] : parseJournal(text, file).contents.records) {
            records.push_back(std::move(record));
        }
    } catch (const FormatError&) {
        return {};
    }
    return records;
}

[[noreturn]] void throwHeld(const fs::path& folder) {
    throw InputError({folder.string(), "", "another run is writing to it at this moment",
                      "Wait for its end, or choose another folder with -o."});
}

void requireSame(const fs::path& folder, const RunDescription& there, const RunDescription& here) {
    const std::string text = differences(there, here, true);
    if (text.empty()) return;
    throw InputError({folder.string(), "", "holds another run: " + text,
                      "Repeat what that run was started with, choose another folder with -o, or "
                      "begin anew with --overwrite."});
}

[[noreturn]] void throwHoldsRun(const fs::path& folder, std::size_t done) {
    throw InputError({folder.string(), "",
                      fmt::format("holds a run already, {} of its samples are done", done),
                      "Go on with it with --resume, begin anew with --overwrite, or choose another "
                      "folder with -o."});
}

}  // namespace

Journal::Journal(const fs::path& folder, const RunDescription& about, JournalStart start)
    : file_(folder / kJournalName) {
    folder_ = FileDescriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder_) failIo(folder, "cannot be opened", errno, "Choose another folder with -o.");
    descriptor_ = FileDescriptor(::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (!descriptor_) {
        failIo(file_, "cannot be written", errno, "Choose a folder with -o that you may write to.");
    }
    lock();
    removeTemporaryFiles(folder);
    removeTemporaryFiles(folder / kThumbnailFolder);
    const std::vector<std::byte> bytes = readFile(file_);
    if (start == JournalStart::overwrite) {
        removeFilesOf(folder, recordsIn(file_, textOf(bytes)));
    } else {
        ParsedJournal parsed = parseJournal(textOf(bytes), file_);
        const std::size_t done = parsed.contents.done();
        if (done > 0 && start == JournalStart::fresh) throwHoldsRun(folder, done);
        if (done > 0) {
            requireSame(folder, parsed.contents.about, about);
            size_ = parsed.whole;
            contents_ = std::move(parsed.contents);
        } else if (!parsed.contents.records.empty()) {
            // Only failed samples, for example after a mistyped list or root: nothing is lost.
            removeFilesOf(folder, recordsIn(file_, textOf(bytes)));
        }
    }
    begin(about);
}

void Journal::lock() {
    if (::flock(descriptor_.get(), LOCK_EX | LOCK_NB) == 0) return;
    if (errno == EWOULDBLOCK) throwHeld(file_.parent_path());
    // Some cluster file systems have no locks; the run continues without one.
    if (errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP) return;
    failIo(file_, "cannot be locked", errno, "Choose a folder on another file system with -o.");
}

void Journal::begin(const RunDescription& about) {
    if (::ftruncate(descriptor_.get(), static_cast<off_t>(size_)) != 0) {
        failIo(file_, "cannot be written", errno, kWriteRemedy);
    }
    std::string text;
    if (size_ == 0) text = journalHeader(about);
    write(text + journalSession(about));
    const std::vector<std::byte> bytes = readFile(file_);
    const std::size_t damaged = contents_.damagedLines;
    contents_ = parseJournal(textOf(bytes), file_).contents;
    contents_.damagedLines = damaged;
    secondsBefore_ = contents_.about.seconds;
}

void Journal::write(const std::string& text) {
    std::string_view left = text;
    off_t at = static_cast<off_t>(size_);
    int failure = 0;
    while (!left.empty() && failure == 0) {
        const ssize_t count = ::pwrite(descriptor_.get(), left.data(), left.size(), at);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) {
            failure = errno;
            continue;
        }
        left.remove_prefix(static_cast<std::size_t>(count));
        at += count;
    }
    // The folder first, so that each sample in the journal has its files on disk.
    if (failure == 0 && ::fsync(folder_.get()) != 0) failure = errno;
    if (failure == 0 && ::fdatasync(descriptor_.get()) != 0) failure = errno;
    if (failure != 0) {
        // If this fails too, the next reader recognises the line as torn.
        [[maybe_unused]] const int cut = ::ftruncate(descriptor_.get(), static_cast<off_t>(size_));
        failIo(file_, "cannot be written", failure, kWriteRemedy);
    }
    // A removed file is lost when the descriptor closes.
    if (isGone()) {
        throw IoError({file_.string(), "", "was removed during the run",
                       "Start the run again, and leave its folder alone until it has ended."});
    }
    size_ += text.size();
}

bool Journal::isGone() const {
    struct stat open {};
    struct stat there {};
    if (::fstat(descriptor_.get(), &open) != 0) return false;  // not known
    if (::stat(file_.c_str(), &there) != 0) return errno == ENOENT || errno == ENOTDIR;
    return open.st_dev != there.st_dev || open.st_ino != there.st_ino;
}

void Journal::append(std::span<const SampleRecord> records, double seconds) {
    std::string text;
    for (const SampleRecord& record : records) text += journalLine(record, seconds);
    write(text);
    for (const SampleRecord& record : records)
        contents_.records[record.position] = afterRoundTrip(record);
    contents_.about.seconds = secondsBefore_ + seconds;
}

EvaluationRun Journal::run() const {
    EvaluationRun run;
    run.about = contents_.about;
    run.records.reserve(contents_.records.size());
    for (const auto& [position, record] : contents_.records) run.records.push_back(record);
    return run;
}

JournalContents readJournal(const fs::path& folder) {
    const fs::path file = folder / kJournalName;
    const FileDescriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!descriptor) {
        failIo(file, "cannot be read", errno,
               "Name a folder that `threefold eval -o` wrote its results to.");
    }
    if (::flock(descriptor.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        throwHeld(folder);
    }
    const std::vector<std::byte> bytes = readFile(file);
    ParsedJournal parsed = parseJournal(textOf(bytes), file);
    if (!parsed.begun) throwNotAJournal(file, "holds no run");
    return std::move(parsed.contents);
}

void writeJournal(const fs::path& folder, const EvaluationRun& run) {
    const FileDescriptor present(::open((folder / kJournalName).c_str(), O_RDONLY | O_CLOEXEC));
    if (present && ::flock(present.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        throwHeld(folder);
    }
    std::string text = journalHeader(run.about) + journalSession(run.about);
    for (const SampleRecord& record : run.records) {
        text += journalLine(record, run.about.seconds);
    }
    writeFileWhole(folder / kJournalName, text, Surviving::theNew);
}

}  // namespace threefold
