#include "engine/formats/pickle/pickle_graph.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace threefold::pickle {
namespace {

using Arguments = std::span<const NodeId>;

constexpr std::size_t kBaseBudget = std::size_t{64} << 20;
constexpr std::size_t kBudgetPerByte = 16;
constexpr std::uint32_t kDeepest = 256;
constexpr std::int64_t kSharedIntegers = 256;
/// A node costs itself, and later its finished value, its reference counts and its bookkeeping.
constexpr std::size_t kNodeCost = sizeof(Node) + sizeof(PickleValue) + 64;

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
    failUncalled(graph, object);
}

/// How protocols 0 and 1 make an object: (class, object, None).
NodeId reconstruct(Graph& graph, Arguments arguments) {
    const Callable* type = arguments.size() == 3 ? graph.as<Callable>(arguments[0]) : nullptr;
    if (type == nullptr) graph.fail("copyreg._reconstructor without a class");
    return (*type)(graph, {});
}

struct Entry {
    std::string_view module, name;
    Callable callable;
};

/// All there is: a name that is not here is refused. Modules moved over the years, and old files
/// keep the old names.
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
    // Known in PyTorch's archives alone.
    {"torch._utils", "_rebuild_tensor_v2", torchTensor},
    {"torch._utils", "_rebuild_tensor", torchTensor},
    {"torch._utils", "_rebuild_parameter", torchParameter},
    {"torch", "Size", torchSize},
};

}  // namespace

Graph::Graph(const ByteCursor& cursor, std::size_t fileSize)
    : cursor_(cursor),
      budget_(kBaseBudget + kBudgetPerByte * fileSize),
      mostUnfolded_(budget_ / kBudgetPerByte),
      none_(add(PickleNone{})),
      true_(add(true)),
      false_(add(false)) {
    firstInteger_ = static_cast<NodeId>(nodes_.size());
    for (std::int64_t value = 0; value < kSharedIntegers; ++value) add(value);
}

NodeId Graph::add(Node node) {
    charge(kNodeCost);
    if (nodes_.size() == std::numeric_limits<NodeId>::max()) fail("more values than are accepted");
    nodes_.push_back(std::move(node));
    return static_cast<NodeId>(nodes_.size() - 1);
}

NodeId Graph::integer(std::int64_t value) {
    if (value >= 0 && value < kSharedIntegers) return firstInteger_ + static_cast<NodeId>(value);
    return add(value);
}

std::optional<std::string_view> Graph::characters(NodeId id) {
    if (const Text* text = as<Text>(id)) return text->utf8;
    if (const Bytes* bytes = as<Bytes>(id)) return bytes->bytes;
    return std::nullopt;
}

void Graph::charge(std::size_t bytes) {
    if (bytes > budget_) fail("its values take more memory than a file of this size may");
    budget_ -= bytes;
}

std::string_view Graph::keep(std::string text) {
    charge(text.capacity() + sizeof(std::string));
    return texts_.emplace_back(std::move(text));
}

void Graph::fail(std::string problem, std::string remedy) const {
    cursor_.failAt(cursor_.offset(), std::move(problem), std::move(remedy));
}

PickleRef Graph::finish(NodeId root) {
    finished_.resize(nodes_.size());
    return finishNode(root, 1).value;
}

const Graph::Finished& Graph::finishNode(NodeId id, std::uint32_t depth) {
    Finished& finished = finished_[id];
    if (finished.value) return finished;
    if (finished.open) fail("a value contains itself");
    if (depth > kDeepest) fail(fmt::format("values are nested more than {} deep", kDeepest));
    finished.open = true;
    finished.unfolded = 1;
    finished.height = 1;
    finished.value = std::make_shared<const PickleValue>(valueOf(id, depth, finished));
    return finished;
}

PickleRef Graph::finishItem(NodeId id, std::uint32_t depth, Finished& parent) {
    const Finished& item = finishNode(id, depth + 1);
    // Items may have been finished before, on another path: only heights add up to the true depth.
    parent.height = std::max(parent.height, item.height + 1);
    if (parent.height > kDeepest)
        fail(fmt::format("values are nested more than {} deep", kDeepest));
    parent.unfolded += item.unfolded;
    if (parent.unfolded > mostUnfolded_) fail("shared values unfold to more than is accepted");
    return item.value;
}

