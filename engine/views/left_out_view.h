#pragma once

#include <span>
#include <string>
#include <vector>

namespace threefold {

/// View that a result does not use.
struct LeftOutView {
    int view = 0;        ///< MaskedView::view
    std::string reason;  ///< end of a sentence that begins with the view: "empty mask"

    bool operator==(const LeftOutView&) const = default;
};

/// Whether `view` is among the views left out.
bool isLeftOut(std::span<const LeftOutView> leftOut, int view);

/// Numbers of the views left out, in the given order.
std::vector<int> viewNumbersOf(std::span<const LeftOutView> leftOut);

/// Sentences about a result: one for each reason to leave out views ("views 2, 4: empty mask"), in
/// the order in which the reasons first occur; then `notes`.
std::vector<std::string> remarksOf(std::span<const LeftOutView> leftOut,
                                   std::span<const std::string> notes);

}  // namespace threefold
