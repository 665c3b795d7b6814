#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/pickle/pickle_graph.h"

namespace threefold::pickle {
namespace {

/// The attributes of a scipy matrix, by name.
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
    NodeId need(std::string_view name) {
        const std::optional<NodeId> found = find(name);
        if (!found) graph_.fail(fmt::format("a sparse matrix without '{}'", name));
        return *found;
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

std::vector<std::int64_t> indicesOf(Graph& graph, NodeId id, std::size_t below) {
    const Array& array = vectorOf(graph, id);
    graph.charge(elementCount(array) * sizeof(std::int64_t));
    std::vector<std::int64_t> indices;
    try {
        indices = array.toInt64();
    } catch (const InputError& error) {
        graph.fail("a sparse matrix's indices: " + error.report().problem);
    }
    for (const std::int64_t index : indices)
        if (index < 0 || static_cast<std::uint64_t>(index) >= below)
            graph.fail(fmt::format("a sparse matrix's index {}, {} is the end", index, below));
    return indices;
}

/// csr and csc: which line (row, or column) each of the `count` entries is in.
std::vector<std::int64_t> linesOf(Graph& graph, NodeId starts, std::size_t lines,
                                  std::size_t count) {
    const std::vector<std::int64_t> start = indicesOf(graph, starts, count + 1);
    if (start.size() != lines + 1 || start.front() != 0 || !std::ranges::is_sorted(start))
        graph.fail("a sparse matrix whose line starts do not rise from 0, one a line");
    graph.charge(count * sizeof(std::int64_t));
    std::vector<std::int64_t> line;
    line.reserve(count);
    for (std::size_t i = 0; i < lines; ++i)
        line.insert(line.end(), static_cast<std::size_t>(start[i + 1] - start[i]),
                    static_cast<std::int64_t>(i));
    return line;
}

void readCoordinates(Graph& graph, Attributes& attributes, PickleSparse& sparse) {
    NodeId row, column;
    if (const std::optional<NodeId> both = attributes.find("coords")) {
        const auto pair = itemsOf(graph, *both, "a sparse matrix's coordinates");
        if (pair.size() != 2) graph.fail("a sparse array that does not have two axes");
        row = pair[0], column = pair[1];
    } else {
        row = attributes.need("row"), column = attributes.need("col");
    }
    sparse.rows = indicesOf(graph, row, sparse.rowCount);
    sparse.columns = indicesOf(graph, column, sparse.columnCount);
}

void readCompressed(Graph& graph, Attributes& attributes, bool byRow, PickleSparse& sparse) {
    const std::size_t lines = byRow ? sparse.rowCount : sparse.columnCount;
    const std::size_t across = byRow ? sparse.columnCount : sparse.rowCount;
    std::vector<std::int64_t> index = indicesOf(graph, attributes.need("indices"), across);
    std::vector<std::int64_t> line = linesOf(graph, attributes.need("indptr"), lines, index.size());
    index.resize(line.size());  // scipy allows room for more entries than there are
    sparse.values.resize(std::min(sparse.values.size(), line.size()));
    if (!byRow) line.swap(index);
    sparse.rows = std::move(line);
    sparse.columns = std::move(index);
}

}  // namespace

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
        shapeOf(graph, oldShape ? *oldShape : attributes.need("_shape"));
    if (shape.size() != 2) graph.fail("a sparse array that does not have two axes");

    auto sparse = std::make_unique<PickleSparse>();
    sparse->rowCount = shape[0];
    sparse->columnCount = shape[1];
    const Array& values = vectorOf(graph, attributes.need("data"));
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

}  // namespace threefold::pickle
