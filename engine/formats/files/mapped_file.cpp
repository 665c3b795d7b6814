#include "engine/formats/files/mapped_file.h"

#include <cerrno>
#include <utility>

#include <sys/mman.h>

#include "engine/error.h"
#include "engine/formats/files/file_descriptor.h"

namespace threefold {

MappedFile::MappedFile(const std::filesystem::path& file) : file_(file) {
    const ReadableFile open = openForReading(file);
    if (open.size == 0) return;
    void* address = ::mmap(nullptr, open.size, PROT_READ, MAP_PRIVATE, open.descriptor.get(), 0);
    if (address == MAP_FAILED)
        throwIoError(file, "cannot be mapped", errno, "Copy it to a local disk and try again.");
    bytes_ = {static_cast<const std::byte*>(address), static_cast<std::size_t>(open.size)};
    guard_ = MappingGuard(bytes_);
}

void MappedFile::requireUndamaged() const {
    if (guard_.isDamaged())
        throw IoError({file_.string(), "",
                       "was truncated while it was read, or its disk cannot be read",
                       "Read it again once it is written."});
}

MappedFile::~MappedFile() {
    guard_ = {};
    if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : file_(std::move(other.file_)),
      bytes_(std::exchange(other.bytes_, {})),
      guard_(std::move(other.guard_)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(bytes_, other.bytes_);
    std::swap(guard_, other.guard_);
    return *this;
}

}  // namespace threefold
