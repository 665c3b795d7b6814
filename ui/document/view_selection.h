#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace threefold::ui {

/// The view in each slot, and the selected slot, which the next chosen view goes to. The first slot
/// is the reference ("view 0" of METHOD.md §2). No view is in two slots.
class ViewSelection {
  public:
    /// `views` in slot order; repeated views are dropped.
    explicit ViewSelection(const std::vector<int>& views = {});

    enum class Change {
        unchanged,  ///< the view was in the slot already
        replaced,   ///< the view replaced the slot's view
        swapped,    ///< the view was in another slot, which got this slot's view
    };
    /// Puts `view` into an existing slot, then selects the next slot; the first slot follows the
    /// last one.
    Change put(std::size_t slot, int view);

    void select(std::size_t slot) {
        if (slot < views_.size()) selected_ = slot;
    }

    /// Adds a slot at the end and selects it. False if there are kMaxInputViews slots, or a slot
    /// has the view already.
    bool add(int view);
    /// Removes a slot and selects the next one, or else the last. False if only kMinInputViews
    /// slots are left, or the slot does not exist.
    bool remove(std::size_t slot);
    /// Swaps the views of two slots and selects `to`. False unless both exist and differ.
    bool swapSlots(std::size_t from, std::size_t to);
    /// Puts `view` into an existing slot and selects that slot: for stepping through the views.
    Change replace(std::size_t slot, int view);

    const std::vector<int>& views() const { return views_; }
    std::size_t selectedSlot() const { return selected_; }
    /// Index of the slot with `view`; none if no slot has it.
    std::optional<std::size_t> slotOf(int view) const;

    bool operator==(const ViewSelection&) const = default;

  private:
    std::vector<int> views_;
    std::size_t selected_ = 0;
};

/// Views to open a sample with: those of `wanted` that exist. If they are fewer than
/// kMinInputViews, the sample's first other views fill them up to three, as far as the sample has
/// so many.
std::vector<int> startingViews(const std::vector<int>& wanted, std::size_t viewCount);

/// The first view in no slot, from `from` in steps of `step` (1 or −1), wrapping around; none if
/// all views are in slots.
std::optional<int> nextFreeView(const ViewSelection& selection, int from, int step,
                                std::size_t viewCount);

}  // namespace threefold::ui
