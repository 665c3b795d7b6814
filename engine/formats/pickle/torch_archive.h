#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "engine/formats/bytes/zip_archive.h"
#include "engine/formats/pickle/pickle.h"
#include "engine/formats/tensors/array.h"

namespace threefold {

/// Reads files of torch.save (`.pt`, `.pth`): a zip file of a pickle and of the storages that its
/// tensors view. Safe for untrusted bytes: accepts the closed subset of pickle.h and the names of
/// torch in pickle_callables.cpp, never runs anything; memory stays within 16 × the file's size +
/// 64 MB.
class TorchArchive {
  public:
    /// `bytes` must outlive the archive. Throws NotThisFormat; FormatError if the file is damaged
    /// or names another callable, and for a TorchScript program or PyTorch's format before 1.6,
    /// with the remedy.
    TorchArchive(std::span<const std::byte> bytes, const std::filesystem::path& subject);

    /// All tensors by the keys that lead to them, joined by dots:
    /// "state_dict.module.cnn.conv1.weight". Items of lists are numbered from 0.
    const std::map<std::string, PickleTensor>& tensors() const { return tensors_; }

    /// Reads a tensor, with any strides, to C order. Throws FormatError if its storage is missing,
    /// short or damaged, or its type is not numeric. `name` must be one of tensors(). Each call
    /// takes from the archive's memory budget: reading a tensor again may be refused (FormatError).
    Array read(const std::string& name);

  private:
    std::span<const std::byte> storage(const std::string& key);

    std::optional<ZipArchive> zip_;
    std::string folder_;  ///< in the archive, with a slash at the end
    bool isBigEndian_ = false;
    std::map<std::string, PickleTensor> tensors_;
    std::size_t tensorBudget_;    ///< bytes that tensors may still take
    std::uint64_t unpackBudget_;  ///< bytes of storages that may still be unpacked
    std::string loadedName_;      ///< entry of the storage that was unpacked last
    std::vector<std::byte> loadedStorage_;
};

}  // namespace threefold
