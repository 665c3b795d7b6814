#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace threefold {

/// Name of the mesh fitted to photographs, besides the names of MeshStage.
inline constexpr std::string_view kFittedMesh = "fitted";

/// A value for each measured mesh of a sample: the network's published stages in the model's order
/// (MeshStage::published), then the fitted mesh, if any. A fitted mesh is never alone.
template <class Value>
class ByMesh {
  public:
    struct Entry {
        std::string mesh;  ///< MeshStage::name, or kFittedMesh
        Value value;
    };

    ByMesh() = default;
    ByMesh(std::initializer_list<Entry> entries) : entries_(entries) {}

    void add(std::string_view mesh, Value value) {
        entries_.push_back({std::string(mesh), std::move(value)});
    }

    bool empty() const { return entries_.empty(); }
    const std::vector<Entry>& entries() const { return entries_; }
    std::vector<Entry>& entries() { return entries_; }

    /// The value of a mesh; null if it was not measured.
    const Value* find(std::string_view mesh) const {
        const auto found =
            std::ranges::find_if(entries_, [&](const Entry& entry) { return entry.mesh == mesh; });
        return found == entries_.end() ? nullptr : &found->value;
    }
    const Value* fitted() const { return find(kFittedMesh); }
    Value* find(std::string_view mesh) {
        return const_cast<Value*>(std::as_const(*this).find(mesh));
    }

    /// The value of the first published stage. first(), result(), resultName() and
    /// best() require a value.
    const Value& first() const { return entries_.front().value; }
    Value& first() { return entries_.front().value; }
    /// The value of the network's result: the last published stage.
    const Value& result() const { return entries_[resultIndex()].value; }
    Value& result() { return entries_[resultIndex()].value; }
    /// The name of the network's result.
    const std::string& resultName() const { return entries_[resultIndex()].mesh; }
    /// The value of the fitted mesh, else of the network's result.
    const Value& best() const { return entries_.back().value; }

  private:
    std::size_t resultIndex() const {
        const bool isFitted = entries_.back().mesh == kFittedMesh;
        return entries_.size() - (isFitted ? 2 : 1);
    }

    std::vector<Entry> entries_;
};

}  // namespace threefold
