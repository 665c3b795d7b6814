#pragma once

#include <span>
#include <string>

#include "engine/formats/tensors/array.h"

namespace threefold {

/// A tuple of numpy arrays (one array: the array itself) as `pickle.dump(…, protocol=2)` of
/// Python 3 lays it out: bytes as text through `_codecs.encode`, which Python 2 and 3 load without
/// an encoding being named. Throws InputError for bfloat16, which numpy lacks.
std::string formatPickle(std::span<const Array> arrays);

}  // namespace threefold
