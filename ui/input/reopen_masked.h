#pragma once

#include "ui/shell/sample_opener.h"

namespace threefold::ui {

class InputPanel;

/// Reopens the input's sample after its masks have changed, since the object's position in
/// photographs follows from the masks.
void reopenMasked(SampleOpener& opener, InputPanel& input);

}  // namespace threefold::ui
