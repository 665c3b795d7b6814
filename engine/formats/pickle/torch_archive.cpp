#include "engine/formats/pickle/torch_archive.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"

namespace threefold {
namespace {

constexpr std::string_view kPickleName = "data.pkl";
/// Beginning of torch.save's files before 1.6: a pickle of the number 0x1950a86a20f9469cfc6c.
constexpr std::string_view kOldBeginning = "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";
/// Maximum length of a tensor's name; nested dictionaries with long keys would exceed it.
constexpr std::size_t kMaxNameLength = 1024;
/// Maximum number of values that are visited.
constexpr std::size_t kMaxValues = std::size_t{1} << 16;

void refuseOldFormat(std::string_view text, const std::filesystem::path& subject) {
    if (text.size() < 2 || text[0] != '\x80' || !text.substr(2).starts_with(kOldBeginning)) return;
    throw FormatError({subject.string(), "byte 0", "is in PyTorch's format from before version 1.6",
                       "Write it anew with a newer PyTorch: torch.save(torch.load(file), "
                       "new_file)."});
}

/// Names every tensor by its path from the root.
class TensorWalk {
  public:
    TensorWalk(const ZipArchive& zip, std::map<std::string, PickleTensor>& tensors)
        : zip_(zip), tensors_(tensors) {}

    void visit(const std::string& name, const PickleRef& value) {
        // A shared value may be visited many times: this limits the visits.
        if (++visited_ > kMaxValues)
            zip_.fail(kPickleName, fmt::format("holds more than {} values", kMaxValues));
        if (name.size() > kMaxNameLength)
            zip_.fail(kPickleName, "names a value by keys of more than 1024 characters");
        if (const auto* tensor = std::get_if<PickleTensor>(&value->value)) {
            if (!tensors_.emplace(name, *tensor).second)
                zip_.fail(kPickleName, fmt::format("has two tensors named '{}'", name));
        } else if (const auto* dict = std::get_if<PickleDict>(&value->value)) {
            for (const auto& [key, item] : dict->items)
                if (const auto text = keyText(*key)) visit(joined(name, *text), item);
        } else if (const auto* sequence = std::get_if<PickleSequence>(&value->value)) {
            for (std::size_t i = 0; i < sequence->items.size(); ++i)
                if (canHoldTensors(*sequence->items[i]))
                    visit(joined(name, fmt::format("{}", i)), sequence->items[i]);
        }
    }

  private:
    static bool canHoldTensors(const PickleValue& value) {
        return std::holds_alternative<PickleTensor>(value.value) ||
               std::holds_alternative<PickleDict>(value.value) ||
               std::holds_alternative<PickleSequence>(value.value);
    }
    static std::optional<std::string> keyText(const PickleValue& key) {
        if (const auto* text = std::get_if<std::string>(&key.value)) return *text;
        if (const auto* number = std::get_if<std::int64_t>(&key.value))
            return std::to_string(*number);
        return std::nullopt;
    }
    static std::string joined(const std::string& name, const std::string& key) {
        return name.empty() ? key : name + "." + key;
    }

    const ZipArchive& zip_;
    std::map<std::string, PickleTensor>& tensors_;
    std::size_t visited_ = 0;
};

/// Index after the last element that the tensor uses of its storage; nullopt if the index
/// overflows.
std::optional<std::size_t> endElement(const PickleTensor& tensor) {
    if (std::ranges::find(tensor.shape, 0U) != tensor.shape.end()) return tensor.offset;
    std::size_t last = tensor.offset;
    for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) {
        std::size_t step = 0;
        if (__builtin_mul_overflow(tensor.shape[axis] - 1, tensor.strides[axis], &step) ||
            __builtin_add_overflow(last, step, &last))
            return std::nullopt;
    }
    if (__builtin_add_overflow(last, std::size_t{1}, &last)) return std::nullopt;
    return last;
}

bool isContiguous(const PickleTensor& tensor) {
    std::size_t step = 1;
    for (std::size_t axis = tensor.shape.size(); axis-- > 0;) {
        if (tensor.shape[axis] != 1 && tensor.strides[axis] != step) return false;
        step *= tensor.shape[axis];
    }
    return true;
}

/// Maximum number of bytes that are unpacked, as a multiple of ZipArchive::contentLimit(). Only the
/// last storage is cached: tensors that alternate between two storages unpack both each time.
constexpr std::uint64_t kUnpackFactor = 4;

}  // namespace

