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
#include "engine/formats/tensors/npz.h"

/// A pickle while it is being read: a graph whose nodes may still change and may point anywhere,
/// themselves included. Only a finished, finite tree leaves it. Below, the callables of the closed
/// list: these functions throw FormatError through the graph if arguments are not those that
/// Python, numpy and scipy write.

namespace threefold::pickle {

using NodeId = std::uint32_t;

class Graph;
/// One of the closed list of callables and classes, as the function that does what calling it does;
/// pickle_types.cpp has their names.
using Callable = NodeId (*)(Graph& graph, std::span<const NodeId> arguments);

struct Text {
    std::string_view utf8;
};
struct Bytes {
    std::string_view bytes;
};
struct Sequence {
    std::vector<NodeId> items;
    bool growable = false;  ///< a list or set; tuples are shared and must not change
};
struct Dict {
    std::vector<std::pair<NodeId, NodeId>> items;
};
/// A numpy dtype; `type` is empty where Array has no such elements.
struct ElementType {
    std::string_view name;
    std::optional<NumpyType> type;
};
/// A sparse matrix of this class whose state has not come yet.
struct UnbuiltSparse {
    Callable format;
};

/// A storage of a PyTorch archive, named by a persistent id; `type` is a node of ElementType.
struct Storage {
    NodeId type;
    std::string_view key;
    std::size_t count;
};

/// Array, PickleSparse and PickleTensor lie behind a pointer because most nodes are small.
using Node = std::variant<PickleNone, bool, std::int64_t, double, Text, Bytes, Sequence, Dict,
                          Callable, ElementType, UnbuiltSparse, Storage, std::unique_ptr<Array>,
                          std::unique_ptr<PickleSparse>, std::unique_ptr<PickleTensor>>;

/// Owns all nodes, so that no nesting is ever destroyed recursively, and counts their memory.
class Graph {
  public:
    /// `cursor` gives errors their place; it and its bytes must outlive the graph.
    Graph(const ByteCursor& cursor, std::size_t fileSize);

    NodeId add(Node node);
    NodeId none() const { return none_; }
    NodeId boolean(bool value) const { return value ? true_ : false_; }
    /// Small numbers share their nodes: one byte of a file must not become hundreds here.
    NodeId integer(std::int64_t value);
    Node& operator[](NodeId id) { return nodes_[id]; }

    template <typename T>
    T* as(NodeId id) {
        return std::get_if<T>(&nodes_[id]);
    }
    /// The characters of a text or bytes node, or nothing.
    std::optional<std::string_view> characters(NodeId id);

    /// Throws FormatError where `bytes` more would pass the limit.
    void charge(std::size_t bytes);
    /// Keeps characters that are not in the file as such. Charged.
    std::string_view keep(std::string text);
    [[noreturn]] void fail(std::string problem, std::string remedy = kDamagedRemedy) const;

    /// The finished value; its arrays are moved out, so this is called once. Throws FormatError for
    /// values that contain themselves, are nested too deep, or unfold to too many.
    PickleRef finish(NodeId root);

  private:
    struct Finished {
        PickleRef value;
        std::uint64_t unfolded = 0;  ///< values in it, shared ones counted each time
        std::uint32_t height = 0;
        bool open = false;  ///< its items are being finished
    };
    const Finished& finishNode(NodeId id, std::uint32_t depth);
    PickleRef finishItem(NodeId id, std::uint32_t depth, Finished& parent);
    PickleValue valueOf(NodeId id, std::uint32_t depth, Finished& finished);

    const ByteCursor& cursor_;
    std::size_t budget_;
    std::uint64_t mostUnfolded_;
    std::deque<Node> nodes_;
    std::deque<std::string> texts_;
    std::vector<Finished> finished_;
    NodeId none_, true_, false_;
    NodeId firstInteger_;
};

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

/// A storage type ("torch.FloatStorage") or element type ("torch.float32"); nothing for others.
std::optional<ElementType> findTorchType(std::string_view module, std::string_view name);
/// The storage that a persistent id means.
NodeId torchStorage(Graph& graph, NodeId persistentId);

/// A list's or tuple's items; the natural number of an extent; the extents of a shape.
std::span<const NodeId> itemsOf(Graph& graph, NodeId sequence, std::string_view what);
std::size_t extentOf(Graph& graph, NodeId integer);
std::vector<std::size_t> shapeOf(Graph& graph, NodeId sequence);

/// Each character as the one byte it is in latin1; nothing where the text is not UTF-8 or has other
/// characters.
std::optional<std::string> latin1FromUtf8(std::string_view text);

/// Python's UTF-8, which allows lone surrogates.
bool isUtf8(std::string_view text);

/// Protocol 0's text: latin1 with \uXXXX and \UXXXXXXXX, to UTF-8. Nothing where it is malformed.
std::optional<std::string> fromRawUnicodeEscape(std::string_view text);

/// Protocol 0's bytes: what repr() of a Python 2 string gives, quotes included. Nothing where it
/// is malformed.
std::optional<std::string> fromQuotedString(std::string_view text);

/// Little-endian two's complement of any width, zero bytes included; nothing beyond 64 bits.
std::optional<std::int64_t> fromTwosComplement(std::span<const std::byte> bytes);

}  // namespace threefold::pickle
