#include <fmt/format.h>

#include "app/doctor/check.h"
#include "engine/network/onednn.h"

namespace threefold {

Check checkProducts() {
    return {"oneDNN", Check::Status::ok,
            fmt::format("{}, with {}", onednn::version(), onednn::instructions()), "", true};
}

}  // namespace threefold
