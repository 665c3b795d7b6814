#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "engine/formats/pickle/pickle_graph.h"

namespace threefold::pickle {

/// The pickle machine's stack with its marks, and its memo. Nothing below the last mark can be
/// taken but together with the mark. Functions throw FormatError where there is too little to take.
class Stack {
  public:
    /// `graph` counts the memo's memory and must outlive the stack.
    explicit Stack(Graph& graph) : graph_(graph) {}

    void push(NodeId id) { values_.push_back(id); }
    NodeId top() const {
        if (values_.size() == floor()) graph_.fail("a value is taken where there is none");
        return values_.back();
    }
    NodeId pop() {
        const NodeId id = top();
        values_.pop_back();
        return id;
    }
    std::vector<NodeId> popMany(std::size_t count) {
        if (values_.size() - floor() < count) graph_.fail("values are taken where there are none");
        const auto first = values_.end() - static_cast<std::ptrdiff_t>(count);
        std::vector<NodeId> items(first, values_.end());
        values_.erase(first, values_.end());
        return items;
    }

    void mark() { marks_.push_back(values_.size()); }
    std::vector<NodeId> popToMark() {
        if (marks_.empty()) graph_.fail("a mark is taken where there is none");
        std::vector<NodeId> items = popMany(values_.size() - marks_.back());
        marks_.pop_back();
        return items;
    }
    /// POP: takes a mark where that is on top.
    void drop() {
        if (!marks_.empty() && values_.size() == marks_.back())
            marks_.pop_back();
        else
            pop();
    }

    void remember(std::uint64_t key) {
        graph_.charge(kMemoCost);
        memo_.insert_or_assign(key, top());
    }
    void rememberNext() { remember(memo_.size()); }
    void recall(std::uint64_t key) {
        const auto found = memo_.find(key);
        if (found == memo_.end())
            graph_.fail(fmt::format("the memo's entry {} is used but was never made", key));
        push(found->second);
    }

  private:
    static constexpr std::size_t kMemoCost = 64;  ///< bytes of an entry

    std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }

    Graph& graph_;
    std::vector<NodeId> values_;
    std::vector<std::size_t> marks_;
    std::unordered_map<std::uint64_t, NodeId> memo_;
};

}  // namespace threefold::pickle
