#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/formats/pickle/pickle_graph.h"

namespace threefold::pickle {

/// The pickle machine's stack with its marks, and its memo. Nothing below the last mark can be
/// taken but together with the mark. Functions throw FormatError where there is too little to take.
class Stack {
  public:
    /// `graph` counts the memo's memory and must outlive the stack.
    explicit Stack(Graph& graph) : graph_(graph) {}

    void push(NodeId id) { values_.push_back(id); }
    NodeId top() const;
    NodeId pop();
    std::vector<NodeId> popMany(std::size_t count);

    void mark() { marks_.push_back(values_.size()); }
    std::vector<NodeId> popToMark();
    /// POP: takes a mark where that is on top.
    void drop();

    void remember(std::uint64_t key);
    void rememberNext() { remember(memo_.size()); }
    void recall(std::uint64_t key);

  private:
    std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }

    Graph& graph_;
    std::vector<NodeId> values_;
    std::vector<std::size_t> marks_;
    std::unordered_map<std::uint64_t, NodeId> memo_;
};

}  // namespace threefold::pickle
