#include <array>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "engine/formats/pickle/pickle_graph.h"

namespace threefold::pickle {
namespace {

using Arguments = std::span<const NodeId>;

struct NamedType {
    std::string_view name;
    std::optional<DType> dtype;
};

/// Those without a dtype are known by name, so that a file that holds one can be looked at.
constexpr std::array<NamedType, 27> kTypes = {{
    {"DoubleStorage", DType::f64},
    {"FloatStorage", DType::f32},
    {"HalfStorage", DType::f16},
    {"BFloat16Storage", DType::bf16},
    {"LongStorage", DType::i64},
    {"IntStorage", DType::i32},
    {"ShortStorage", DType::i16},
    {"CharStorage", DType::i8},
    {"ByteStorage", DType::u8},
    {"BoolStorage", DType::boolean},
    {"ComplexFloatStorage", std::nullopt},
    {"ComplexDoubleStorage", std::nullopt},
    {"QInt8Storage", std::nullopt},
    {"QUInt8Storage", std::nullopt},
    {"QInt32Storage", std::nullopt},
    {"float16", DType::f16},
    {"bfloat16", DType::bf16},
    {"float32", DType::f32},
    {"float64", DType::f64},
    {"int8", DType::i8},
    {"int16", DType::i16},
    {"int32", DType::i32},
    {"int64", DType::i64},
    {"uint8", DType::u8},
    {"bool", DType::boolean},
    {"complex64", std::nullopt},
    {"complex128", std::nullopt},
}};

}  // namespace

std::optional<ElementType> findTorchType(std::string_view module, std::string_view name) {
    if (module != "torch" && module != "torch.cuda") return std::nullopt;
    for (const NamedType& type : kTypes) {
        if (type.name != name) continue;
        ElementType found{type.name, {}};
        if (type.dtype) found.type = NumpyType{*type.dtype};
        return found;
    }
    return std::nullopt;
}

/// ('storage', type, key, device, number of elements)
NodeId torchStorage(Graph& graph, NodeId persistentId) {
    const Arguments parts = itemsOf(graph, persistentId, "the parts of a storage's id");
    if (parts.size() < 5 || graph.characters(parts[0]) != "storage")
        graph.fail("a persistent id that is not a storage's");
    const auto key = graph.characters(parts[2]);
    if (!graph.as<ElementType>(parts[1]) || !key) graph.fail("a storage without type and key");
    return graph.add(Storage{parts[1], *key, extentOf(graph, parts[4])});
}

/// (storage, offset, shape, strides, and what only training needs)
NodeId torchTensor(Graph& graph, Arguments arguments) {
    const Storage* storage = arguments.size() < 4 ? nullptr : graph.as<Storage>(arguments[0]);
    if (storage == nullptr) graph.fail("a tensor without storage, offset, shape and strides");
    const ElementType& type = *graph.as<ElementType>(storage->type);
    auto tensor = std::make_unique<PickleTensor>();
    tensor->storage = storage->key;
    tensor->storageType = type.name;
    if (type.type) tensor->dtype = type.type->dtype;
    tensor->storageCount = storage->count;
    tensor->offset = extentOf(graph, arguments[1]);
    tensor->shape = shapeOf(graph, arguments[2]);
    tensor->strides = shapeOf(graph, arguments[3]);
    if (tensor->shape.size() != tensor->strides.size())
        graph.fail(fmt::format("a tensor of {} axes with {} strides", tensor->shape.size(),
                               tensor->strides.size()));
    graph.charge(sizeof(PickleTensor) + tensor->storage.size() + tensor->storageType.size() +
                 4 * tensor->shape.size() * sizeof(std::size_t));
    return graph.add(std::move(tensor));
}

NodeId torchParameter(Graph& graph, Arguments arguments) {
    if (arguments.empty()) graph.fail(callableName(torchParameter) + " of nothing");
    if (!graph.as<std::unique_ptr<PickleTensor>>(arguments[0]))
        graph.fail("a parameter that is not a tensor");
    return arguments[0];
}

NodeId torchSize(Graph& graph, Arguments arguments) {
    if (arguments.empty()) graph.fail(callableName(torchSize) + " of nothing");
    itemsOf(graph, arguments[0], "the extents of a torch.Size");
    return arguments[0];
}

}  // namespace threefold::pickle
