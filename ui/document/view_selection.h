#pragma once

#include <cstddef>
#include <vector>

namespace threefold::ui {

/// The view in each slot, and the slot for the next chosen view. The first slot is the reference
/// ("view 0" of METHOD.md §2). No view stands in two slots.
class ViewSelection {
  public:
    /// `views` in slot order; of repeated ones the first stays.
    explicit ViewSelection(const std::vector<int>& views = {});

    enum class Outcome {
        unchanged,  ///< it was there already
        replaced,   ///< the slot shows it now
        swapped,    ///< it stood in another slot, which took over this one's view
    };
    /// Puts `view` into a slot, which must exist; then the slot after it is selected, after the
    /// last the first.
    Outcome put(std::size_t slot, int view);

    void select(std::size_t slot) {
        if (slot < views_.size()) selected_ = slot;
    }

    /// Adds a slot at the end and selects it. False if there are eight (kMostViews), or if a slot
    /// shows the view already.
    bool add(int view);
    /// Removes a slot and selects the one that follows, or else the last. False if there are two
    /// (kFewestViews), or no such slot.
    bool remove(std::size_t slot);
    /// Swaps two slots and selects `to`. False unless both exist and differ.
    bool swapSlots(std::size_t from, std::size_t to);
    /// Puts `view` into a slot without moving on to the next: for running through the views.
    Outcome replace(std::size_t slot, int view);

    const std::vector<int>& views() const { return views_; }
    std::size_t selectedSlot() const { return selected_; }
    /// The slot that shows `view`, or −1.
    int slotOf(int view) const;

    bool operator==(const ViewSelection&) const = default;

  private:
    std::vector<int> views_;
    std::size_t selected_ = 0;
};

/// What an item is opened with: those of `wanted` that it has; where it has fewer than two of them,
/// filled up with its first other views to three, or all it has.
std::vector<int> startingViews(const std::vector<int>& wanted, std::size_t viewCount);

/// The first view in no slot, counting from `from` in steps of `step` (1 or −1) and around the
/// ends; −1 if all are in slots.
int nextFreeView(const ViewSelection& selection, int from, int step, std::size_t viewCount);

}  // namespace threefold::ui
