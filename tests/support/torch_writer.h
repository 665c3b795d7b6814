#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/tensors/array.h"
#include "tests/support/pickle_writer.h"
#include "tests/support/zip_writer.h"

/// Functions that write PyTorch's archives. Tests damage these archives.
namespace threefold::test {

inline std::string extents(const std::vector<std::size_t>& values) {
    std::vector<std::string> items;
    for (const std::size_t value : values)
        items.push_back(value >> 31U == 0 ? pickle::integer(static_cast<std::int32_t>(value))
                                          : std::string("\x8a\x08") +
                                                std::string(reinterpret_cast<const char*>(&value),
                                                            sizeof(value)));
    return pickle::tuple(items);
}

/// Fields of a tensor in the pickle that torch.save writes.
struct TorchTensor {
    std::string key = "0";
    std::string type = "FloatStorage";
    std::size_t count = 6;
    std::size_t offset = 0;
    std::vector<std::size_t> shape = {2, 3};
    std::vector<std::size_t> strides = {3, 1};
};

inline std::string pickled(const TorchTensor& tensor) {
    const std::string storage =
        pickle::tuple({pickle::text("storage"), "ctorch\n" + tensor.type + "\n",
                       pickle::text(tensor.key), pickle::text("cpu"),
                       pickle::integer(static_cast<std::int32_t>(tensor.count))}) +
        "Q";
    return "ctorch._utils\n_rebuild_tensor_v2\n" +
           pickle::tuple({storage, pickle::integer(static_cast<std::int32_t>(tensor.offset)),
                          extents(tensor.shape), extents(tensor.strides), "\x89",
                          "ccollections\nOrderedDict\n)R"}) +
           "R";
}

/// A PyTorch archive with one pickled value and with storages (key, content).
inline std::string torchArchive(const std::string& value,
                                const std::vector<std::pair<std::string, std::string>>& storages,
                                bool deflated = false, const std::string& order = "little") {
    std::vector<std::pair<std::string, std::string>> entries = {
        {"archive/data.pkl", pickle::pickled(value)}, {"archive/byteorder", order}};
    for (const auto& [key, content] : storages)
        entries.emplace_back("archive/data/" + key, content);
    entries.emplace_back("archive/version", "3\n");
    return zipped(entries, deflated);
}

/// A PyTorch archive of a state_dict, as torch.save() writes it.
inline std::string torchArchive(const ArrayMap& arrays) {
    std::vector<std::pair<std::string, std::string>> items, storages;
    for (const auto& [name, array] : arrays) {
        TorchTensor tensor;
        tensor.key = std::to_string(storages.size());
        tensor.type = array.dtype == DType::f16 ? "HalfStorage" : "FloatStorage";
        tensor.shape = array.shape;
        tensor.count = elementCount(array);
        tensor.strides.assign(array.shape.size(), 1);
        for (std::size_t axis = array.shape.size(); axis-- > 1;)
            tensor.strides[axis - 1] = tensor.strides[axis] * array.shape[axis];
        storages.emplace_back(tensor.key, std::string(asText(array.data)));
        items.emplace_back(name, pickled(tensor));
    }
    return torchArchive(pickle::dict(items), storages);
}

}  // namespace threefold::test
