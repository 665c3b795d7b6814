#include "engine/formats/pickle/pickle_callables.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/pickle/pickle_text.h"

namespace threefold::pickle {
namespace {

using Arguments = std::span<const NodeId>;

NumpyType typeOf(Graph& graph, NodeId id) {
    const ElementType* element = graph.as<ElementType>(id);
    if (element == nullptr) graph.fail("an array without an element type");
    if (!element->type)
        graph.fail(
            fmt::format("an array of the type '{}', which is not supported: only numbers are",
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

struct NamedType {
    std::string_view name;
    std::optional<DType> dtype;
};

/// Types of storages and elements. Types without a dtype cannot be read, but files that contain
/// them can be listed.
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

/// Attributes of a scipy matrix, by name.
class Attributes {
  public:
    Attributes(Graph& graph, NodeId state) : graph_(graph) {
        // Classes with slots store (dictionary, slots).
        if (const Sequence* pair = graph.as<Sequence>(state); pair && !pair->items.empty())
            state = pair->items[0];
        dict_ = graph.as<Dict>(state);
        if (dict_ == nullptr) graph.fail("a sparse matrix without attributes");
    }

    std::optional<NodeId> find(std::string_view name) {
        for (auto item = dict_->items.rbegin(); item != dict_->items.rend(); ++item)
            if (graph_.characters(item->first) == name) return item->second;
        return std::nullopt;
    }
    NodeId require(std::string_view name) {
        const std::optional<NodeId> value = find(name);
        if (!value) graph_.fail(fmt::format("a sparse matrix without '{}'", name));
        return *value;
    }

  private:
    Graph& graph_;
    const Dict* dict_;
};

const Array& vectorOf(Graph& graph, NodeId id) {
    const auto* array = graph.as<std::unique_ptr<Array>>(id);
    if (array == nullptr || (*array)->shape.size() != 1)
        graph.fail("a sparse matrix whose entries are not in one-dimensional arrays");
    return **array;
}

std::vector<std::int64_t> indicesOf(Graph& graph, NodeId id, std::size_t end) {
    const Array& array = vectorOf(graph, id);
    graph.charge(elementCount(array) * sizeof(std::int64_t));
    std::vector<std::int64_t> indices;
    try {
        indices = array.toInt64();
    } catch (const InputError& error) {
        graph.fail("a sparse matrix's indices: " + error.report().problem);
    }
    for (const std::int64_t index : indices)
        if (index < 0 || static_cast<std::uint64_t>(index) >= end)
            graph.fail(
                fmt::format("a sparse matrix with index {}, expected less than {}", index, end));
    return indices;
}

/// Returns the line of each used entry: its row for csr, its column for csc. `count` entries are
/// stored.
std::vector<std::int64_t> linesOf(Graph& graph, NodeId starts, std::size_t lines,
                                  std::size_t count) {
    const std::vector<std::int64_t> lineStarts = indicesOf(graph, starts, count + 1);
    if (lineStarts.size() != lines + 1 || lineStarts.front() != 0 ||
        !std::ranges::is_sorted(lineStarts))
        graph.fail(
            "a sparse matrix whose indptr does not rise from 0, with one value per row or column");
    graph.charge(count * sizeof(std::int64_t));
    std::vector<std::int64_t> lineOfEntry;
    lineOfEntry.reserve(count);
    for (std::size_t i = 0; i < lines; ++i)
        lineOfEntry.insert(lineOfEntry.end(),
                           static_cast<std::size_t>(lineStarts[i + 1] - lineStarts[i]),
                           static_cast<std::int64_t>(i));
    return lineOfEntry;
}

void readCoordinates(Graph& graph, Attributes& attributes, PickleSparse& sparse) {
    NodeId row, column;
    if (const std::optional<NodeId> coordinates = attributes.find("coords")) {
        const auto pair = itemsOf(graph, *coordinates, "a sparse matrix's coordinates");
        if (pair.size() != 2) graph.fail("a sparse array that does not have two axes");
        row = pair[0], column = pair[1];
    } else {
        row = attributes.require("row"), column = attributes.require("col");
    }
    sparse.rows = indicesOf(graph, row, sparse.rowCount);
    sparse.columns = indicesOf(graph, column, sparse.columnCount);
}

void readCompressed(Graph& graph, Attributes& attributes, bool byRow, PickleSparse& sparse) {
    const std::size_t lines = byRow ? sparse.rowCount : sparse.columnCount;
    const std::size_t extent = byRow ? sparse.columnCount : sparse.rowCount;
    std::vector<std::int64_t> indices = indicesOf(graph, attributes.require("indices"), extent);
    std::vector<std::int64_t> line =
        linesOf(graph, attributes.require("indptr"), lines, indices.size());
    indices.resize(line.size());  // scipy may reserve more entries than it uses
    sparse.values.resize(std::min(sparse.values.size(), line.size()));
    if (!byRow) line.swap(indices);
    sparse.rows = std::move(line);
    sparse.columns = std::move(indices);
}

NodeId ndarray(Graph& graph, Arguments) {
    failUnexpectedCall(graph, ndarray);
}

/// Arguments: (class, (0,), b'b'). Makes an empty array; the state that follows sets its content.
NodeId numpyReconstruct(Graph& graph, Arguments arguments) {
    const Callable* type = arguments.empty() ? nullptr : graph.as<Callable>(arguments[0]);
    if (type == nullptr || *type != ndarray)
        graph.fail("numpy's _reconstruct of something that is not an ndarray");
    return graph.add(std::make_unique<Array>(Array{DType::i8, {0}, {}}));
}

/// Arguments: (dtype, bytes).
NodeId numpyScalar(Graph& graph, Arguments arguments) {
    if (arguments.size() != 2) graph.fail("a numpy scalar without type and value");
    const NumpyType type = typeOf(graph, arguments[0]);
    return graph.add(arrayOf(graph, NumpyLayout::of(type, {}), arguments[1]));
}

/// Arguments: (bytes, dtype, shape, order[, axes]). Makes an array of protocol 5. Order K: the
/// bytes are in C order of `shape`, whose axes are then permuted by `axes`.
NodeId numpyFromBuffer(Graph& graph, Arguments arguments) {
    if (arguments.size() != 4 && arguments.size() != 5)
        graph.fail("an array of protocol 5 without bytes, type, shape and order");
    const NumpyType type = typeOf(graph, arguments[1]);
    const std::vector<std::size_t> stored = shapeOf(graph, arguments[2]);
    const std::string_view order = graph.characters(arguments[3]).value_or("");
    if (order == "C" || order == "F")
        return graph.add(arrayOf(graph, NumpyLayout::of(type, stored, order == "F"), arguments[0]));
    if (order != "K" || arguments.size() != 5) graph.fail("an array in an unknown order");

    const std::vector<std::size_t> axes = shapeOf(graph, arguments[4]);
    NumpyLayout layout{type, std::vector<std::size_t>(stored.size()), {}};
    layout.axisOrder.assign(stored.size(), stored.size());
    if (axes.size() != stored.size()) graph.fail("an array with too many or too few axes");
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (axes[i] >= stored.size() || layout.axisOrder[axes[i]] != stored.size())
            graph.fail("an array whose order of axes is not a permutation");
        layout.shape[i] = stored[axes[i]];
        layout.axisOrder[axes[i]] = i;
    }
    return graph.add(arrayOf(graph, layout, arguments[0]));
}

/// Arguments: (name, align, copy).
NodeId dtype(Graph& graph, Arguments arguments) {
    const auto name = arguments.empty() ? std::nullopt : graph.characters(arguments[0]);
    if (!name) graph.fail("a numpy dtype without a name");
    return graph.add(ElementType{*name, parseNumpyType(*name)});
}

/// State: (version, shape, dtype, is Fortran order, content). The oldest files have no version.
void buildArray(Graph& graph, NodeId target, NodeId state) {
    Arguments fields = itemsOf(graph, state, "an array's shape, type and content");
    if (fields.size() == 5) fields = fields.subspan(1);
    if (fields.size() != 4) graph.fail("an array without shape, type, order and content");
    const NumpyType type = typeOf(graph, fields[1]);
    const bool* flag = graph.as<bool>(fields[2]);
    const auto* number = graph.as<std::int64_t>(fields[2]);
    if (flag == nullptr && number == nullptr) graph.fail("an array whose order is not a flag");
    const bool fortran = flag != nullptr ? *flag : *number != 0;
    const auto layout = NumpyLayout::of(type, shapeOf(graph, fields[0]), fortran);
    graph[target] = arrayOf(graph, layout, fields[3]);
}

/// State: (version, byte order, …). Only records and dates use the rest.
void buildElementType(Graph& graph, NodeId target, NodeId state) {
    const Arguments fields = itemsOf(graph, state, "a numpy dtype's properties");
    const std::string_view order =
        fields.size() < 2 ? "" : graph.characters(fields[1]).value_or("");
    if (order != "<" && order != ">" && order != "|" && order != "=")
        graph.fail("a numpy dtype without a byte order");
    ElementType& element = *graph.as<ElementType>(target);
    if (element.type && order == ">") {
        element.type->isBigEndian = true;
        element.name = graph.keep(fmt::format(">{}", element.name));
    }
}

/// Arguments: (storage, offset, shape, strides, …). Only training needs the rest.
NodeId torchTensor(Graph& graph, Arguments arguments) {
    const Storage* storage = arguments.size() < 4 ? nullptr : graph.as<Storage>(arguments[0]);
    if (storage == nullptr) graph.fail("a tensor without storage, offset, shape and strides");
    const ElementType& type = *graph.as<ElementType>(storage->type);
    auto tensor = std::make_unique<PickleTensor>();
    tensor->storageKey = storage->key;
    tensor->storageType = type.name;
    if (type.type) tensor->dtype = type.type->dtype;
    tensor->storageElementCount = storage->count;
    tensor->offset = countOf(graph, arguments[1], "a tensor's offset");
    tensor->shape = shapeOf(graph, arguments[2]);
    tensor->strides = shapeOf(graph, arguments[3]);
    if (tensor->shape.size() != tensor->strides.size())
        graph.fail(fmt::format("a tensor of {} axes with {} strides", tensor->shape.size(),
                               tensor->strides.size()));
    graph.charge(sizeof(PickleTensor) + tensor->storageKey.size() + tensor->storageType.size() +
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

NodeId coo(Graph& graph, std::span<const NodeId>) {
    return graph.add(UnbuiltSparse{coo});
}

NodeId csr(Graph& graph, std::span<const NodeId>) {
    return graph.add(UnbuiltSparse{csr});
}

NodeId csc(Graph& graph, std::span<const NodeId>) {
    return graph.add(UnbuiltSparse{csc});
}

void buildSparse(Graph& graph, NodeId target, NodeId state) {
    const Callable format = graph.as<UnbuiltSparse>(target)->format;
    Attributes attributes(graph, state);
    const std::optional<NodeId> oldShape = attributes.find("shape");
    const std::vector<std::size_t> shape =
        shapeOf(graph, oldShape ? *oldShape : attributes.require("_shape"));
    if (shape.size() != 2) graph.fail("a sparse array that does not have two axes");

    auto sparse = std::make_unique<PickleSparse>();
    sparse->rowCount = shape[0];
    sparse->columnCount = shape[1];
    const Array& values = vectorOf(graph, attributes.require("data"));
    graph.charge(elementCount(values) * sizeof(double));
    sparse->values = values.toDouble();
    if (format == coo)
        readCoordinates(graph, attributes, *sparse);
    else
        readCompressed(graph, attributes, format == csr, *sparse);
    if (sparse->rows.size() != sparse->columns.size() ||
        sparse->rows.size() != sparse->values.size())
        graph.fail("a sparse matrix with unequal numbers of rows, columns and values");
    graph[target] = std::move(sparse);
}

NodeId encodeLatin1(Graph& graph, Arguments arguments) {
    const Text* text = arguments.size() == 2 ? graph.as<Text>(arguments[0]) : nullptr;
    if (text == nullptr) graph.fail("_codecs.encode without a text and an encoding");
    const std::string_view encoding = graph.characters(arguments[1]).value_or("");
    if (encoding != "latin1" && encoding != "latin-1")
        graph.fail("_codecs.encode with an encoding other than latin1");
    std::optional<std::string> bytes = latin1FromUtf8(text->utf8);
    if (!bytes) graph.fail("a text that is to be bytes, but has characters beyond latin1");
    return graph.add(Bytes{graph.keep(std::move(*bytes))});
}

NodeId makeBytes(Graph& graph, Arguments arguments) {
    if (arguments.empty()) return graph.add(Bytes{});
    if (arguments.size() == 2) return encodeLatin1(graph, arguments);
    const Bytes* bytes = graph.as<Bytes>(arguments[0]);
    if (bytes == nullptr || arguments.size() != 1) graph.fail("bytes made of something else");
    return graph.add(Bytes{*bytes});
}

NodeId makeByteArray(Graph& graph, Arguments arguments) {
    return makeBytes(graph, arguments);
}

NodeId makeSet(Graph& graph, Arguments arguments) {
    if (arguments.empty()) return graph.add(Sequence{{}, true});
    const auto items = itemsOf(graph, arguments[0], "the items of a set");
    graph.charge(items.size_bytes());
    return graph.add(Sequence{{items.begin(), items.end()}, true});
}

NodeId makeOrderedDict(Graph& graph, Arguments arguments) {
    Dict dict;
    if (!arguments.empty()) {
        const auto pairs = itemsOf(graph, arguments[0], "the items of an OrderedDict");
        graph.charge(pairs.size() * sizeof(Dict::items[0]));
        for (const NodeId pair : pairs) {
            const auto item = itemsOf(graph, pair, "an item of an OrderedDict");
            if (item.size() != 2) graph.fail("an item of an OrderedDict that is not a pair");
            dict.items.emplace_back(item[0], item[1]);
        }
    }
    return graph.add(std::move(dict));
}

NodeId object(Graph& graph, Arguments) {
    failUnexpectedCall(graph, object);
}

/// Arguments: (class, object, None). Makes an object, in protocols 0 and 1.
NodeId reconstruct(Graph& graph, Arguments arguments) {
    const Callable* type = arguments.size() == 3 ? graph.as<Callable>(arguments[0]) : nullptr;
    if (type == nullptr) graph.fail("copyreg._reconstructor without a class");
    return (*type)(graph, {});
}

struct Entry {
    std::string_view module, name;
    Callable callable;
};

/// The allowlist: any other name is refused. Modules moved over the years, and old files keep the
/// old names.
constexpr Entry kEntries[] = {
    {"builtins", "bytes", makeBytes},
    {"__builtin__", "bytes", makeBytes},
    {"builtins", "bytearray", makeByteArray},
    {"__builtin__", "bytearray", makeByteArray},
    {"builtins", "set", makeSet},
    {"__builtin__", "set", makeSet},
    {"builtins", "frozenset", makeSet},
    {"__builtin__", "frozenset", makeSet},
    {"builtins", "object", object},
    {"__builtin__", "object", object},
    {"collections", "OrderedDict", makeOrderedDict},
    {"_codecs", "encode", encodeLatin1},
    {"copyreg", "_reconstructor", reconstruct},
    {"copy_reg", "_reconstructor", reconstruct},
    {"numpy.core.multiarray", "_reconstruct", numpyReconstruct},
    {"numpy._core.multiarray", "_reconstruct", numpyReconstruct},
    {"numpy.core.multiarray", "scalar", numpyScalar},
    {"numpy._core.multiarray", "scalar", numpyScalar},
    {"numpy.core.numeric", "_frombuffer", numpyFromBuffer},
    {"numpy._core.numeric", "_frombuffer", numpyFromBuffer},
    {"numpy", "ndarray", ndarray},
    {"numpy", "dtype", dtype},
    {"scipy.sparse._coo", "coo_matrix", coo},
    {"scipy.sparse.coo", "coo_matrix", coo},
    {"scipy.sparse._coo", "coo_array", coo},
    {"scipy.sparse._csr", "csr_matrix", csr},
    {"scipy.sparse.csr", "csr_matrix", csr},
    {"scipy.sparse._csr", "csr_array", csr},
    {"scipy.sparse._csc", "csc_matrix", csc},
    {"scipy.sparse.csc", "csc_matrix", csc},
    {"scipy.sparse._csc", "csc_array", csc},
    // Names that only PyTorch's archives may use.
    {"torch._utils", "_rebuild_tensor_v2", torchTensor},
    {"torch._utils", "_rebuild_tensor", torchTensor},
    {"torch._utils", "_rebuild_parameter", torchParameter},
    {"torch", "Size", torchSize},
};

}  // namespace

std::optional<Callable> findCallable(std::string_view module, std::string_view name,
                                     Dialect dialect) {
    if (dialect == Dialect::plain && module.starts_with("torch")) return std::nullopt;
    for (const Entry& entry : kEntries)
        if (entry.module == module && entry.name == name) return entry.callable;
    return std::nullopt;
}

std::string callableName(Callable callable) {
    const auto* entry = std::ranges::find(kEntries, callable, &Entry::callable);
    return fmt::format("{}.{}", entry->module, entry->name);
}

void failUnexpectedCall(Graph& graph, Callable callable) {
    graph.fail(fmt::format("calls '{}', which no known writer does", callableName(callable)));
}

void setState(Graph& graph, NodeId target, NodeId state) {
    if (graph.as<std::unique_ptr<Array>>(target)) return buildArray(graph, target, state);
    if (graph.as<ElementType>(target)) return buildElementType(graph, target, state);
    if (graph.as<UnbuiltSparse>(target)) return buildSparse(graph, target, state);
    // Attributes of an OrderedDict, such as the versions in a PyTorch state dictionary, are not
    // needed.
    if (graph.as<Dict>(target) && graph.as<Dict>(state)) return;
    graph.fail("sets the state of a value that has none");
}

std::span<const NodeId> itemsOf(Graph& graph, NodeId sequence, std::string_view name) {
    const Sequence* node = graph.as<Sequence>(sequence);
    if (node == nullptr) graph.fail(fmt::format("{} are not in a list or tuple", name));
    return node->items;
}

std::size_t countOf(Graph& graph, NodeId integer, std::string_view name) {
    const auto* value = graph.as<std::int64_t>(integer);
    if (value == nullptr || *value < 0) graph.fail(fmt::format("{} is not a natural number", name));
    return static_cast<std::size_t>(*value);
}

std::vector<std::size_t> shapeOf(Graph& graph, NodeId sequence) {
    constexpr std::size_t kMaxAxes = 64;
    const auto items = itemsOf(graph, sequence, "an array's extents");
    if (items.size() > kMaxAxes) graph.fail("an array of more than 64 axes");
    std::vector<std::size_t> shape;
    for (const NodeId item : items) shape.push_back(countOf(graph, item, "an array's extent"));
    return shape;
}

std::optional<ElementType> findTorchType(std::string_view module, std::string_view name) {
    if (module != "torch" && module != "torch.cuda") return std::nullopt;
    for (const NamedType& type : kTypes) {
        if (type.name != name) continue;
        ElementType result{type.name, {}};
        if (type.dtype) result.type = NumpyType{*type.dtype};
        return result;
    }
    return std::nullopt;
}

/// Persistent id: ('storage', type, key, device, number of elements).
NodeId torchStorage(Graph& graph, NodeId persistentId) {
    const Arguments fields = itemsOf(graph, persistentId, "the parts of a storage's id");
    if (fields.size() < 5 || graph.characters(fields[0]) != "storage")
        graph.fail("a persistent id that is not a storage's");
    const auto key = graph.characters(fields[2]);
    if (!graph.as<ElementType>(fields[1]) || !key) graph.fail("a storage without type and key");
    return graph.add(Storage{fields[1], *key, countOf(graph, fields[4], "a storage's size")});
}

}  // namespace threefold::pickle
