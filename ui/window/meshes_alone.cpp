#include "ui/document/connections.h"
#include "ui/document/document.h"
#include "ui/input/input_panel.h"
#include "ui/inspect/inspector.h"
#include "ui/inspect/mesh_facts.h"
#include "ui/run/continuous.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {
namespace {

/// The feature of addMeshesAlone().
class MeshesAlone : public QObject {
  public:
    MeshesAlone(const WindowParts& parts, InputPanel& input, Inspector& inspector,
                ContinuousMode& continuous)
        : QObject(&parts.window),
          parts_(parts),
          input_(input),
          inspector_(inspector),
          continuous_(continuous) {
        inspector.addAboveMeasures(*new MeshFacts(parts.document, &inspector));
        connectChanged(this, &MeshesAlone::follow, parts.document.opened, parts.document.result,
                       parts.document.run);
        connect(&input, &InputPanel::stateChanged, this, &MeshesAlone::follow);
    }

  private:
    void follow() {
        const Document& document = parts_.document;
        const bool any = !document.opened.ids().empty() || document.opened.reference();
        const bool alone = any && !document.result.current() &&
                           !document.run.state().reconstructing() && !input_.sample();
        if (std::exchange(alone_, alone) == alone) return;
        inspector_.setMeshesAlone(alone);
        parts_.actions.reconstruct->setVisible(!alone);
        continuous_.action().setVisible(!alone);
        QAction& showInput = *parts_.actions.showInput;
        if (alone) {
            hidInput_ = showInput.isChecked();
            if (hidInput_) showInput.setChecked(false);
        } else if (std::exchange(hidInput_, false)) {
            showInput.setChecked(true);
        }
    }

    WindowParts parts_;
    InputPanel& input_;
    Inspector& inspector_;
    ContinuousMode& continuous_;
    bool alone_ = false;
    bool hidInput_ = false;
};

}  // namespace

void addMeshesAlone(const WindowParts& parts, InputPanel& input, Inspector& inspector,
                    ContinuousMode& continuous) {
    new MeshesAlone(parts, input, inspector, continuous);
}

}  // namespace threefold::ui
