#include "app/reconstruct/sample_result.h"

#include <utility>

namespace threefold {

std::string_view remarkKey(RemarkKind kind) {
    switch (kind) {
        case RemarkKind::missingImages:
            return "missingImages";
        case RemarkKind::defaultFit:
            return "fitDefault";
        case RemarkKind::masks:
            return "maskWarning";
        case RemarkKind::measures:
            return "warning";
        case RemarkKind::fit:
            return "fitWarning";
        case RemarkKind::overlap:
            return "overlapWarning";
        case RemarkKind::hull:
            return "hullWarning";
        case RemarkKind::texture:
            return "textureWarning";
    }
    return {};
}

void SampleResult::remark(RemarkKind kind, std::string text) {
    if (!text.empty()) remarks.insert_or_assign(kind, std::move(text));
}

}  // namespace threefold
