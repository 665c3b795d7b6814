#include "engine/network/backend.h"

namespace threefold {

std::string_view precisionName(Precision precision) {
    return precision == Precision::bfloat16 ? "bfloat16" : "float32";
}

}  // namespace threefold
