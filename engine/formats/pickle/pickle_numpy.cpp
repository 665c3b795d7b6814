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

}  // namespace threefold::pickle
