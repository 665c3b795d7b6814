#include "ui/input/input_panel.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {

// Accents the button Reconstruct only while the input differs from the shown result's, and its
// cameras are known: those of photographs are to be found first.
void addReconstructInvitation(const WindowParts& parts) {
    const auto follow = [parts] {
        const InputState input = parts.input.state();
        const ResultRef& shown = parts.document.result();
        const bool same = shown && input.sameInput({shown->sample, ViewSelection(shown->views)});
        parts.document.setShowsAnotherItem(shown && input.sample &&
                                           !sameItem(shown->sample, input.sample));
        parts.actions.invite(input.sample && !same && !parts.input.camerasAreGuessed() &&
                             !parts.document.run().reconstructing());
    };
    QObject::connect(&parts.input, &InputPanel::stateChanged, &parts.window, follow);
    connectAll(&parts.document, &parts.window, follow, &Document::resultChanged,
               &Document::runChanged);
    follow();
}

}  // namespace threefold::ui
