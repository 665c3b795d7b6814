#pragma once

#include <string>
#include <string_view>

namespace threefold {

/// `message` of the engine with its settings as options: "(--backend cpu)" for "(`backend=cpu`)".
std::string withOptionNames(std::string_view message);

}  // namespace threefold
