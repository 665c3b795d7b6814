#pragma once

#include <string>
#include <string_view>

namespace threefold {

/// Replaces settings in a message of the engine by options: "(`backend=cpu`)" by "(--backend cpu)".
std::string withOptionNames(std::string_view message);

}  // namespace threefold
