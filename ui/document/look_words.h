#pragma once

#include <map>
#include <string>

#include "ui/document/look.h"

namespace threefold::ui {

/// Sets the fields of a look that `words` names, both by their names in sessions: "map" to
/// "viridis", "edges" to "true". Other names, and words that a field does not have, are ignored.
void setFromWords(Look& look, const std::map<std::string, std::string>& words);

}  // namespace threefold::ui
