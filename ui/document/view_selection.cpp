#include "ui/document/view_selection.h"

#include <algorithm>
#include <utility>

#include "engine/sample/sample.h"

namespace threefold::ui {

ViewSelection::ViewSelection(const std::vector<int>& views) {
    for (const int view : views)
        if (std::find(views_.begin(), views_.end(), view) == views_.end()) views_.push_back(view);
}

ViewSelection::Change ViewSelection::put(std::size_t slot, int view) {
    const Change change = replace(slot, view);
    selected_ = (slot + 1) % views_.size();
    return change;
}

ViewSelection::Change ViewSelection::replace(std::size_t slot, int view) {
    selected_ = slot;
    const std::optional<std::size_t> other = slotOf(view);
    if (other == slot) return Change::unchanged;
    if (other) {
        std::swap(views_[slot], views_[*other]);
        return Change::swapped;
    }
    views_[slot] = view;
    return Change::replaced;
}

bool ViewSelection::add(int view) {
    if (views_.size() >= kMaxInputViews || slotOf(view)) return false;
    views_.push_back(view);
    selected_ = views_.size() - 1;
    return true;
}

bool ViewSelection::remove(std::size_t slot) {
    if (views_.size() <= kMinInputViews || slot >= views_.size()) return false;
    views_.erase(views_.begin() + static_cast<std::ptrdiff_t>(slot));
    selected_ = std::min(slot, views_.size() - 1);
    return true;
}

bool ViewSelection::swapSlots(std::size_t from, std::size_t to) {
    if (from == to || from >= views_.size() || to >= views_.size()) return false;
    std::swap(views_[from], views_[to]);
    selected_ = to;
    return true;
}

std::optional<std::size_t> ViewSelection::slotOf(int view) const {
    const auto found = std::find(views_.begin(), views_.end(), view);
    if (found == views_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - views_.begin());
}

std::vector<int> startingViews(const std::vector<int>& wanted, std::size_t viewCount) {
    constexpr std::size_t kDefaultCount = 3;
    ViewSelection chosen;
    for (const int view : wanted)
        if (view >= 0 && static_cast<std::size_t>(view) < viewCount) chosen.add(view);
    // Two explicitly requested views are valid, too.
    const std::size_t count = chosen.views().size();
    const std::size_t minCount = count < kMinInputViews ? kDefaultCount : count;
    for (std::size_t view = 0; view < viewCount && chosen.views().size() < minCount; ++view)
        chosen.add(static_cast<int>(view));
    return chosen.views();
}

std::optional<int> nextFreeView(const ViewSelection& selection, int from, int step,
                                std::size_t viewCount) {
    const int count = static_cast<int>(viewCount);
    for (int i = 0; i < count; ++i) {
        const int view = (((from + step * i) % count) + count) % count;
        if (!selection.slotOf(view)) return view;
    }
    return std::nullopt;
}

}  // namespace threefold::ui
