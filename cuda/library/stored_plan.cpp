#include "cuda/library/stored_plan.h"

#include "engine/error.h"

namespace threefold::cuda::library {
namespace {

constexpr std::string_view kAsIs = "as-is ";
constexpr std::string_view kWidened = "widened ";

}  // namespace

std::string toText(const StoredPlan& plan) {
    return std::string(plan.form == FilterForm::asIs ? kAsIs : kWidened) + plan.json;
}

StoredPlan storedPlanFrom(std::string_view text) {
    for (const FilterForm form : {FilterForm::asIs, FilterForm::widened}) {
        const std::string_view prefix = form == FilterForm::asIs ? kAsIs : kWidened;
        if (!text.starts_with(prefix)) continue;
        const std::string_view json = text.substr(prefix.size());
        if (json.size() >= 2 && json.front() == '{' && json.back() == '}') {
            return {form, std::string(json)};
        }
    }
    throw FormatError({"plan", {}, "a convolution's plan is not one of cuDNN's", {}});
}

}  // namespace threefold::cuda::library
