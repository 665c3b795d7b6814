#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/pickle/pickle.h"
#include "engine/formats/tensors/npy.h"

/// A pickle being read: a graph whose nodes may still change and may refer to any node, themselves
/// included. Only a finished, finite tree leaves the graph. Callables of the allowlist
/// (findCallable()) throw FormatError (Graph::fail()) for arguments that Python, numpy and scipy
/// never write.

namespace threefold::pickle {

using NodeId = std::uint32_t;

class Graph;
/// Emulates the call of a callable or class of the allowlist; pickle_callables.cpp has their names.
using Callable = NodeId (*)(Graph& graph, std::span<const NodeId> arguments);

/// str.
struct Text {
    std::string_view utf8;
};
/// bytes or bytearray.
struct Bytes {
    std::string_view bytes;
};
/// list, tuple or set.
struct Sequence {
    std::vector<NodeId> items;
    bool isMutable = false;  ///< a list or set; tuples may be shared and must not change
};
/// dict.
struct Dict {
    std::vector<std::pair<NodeId, NodeId>> items;
};
/// A numpy dtype; `type` is empty for elements that Array lacks.
struct ElementType {
    std::string_view name;
    std::optional<NumpyType> type;
};
/// A sparse matrix of class `format` before its state is set.
struct UnbuiltSparse {
    Callable format;
};

/// Storage of a PyTorch archive, named by a persistent id; `type` is a node of ElementType.
struct Storage {
    NodeId type;
    std::string_view key;
    std::size_t count;
};

/// Value of a node. Array, PickleSparse and PickleTensor are behind pointers to keep nodes small.
using Node = std::variant<PickleNone, bool, std::int64_t, double, Text, Bytes, Sequence, Dict,
                          Callable, ElementType, UnbuiltSparse, Storage, std::unique_ptr<Array>,
                          std::unique_ptr<PickleSparse>, std::unique_ptr<PickleTensor>>;

/// Owns all nodes, so that no nesting is destroyed recursively, and counts their memory.
class Graph {
  public:
    /// `cursor` gives the position of errors; cursor and bytes must outlive the graph.
    Graph(const ByteCursor& cursor, std::size_t fileSize);

    NodeId add(Node node);
    NodeId none() const { return none_; }
    NodeId boolean(bool value) const { return value ? true_ : false_; }
    /// Node of an integer. Small integers share nodes: one byte of the file must not take hundreds
    /// of bytes of memory.
    NodeId integer(std::int64_t value);
    Node& operator[](NodeId id) { return nodes_[id]; }

    template <typename T>
    T* as(NodeId id) {
        return std::get_if<T>(&nodes_[id]);
    }
    /// Characters of a text or bytes node; nullopt for other nodes.
    std::optional<std::string_view> characters(NodeId id);

    /// Takes `bytes` from the memory budget. Throws FormatError if the budget is exceeded.
    void charge(std::size_t bytes);
    /// Stores decoded characters that the file does not hold as such, and charges them.
    std::string_view keep(std::string text);
    [[noreturn]] void fail(std::string problem, std::string remedy = kDamagedRemedy) const;

    /// Makes the finished value; moves the arrays out, so call it once. Throws FormatError for
    /// values that contain themselves or are nested too deep, and if shared values unfold to too
    /// many values.
    PickleRef finish(NodeId root);

  private:
    /// Node as a value of the result.
    struct Finished {
        PickleRef value;
        std::uint64_t unfoldedCount = 0;  ///< values in the tree; shared ones count each time
        std::uint32_t height = 0;
        bool isInProgress = false;  ///< its items are being finished
    };
    const Finished& finishNode(NodeId id, std::uint32_t depth);
    PickleRef finishItem(NodeId id, std::uint32_t depth, Finished& parent);
    PickleValue valueOf(NodeId id, std::uint32_t depth, Finished& finished);

    const ByteCursor& cursor_;
    std::size_t budget_;
    std::uint64_t maxUnfolded_;
    std::deque<Node> nodes_;
    std::deque<std::string> texts_;
    std::vector<Finished> finished_;
    NodeId none_, true_, false_;
    NodeId firstInteger_;
};

}  // namespace threefold::pickle
