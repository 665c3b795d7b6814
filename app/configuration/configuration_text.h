#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "app/configuration/configuration.h"

namespace threefold {

/// The effective values as a threefold.toml, each with where it comes from in a comment.
std::string configurationText(const Configuration& configuration);
/// The same as a document, with range and meaning of each.
nlohmann::ordered_json configurationJson(const Configuration& configuration);

/// A threefold.toml to begin with: every key with its meaning, its range and its default, commented
/// out by a "#" without a blank.
std::string configurationTemplate();

}  // namespace threefold
