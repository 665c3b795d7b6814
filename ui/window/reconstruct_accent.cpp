#include "ui/window/reconstruct_accent.h"

#include "ui/document/connections.h"
#include "ui/document/document.h"
#include "ui/document/input_model.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

void addReconstructAccent(const FeatureContext& context) {
    const auto refresh = [context] {
        const InputModel& model = context.input;
        const InputState input = model.state();
        const ResultRef& shown = context.document.result.current();
        const bool same = shown && isSameInput(input, {shown->sample, ViewSelection(shown->views)});
        context.document.run.setShowsAnotherSample(shown && input.sample &&
                                                   !isSameSample(shown->sample, input.sample));
        context.actions.setReconstructAccented(
            input.sample && !same && !model.camerasAreGuessed() && !model.camerasNeedConsent() &&
            !context.document.run.state().isReconstructing());
    };
    QObject::connect(&context.input, &InputModel::stateChanged, &context.window, refresh);
    connectChanged(&context.window, refresh, context.document.result, context.document.run);
    refresh();
}

}  // namespace threefold::ui
