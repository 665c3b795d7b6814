#include "engine/formats/pickle/pickle_stack.h"

#include <fmt/format.h>

namespace threefold::pickle {
namespace {

/// What an entry of the memo's table takes.
constexpr std::size_t kMemoCost = 64;

}  // namespace

NodeId Stack::top() const {
    if (values_.size() == floor()) graph_.fail("a value is taken where there is none");
    return values_.back();
}

NodeId Stack::pop() {
    const NodeId id = top();
    values_.pop_back();
    return id;
}

std::vector<NodeId> Stack::popMany(std::size_t count) {
    if (values_.size() - floor() < count) graph_.fail("values are taken where there are none");
    const auto first = values_.end() - static_cast<std::ptrdiff_t>(count);
    std::vector<NodeId> items(first, values_.end());
    values_.erase(first, values_.end());
    return items;
}

std::vector<NodeId> Stack::popToMark() {
    if (marks_.empty()) graph_.fail("a mark is taken where there is none");
    std::vector<NodeId> items = popMany(values_.size() - marks_.back());
    marks_.pop_back();
    return items;
}

void Stack::drop() {
    if (!marks_.empty() && values_.size() == marks_.back())
        marks_.pop_back();
    else
        pop();
}

void Stack::remember(std::uint64_t key) {
    graph_.charge(kMemoCost);
    memo_.insert_or_assign(key, top());
}

void Stack::recall(std::uint64_t key) {
    const auto found = memo_.find(key);
    if (found == memo_.end())
        graph_.fail(fmt::format("the memo's entry {} is used but was never made", key));
    push(found->second);
}

}  // namespace threefold::pickle
