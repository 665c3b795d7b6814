#pragma once

#include "engine/model/convert.h"

namespace threefold {

/// Tells a conversion of the weights whose sampler is known: the bundled model says which files it
/// was made of. Without one there is only less to know.
void addKnownWeights(ConvertSources& sources);

}  // namespace threefold
