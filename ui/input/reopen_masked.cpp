#include "ui/input/reopen_masked.h"

#include "engine/sample/sample.h"
#include "engine/sample/view_files.h"
#include "ui/input/input_panel.h"

namespace threefold::ui {

void reopenMasked(SampleOpener& opener, InputPanel& input) {
    const SampleRef sample = input.model().sample();
    if (!sample) return;
    input.reloadImages();
    const std::vector<int> views = input.model().selection().views();
    if (sample->photos)
        opener.openSample(sample->photos->file, views);
    else if (!metadataFileIn(sample->folder).empty())
        opener.openSample(sample->folder, views);
    else
        opener.showInput(sample, views);
}

}  // namespace threefold::ui
