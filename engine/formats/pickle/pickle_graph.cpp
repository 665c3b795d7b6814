#include "engine/formats/pickle/pickle_graph.h"

#include "engine/formats/pickle/pickle_callables.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace threefold::pickle {
namespace {

/// Memory budget: kBudgetPerByte for each byte of the file, and kBaseBudget.
constexpr std::size_t kBaseBudget = std::size_t{64} << 20;
constexpr std::size_t kBudgetPerByte = 16;
constexpr std::uint32_t kMaxDepth = 256;
/// The integers 0 … kSharedIntegers − 1 have one shared node each.
constexpr std::int64_t kSharedIntegers = 256;
/// Memory of a node: itself, and later its finished value, reference counts and bookkeeping.
constexpr std::size_t kNodeCost = sizeof(Node) + sizeof(PickleValue) + 64;

}  // namespace

Graph::Graph(const ByteCursor& cursor, std::size_t fileSize)
    : cursor_(cursor),
      budget_(kBaseBudget + kBudgetPerByte * fileSize),
      maxUnfolded_(budget_ / kBudgetPerByte),
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
    if (bytes > budget_)
        fail("its values take more memory than is allowed for a file of this size");
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
    if (finished.isInProgress) fail("a value contains itself");
    if (depth > kMaxDepth) fail(fmt::format("values are nested more than {} deep", kMaxDepth));
    finished.isInProgress = true;
    finished.unfoldedCount = 1;
    finished.height = 1;
    finished.value = std::make_shared<const PickleValue>(valueOf(id, depth, finished));
    return finished;
}

PickleRef Graph::finishItem(NodeId id, std::uint32_t depth, Finished& parent) {
    const Finished& item = finishNode(id, depth + 1);
    // An item may have been finished on another path: only heights give the true depth.
    parent.height = std::max(parent.height, item.height + 1);
    if (parent.height > kMaxDepth)
        fail(fmt::format("values are nested more than {} deep", kMaxDepth));
    parent.unfoldedCount += item.unfoldedCount;
    if (parent.unfoldedCount > maxUnfolded_) fail("shared values unfold to more than is accepted");
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
    if (std::get_if<Storage>(&node)) fail("a PyTorch storage that no tensor uses");
    fail("a sparse matrix without its content");
}

}  // namespace threefold::pickle