PickleValue Graph::valueOf(NodeId id, std::uint32_t depth, Finished& finished) {
    const auto item = [&](NodeId child) { return finishItem(child, depth, finished); };
    Node& node = nodes_[id];
    if (std::get_if<PickleNone>(&node)) return {PickleNone{}};
    if (const auto* value = std::get_if<bool>(&node)) return {*value};
    if (const auto* value = std::get_if<std::int64_t>(&node)) return {*value};
    if (const auto* value = std::get_if<double>(&node)) return {*value};
    if (const auto* text = std::get_if<Text>(&node)) {
        charge(text->utf8.size());
        return {std::string(text->utf8)};
    }
    if (const auto* bytes = std::get_if<Bytes>(&node)) {
        charge(bytes->bytes.size());
        return {PickleBytes{std::string(bytes->bytes)}};
    }
    if (const auto* sequence = std::get_if<Sequence>(&node)) {
        PickleSequence values;
        values.items.reserve(sequence->items.size());
        for (const NodeId child : sequence->items) values.items.push_back(item(child));
        return {std::move(values)};
    }
    if (const auto* dict = std::get_if<Dict>(&node)) {
        PickleDict values;
        values.items.reserve(dict->items.size());
        for (const auto& [key, value] : dict->items) {
            PickleRef finishedKey = item(key);
            values.items.emplace_back(std::move(finishedKey), item(value));
        }
        return {std::move(values)};
    }
    if (const auto* callable = std::get_if<Callable>(&node)) return {callableName(*callable)};
    if (const auto* type = std::get_if<ElementType>(&node)) return {std::string(type->name)};
    if (auto* array = std::get_if<std::unique_ptr<Array>>(&node)) return {std::move(**array)};
    if (auto* sparse = std::get_if<std::unique_ptr<PickleSparse>>(&node))
        return {std::move(**sparse)};
    if (auto* tensor = std::get_if<std::unique_ptr<PickleTensor>>(&node))
        return {std::move(**tensor)};
    if (std::get_if<Storage>(&node)) fail("a storage that no tensor looks at");
    fail("a sparse matrix without its content");
}

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

void failUncalled(Graph& graph, Callable callable) {
    graph.fail(fmt::format("calls '{}', which no known writer does", callableName(callable)));
}

void build(Graph& graph, NodeId target, NodeId state) {
    if (graph.as<std::unique_ptr<Array>>(target)) return buildArray(graph, target, state);
    if (graph.as<ElementType>(target)) return buildElementType(graph, target, state);
    if (graph.as<UnbuiltSparse>(target)) return buildSparse(graph, target, state);
    // Attributes of an OrderedDict, such as the versions in PyTorch's, are not needed.
    if (graph.as<Dict>(target) && graph.as<Dict>(state)) return;
    graph.fail("sets the state of a value that has none");
}

std::span<const NodeId> itemsOf(Graph& graph, NodeId sequence, std::string_view what) {
    const Sequence* found = graph.as<Sequence>(sequence);
    if (found == nullptr) graph.fail(fmt::format("{} are not in a list or tuple", what));
    return found->items;
}

std::size_t extentOf(Graph& graph, NodeId integer) {
    const auto* value = graph.as<std::int64_t>(integer);
    if (value == nullptr || *value < 0) graph.fail("an array's extent is not a natural number");
    return static_cast<std::size_t>(*value);
}

std::vector<std::size_t> shapeOf(Graph& graph, NodeId sequence) {
    constexpr std::size_t kMostAxes = 64;
    const auto items = itemsOf(graph, sequence, "an array's extents");
    if (items.size() > kMostAxes) graph.fail("an array of more than 64 axes");
    std::vector<std::size_t> shape;
    for (const NodeId item : items) shape.push_back(extentOf(graph, item));
    return shape;
}

}  // namespace threefold::pickle
