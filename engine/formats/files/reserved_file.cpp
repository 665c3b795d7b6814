#include "engine/formats/files/reserved_file.h"

#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "engine/error.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// Reserved files, each with its use.
struct Reservations {
    std::mutex mutex;
    std::map<fs::path, std::string> uses;  ///< by canonical path
};

/// The reservations of the process. Shared ownership: a reservation may be released after the
/// process has destroyed its static objects.
const std::shared_ptr<Reservations>& reservations() {
    static const auto all = std::make_shared<Reservations>();
    return all;
}

/// Path that is the same for all names of a file except hard links; the file may be missing.
fs::path canonicalPath(const fs::path& file) {
    std::error_code error;
    const fs::path path = fs::weakly_canonical(fs::absolute(file, error), error);
    return path.empty() ? file : path;
}

/// Throws UsageError if the file is reserved. The caller holds the lock of `all`.
void requireFree(const Reservations& all, const fs::path& file) {
    if (all.uses.empty()) return;
    const fs::path path = canonicalPath(file);
    for (const auto& [reserved, use] : all.uses) {
        std::error_code missing;
        if (path == reserved || fs::equivalent(path, reserved, missing))
            throw UsageError({file.string(), "", "is the file of " + use,
                              "Name another file for one of the two."});
    }
}

}  // namespace

struct ReservedFile::Entry {
    std::shared_ptr<Reservations> all;
    fs::path path;
};

ReservedFile::ReservedFile(const fs::path& file, std::string use) {
    if (file.empty()) return;
    auto entry = std::make_unique<Entry>(Entry{reservations(), canonicalPath(file)});
    const std::scoped_lock lock(entry->all->mutex);
    requireFree(*entry->all, file);
    entry->all->uses.emplace(entry->path, std::move(use));
    entry_ = std::move(entry);
}

ReservedFile::~ReservedFile() {
    release();
}

void ReservedFile::release() {
    if (!entry_) return;
    {
        const std::scoped_lock lock(entry_->all->mutex);
        entry_->all->uses.erase(entry_->path);
    }
    entry_.reset();
}

void requireUnreserved(const fs::path& file) {
    Reservations& all = *reservations();
    const std::scoped_lock lock(all.mutex);
    requireFree(all, file);
}

}  // namespace threefold
