#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/pickle/pickle_graph.h"
#include "engine/formats/pickle/pickle_stack.h"
#include "engine/formats/pickle/pickle_types.h"

namespace threefold::pickle {

/// Python's pickle machine without the part that imports and calls. Throws FormatError.
class Machine {
  public:
    Machine(std::span<const std::byte> bytes, const std::filesystem::path& subject,
            Dialect dialect);
    PickleRef run();

  private:
    bool step();

    // Each runs the opcode if it is one of its kind.
    bool number(unsigned char opcode);
    bool text(unsigned char opcode);
    bool container(unsigned char opcode);
    bool stackAndMemo(unsigned char opcode);
    bool object(unsigned char opcode);

    template <typename T>
    T parsed(std::optional<T> value, const char* what) const;
    void push(Node node) { stack_.push(graph_.add(std::move(node))); }
    void pushInteger(std::int64_t value) { stack_.push(graph_.integer(value)); }
    void pushDecimal();
    void pushDecimalLong();
    void pushText(std::uint64_t length);
    void pushOldString(std::string_view string);

    void pushSequence(std::vector<NodeId> items, bool growable);
    void append(const std::vector<NodeId>& items);
    void setItems(const std::vector<NodeId>& items);

    void checkProtocol();
    void checkFrame();
    std::uint64_t takeMemoKey();

    void pushCallable(std::string_view module, std::string_view name);
    void pushGlobal();
    void pushStackGlobal();
    void callWith(NodeId function, std::span<const NodeId> arguments);
    void reduce();
    void reduceWithNames();

    Dialect dialect_;
    ByteCursor cursor_;
    Graph graph_;
    Stack stack_;
};

}  // namespace threefold::pickle
