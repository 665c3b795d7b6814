#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/pickle/pickle_graph.h"

/// The allowlist of callables and classes that a pickle may name.
namespace threefold::pickle {

/// Selects the allowlist of names.
enum class Dialect {
    plain,
    torch,  ///< plain, and the few names of PyTorch's archives
};

/// Callable of the allowlist by name; nullopt for any other name.
std::optional<Callable> findCallable(std::string_view module, std::string_view name,
                                     Dialect dialect);
std::string callableName(Callable callable);  ///< "numpy.dtype"

/// Throws FormatError because the pickle calls a class that it may only use as a value.
[[noreturn]] void failUnexpectedCall(Graph& graph, Callable callable);

/// Emulates `target.__setstate__(state)`: pickle's BUILD.
void setState(Graph& graph, NodeId target, NodeId state);

/// Storage type ("torch.FloatStorage") or element type ("torch.float32") by name; nullopt for
/// other names.
std::optional<ElementType> findTorchType(std::string_view module, std::string_view name);
/// Node of the storage that a persistent id names.
NodeId torchStorage(Graph& graph, NodeId persistentId);

/// Items of a list or tuple. `name` names the items in errors.
std::span<const NodeId> itemsOf(Graph& graph, NodeId sequence, std::string_view name);
/// Value of a natural number. `name` names the number in errors.
std::size_t countOf(Graph& graph, NodeId integer, std::string_view name);
/// Extents of a shape, at most 64.
std::vector<std::size_t> shapeOf(Graph& graph, NodeId sequence);

}  // namespace threefold::pickle
