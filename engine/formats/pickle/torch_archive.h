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

/// What torch.save writes (`.pt`, `.pth`): a zip file of a pickle and of the storages that its
/// tensors look into. Safe for untrusted bytes: the pickle is the closed subset of pickle.h and six
/// names of torch, nothing is ever run; memory stays within 16 × the file's size + 64 MB.
class TorchArchive {
  public:
    /// `bytes` must outlive the archive. Throws NotThisFormat, FormatError (damaged; names another
    /// callable; PyTorch's format before 1.6 and TorchScript, with the remedy).
    TorchArchive(std::span<const std::byte> bytes, const std::filesystem::path& subject);

    /// Every tensor by the keys that lead to it, joined by dots:
    /// "state_dict.module.cnn.conv1.weight". Items of lists are numbered from 0.
    const std::map<std::string, PickleTensor>& tensors() const { return tensors_; }

    /// The tensor in C order, for any strides. Throws FormatError where its storage is missing,
    /// short or damaged.
    Array read(const std::string& name);

  private:
    std::span<const std::byte> storage(const std::string& key);

    std::optional<ZipArchive> zip_;
    std::string folder_;  ///< in the archive, with its slash
    bool bigEndian_ = false;
    std::map<std::string, PickleTensor> tensors_;
    std::size_t budget_;
    std::string loadedKey_;  ///< the storage that was unpacked last
    std::vector<std::byte> loaded_;
};

}  // namespace threefold
