#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/formats/pickle/pickle_graph.h"

/// What the few callables of the closed list mean. Functions throw FormatError through the graph
/// where arguments are not those that Python, numpy and scipy write.
namespace threefold::pickle {

/// Which closed list of names counts.
enum class Dialect {
    plain,
    torch,  ///< plain, and the few names that PyTorch's archives add
};

/// The member of the closed list with this name; nothing for any other.
std::optional<Callable> findCallable(std::string_view module, std::string_view name,
                                     Dialect dialect);
std::string callableName(Callable callable);  ///< "numpy.dtype"

/// Refuses a class that is known as a value only.
[[noreturn]] void failUncalled(Graph& graph, Callable callable);

/// What `target.__setstate__(state)` would do.
void build(Graph& graph, NodeId target, NodeId state);

// pickle_numpy.cpp
NodeId ndarray(Graph& graph, std::span<const NodeId> arguments);
NodeId numpyReconstruct(Graph& graph, std::span<const NodeId> arguments);
NodeId numpyScalar(Graph& graph, std::span<const NodeId> arguments);
NodeId numpyFromBuffer(Graph& graph, std::span<const NodeId> arguments);
NodeId dtype(Graph& graph, std::span<const NodeId> arguments);
void buildArray(Graph& graph, NodeId target, NodeId state);
void buildElementType(Graph& graph, NodeId target, NodeId state);

// pickle_sparse.cpp
NodeId coo(Graph& graph, std::span<const NodeId> arguments);
NodeId csr(Graph& graph, std::span<const NodeId> arguments);
NodeId csc(Graph& graph, std::span<const NodeId> arguments);
void buildSparse(Graph& graph, NodeId target, NodeId state);

// pickle_torch.cpp
NodeId torchTensor(Graph& graph, std::span<const NodeId> arguments);
NodeId torchParameter(Graph& graph, std::span<const NodeId> arguments);
NodeId torchSize(Graph& graph, std::span<const NodeId> arguments);
/// A storage type ("torch.FloatStorage") or element type ("torch.float32"); nothing for others.
std::optional<ElementType> findTorchType(std::string_view module, std::string_view name);
/// What the persistent id of a storage stands for.
NodeId torchStorage(Graph& graph, NodeId persistentId);

// Shared by the above.
std::span<const NodeId> itemsOf(Graph& graph, NodeId sequence, std::string_view what);
std::size_t extentOf(Graph& graph, NodeId integer);
std::vector<std::size_t> shapeOf(Graph& graph, NodeId sequence);

}  // namespace threefold::pickle
