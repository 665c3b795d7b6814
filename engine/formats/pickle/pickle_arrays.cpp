#include <array>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "engine/formats/pickle/pickle_graph.h"

namespace threefold::pickle {
namespace {

using Arguments = std::span<const NodeId>;

NumpyType typeOf(Graph& graph, NodeId id) {
    const ElementType* element = graph.as<ElementType>(id);
    if (element == nullptr) graph.fail("an array without an element type");
    if (!element->type)
        graph.fail(fmt::format("an array of the type '{}', which is not read: only numbers are",
                               element->name),
                   "Save it as numbers: array.astype('float32').");
    return *element->type;
}

std::unique_ptr<Array> arrayOf(Graph& graph, const NumpyLayout& layout, NodeId content) {
    const std::optional<std::string_view> bytes = graph.characters(content);
    if (!bytes) graph.fail("an array whose content is not bytes");
    graph.charge(bytes->size());
    std::optional<Array> array = arrayFromNumpy(layout, asBytes(*bytes));
    if (!array)
        graph.fail(fmt::format("an array's shape {} of {} does not fit its {} bytes",
                               shapeText(layout.shape), dtypeName(layout.type.dtype),
                               bytes->size()));
    return std::make_unique<Array>(std::move(*array));
}

NumpyLayout layoutOf(NumpyType type, std::vector<std::size_t> shape, bool fortran) {
    return fortran ? NumpyLayout::fortranOrder(type, std::move(shape))
                   : NumpyLayout::cOrder(type, std::move(shape));
}

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

NodeId ndarray(Graph& graph, Arguments) {
    failUncalled(graph, ndarray);
}

/// (class, (0,), b'b'): an array that gets its content from the state that follows.
NodeId numpyReconstruct(Graph& graph, Arguments arguments) {
    const Callable* type = arguments.empty() ? nullptr : graph.as<Callable>(arguments[0]);
    if (type == nullptr || *type != ndarray)
        graph.fail("numpy's _reconstruct of something that is not an ndarray");
    return graph.add(std::make_unique<Array>(Array{DType::i8, {0}, {}}));
}

/// (dtype, bytes)
NodeId numpyScalar(Graph& graph, Arguments arguments) {
    if (arguments.size() != 2) graph.fail("a numpy scalar without type and value");
    const NumpyType type = typeOf(graph, arguments[0]);
    return graph.add(arrayOf(graph, NumpyLayout::cOrder(type, {}), arguments[1]));
}

/// (bytes, dtype, shape, order[, axes]): protocol 5's arrays. Order K means that the bytes are in
/// C order of `shape`, whose axes are then taken in the order `axes`.
NodeId numpyFromBuffer(Graph& graph, Arguments arguments) {
    if (arguments.size() != 4 && arguments.size() != 5)
        graph.fail("an array of protocol 5 without bytes, type, shape and order");
    const NumpyType type = typeOf(graph, arguments[1]);
    const std::vector<std::size_t> stored = shapeOf(graph, arguments[2]);
    const std::string_view order = graph.characters(arguments[3]).value_or("");
    if (order == "C" || order == "F")
        return graph.add(arrayOf(graph, layoutOf(type, stored, order == "F"), arguments[0]));
    if (order != "K" || arguments.size() != 5) graph.fail("an array in an unknown order");

    const std::vector<std::size_t> axes = shapeOf(graph, arguments[4]);
    NumpyLayout layout{type, std::vector<std::size_t>(stored.size()), {}};
    layout.axes.assign(stored.size(), stored.size());
    if (axes.size() != stored.size()) graph.fail("an array with too many or too few axes");
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (axes[i] >= stored.size() || layout.axes[axes[i]] != stored.size())
            graph.fail("an array whose order of axes is not a permutation");
        layout.shape[i] = stored[axes[i]];
        layout.axes[axes[i]] = i;
    }
    return graph.add(arrayOf(graph, layout, arguments[0]));
}

/// (name, align, copy)
NodeId dtype(Graph& graph, Arguments arguments) {
    const auto name = arguments.empty() ? std::nullopt : graph.characters(arguments[0]);
    if (!name) graph.fail("a numpy dtype without a name");
    return graph.add(ElementType{*name, parseNumpyType(*name)});
}

/// (version, shape, dtype, is Fortran order, content); the oldest files have no version.
void buildArray(Graph& graph, NodeId target, NodeId state) {
    Arguments parts = itemsOf(graph, state, "an array's shape, type and content");
    if (parts.size() == 5) parts = parts.subspan(1);
    if (parts.size() != 4) graph.fail("an array without shape, type, order and content");
    const NumpyType type = typeOf(graph, parts[1]);
    const bool* flag = graph.as<bool>(parts[2]);
    const auto* number = graph.as<std::int64_t>(parts[2]);
    if (flag == nullptr && number == nullptr) graph.fail("an array whose order is not a flag");
    const bool fortran = flag != nullptr ? *flag : *number != 0;
    graph[target] = arrayOf(graph, layoutOf(type, shapeOf(graph, parts[0]), fortran), parts[3]);
}

/// (version, byte order, …): what follows only records and dates use.
void buildElementType(Graph& graph, NodeId target, NodeId state) {
    const Arguments parts = itemsOf(graph, state, "a numpy dtype's properties");
    const std::string_view order = parts.size() < 2 ? "" : graph.characters(parts[1]).value_or("");
    if (order != "<" && order != ">" && order != "|" && order != "=")
        graph.fail("a numpy dtype without a byte order");
    ElementType& element = *graph.as<ElementType>(target);
    if (element.type && order == ">") {
        element.type->bigEndian = true;
        element.name = graph.keep(fmt::format(">{}", element.name));
    }
}

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
