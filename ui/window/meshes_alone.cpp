#include "ui/window/meshes_alone.h"

#include "ui/document/connections.h"
#include "ui/document/document.h"
#include "ui/document/input_model.h"
#include "ui/inspect/inspector.h"
#include "ui/inspect/mesh_facts.h"
#include "ui/run/live_update.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {
namespace {

/// The feature of addMeshesAlone().
class MeshesAlone : public QObject {
  public:
    MeshesAlone(const FeatureContext& context, Inspector& inspector, LiveUpdate& liveUpdate)
        : QObject(&context.window),
          context_(context),
          inspector_(inspector),
          liveUpdate_(liveUpdate) {
        inspector.addAboveMeasures(*new MeshFacts(context.document, &inspector));
        connectChanged(this, &MeshesAlone::refresh, context.document.opened,
                       context.document.result, context.document.run);
        connect(&context.input, &InputModel::stateChanged, this, &MeshesAlone::refresh);
    }

  private:
    void refresh() {
        const Document& document = context_.document;
        const bool any = !document.opened.ids().empty() || document.opened.reference();
        const bool alone = any && !document.result.current() &&
                           !document.run.state().isReconstructing() && !context_.input.sample();
        if (std::exchange(alone_, alone) == alone) return;
        inspector_.setMeshesAlone(alone);
        context_.actions.reconstruct->setVisible(!alone);
        liveUpdate_.action().setVisible(!alone);
        QAction& showInput = *context_.actions.showInput;
        if (alone) {
            hidInput_ = showInput.isChecked();
            if (hidInput_) showInput.setChecked(false);
        } else if (std::exchange(hidInput_, false)) {
            showInput.setChecked(true);
        }
    }

    FeatureContext context_;
    Inspector& inspector_;
    LiveUpdate& liveUpdate_;
    bool alone_ = false;
    bool hidInput_ = false;
};

}  // namespace

void addMeshesAlone(const FeatureContext& context, Inspector& inspector, LiveUpdate& liveUpdate) {
    new MeshesAlone(context, inspector, liveUpdate);
}

}  // namespace threefold::ui