TorchArchive::TorchArchive(std::span<const std::byte> bytes, const std::filesystem::path& subject)
    : tensorBudget_(ZipArchive::contentLimit(bytes.size())),
      unpackBudget_(kUnpackFactor * ZipArchive::contentLimit(bytes.size())) {
    refuseOldFormat(asText(bytes), subject);
    if (!looksLikeZip(bytes))
        throw NotThisFormat({subject.string(), "byte 0", "is not a PyTorch archive",
                             "Save it with torch.save(model.state_dict(), file)."});
    zip_.emplace(bytes, subject);
    const ZipArchive::Entry* pickle = nullptr;
    for (const ZipArchive::Entry& entry : zip_->entries()) {
        const std::size_t slash = entry.name.find('/');
        folder_ = slash == std::string::npos ? "" : entry.name.substr(0, slash + 1);
        if (entry.name != folder_ + std::string(kPickleName)) continue;
        pickle = &entry;
        break;
    }
    if (pickle == nullptr)
        throw NotThisFormat({subject.string(), "", "is a zip file without 'data.pkl'",
                             "Save it with torch.save(model.state_dict(), file)."});
    if (zip_->find(folder_ + "constants.pkl") != nullptr)
        throw FormatError({subject.string(), "entry 'constants.pkl'",
                           "is a TorchScript program, which is not run",
                           "Save the weights alone: torch.save(torch.jit.load(file).state_dict(), "
                           "new_file)."});
    if (const ZipArchive::Entry* order = zip_->find(folder_ + "byteorder"))
        isBigEndian_ = asText(zip_->readPrefix(*order, 3)) == "big";

    // A decoded pickle may take many times its size, so the pickle must not be a zip bomb itself.
    if (pickle->uncompressedSize > bytes.size())
        zip_->fail(pickle->name, fmt::format("unpacks to {} bytes, more than the whole file has",
                                             pickle->uncompressedSize));
    const std::vector<std::byte> program = zip_->read(*pickle);
    TensorWalk(*zip_, tensors_).visit("", decodeTorchPickle(program, subject / pickle->name));
}

std::span<const std::byte> TorchArchive::storage(const std::string& key) {
    const std::string name = folder_ + "data/" + key;
    if (loadedName_ == name) return loadedStorage_;
    const ZipArchive::Entry* entry = zip_->find(name);
    if (entry == nullptr) zip_->fail(name, "is missing, but tensors refer to it");
    if (entry->uncompressedSize > unpackBudget_)
        zip_->fail(name,
                   "would be unpacked repeatedly: consecutive tensors alternate between storages",
                   "Save it again with torch.save: each tensor gets a storage of its own.");
    unpackBudget_ -= entry->uncompressedSize;
    loadedName_.clear();
    loadedStorage_ = zip_->read(*entry);
    loadedName_ = name;
    return loadedStorage_;
}

Array TorchArchive::read(const std::string& name) {
    const PickleTensor& tensor = tensors_.at(name);
    const auto fail = [&](std::string problem, const char* remedy = "") {
        zip_->fail(kPickleName, fmt::format("the tensor '{}' {}", name, problem), remedy);
    };
    if (!tensor.dtype)
        fail(
            fmt::format("is of a {}, which is not supported: only numbers are", tensor.storageType),
            "Save it as numbers: tensor.float(), of quantized ones tensor.dequantize().");
    const std::optional<std::size_t> size = byteCount(*tensor.dtype, tensor.shape);
    // Storages may be shared and strides zero: the limit is on what all tensors take together.
    if (!size || *size > tensorBudget_)
        fail(fmt::format("has the shape {} of {}, more than is allowed for a file of this size",
                         shapeText(tensor.shape), dtypeName(*tensor.dtype)));
    const std::span<const std::byte> bytes = storage(tensor.storageKey);
    const std::size_t width = dtypeSize(*tensor.dtype);
    if (bytes.size() / width < tensor.storageElementCount)
        fail(fmt::format(
            "uses the storage '{}' of {} elements, but the archive holds only {} of them",
            tensor.storageKey, tensor.storageElementCount, bytes.size() / width));
    const std::optional<std::size_t> end = endElement(tensor);
    if (!end || *end > bytes.size() / width)
        fail(fmt::format("of shape {} reaches beyond the {} elements of its storage '{}'",
                         shapeText(tensor.shape), bytes.size() / width, tensor.storageKey));
    tensorBudget_ -= *size;

    Array array{*tensor.dtype, tensor.shape, {}};
    if (isContiguous(tensor)) {
        const auto content = bytes.subspan(tensor.offset * width, *size);
        array.data.assign(content.begin(), content.end());
    } else {
        array.data.resize(*size);
        gather(bytes, tensor.offset, tensor.strides, array);
    }
    if (isBigEndian_) swapByteOrder(array.data, width);
    return array;
}

}  // namespace threefold
