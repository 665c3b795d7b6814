#pragma once

#include <QObject>
#include <QPointer>

#include "ui/document/newest_task.h"
#include "ui/input/object_mark.h"
#include "ui/input/photograph_window.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

class InputPanel;
class SlotOutlines;

/// Shows the photograph of a slot in a window of its own, with the mesh's outline as in the slots.
/// Shows the original if the camera file has matrices, and the network's input if it has rows
/// (rendering_metadata.txt). Follows the slots' mesh; closes when another sample is shown. The mask
/// of an original can be corrected: saving writes the mask beside the photograph and reopens the
/// sample. Before unsaved corrections would be lost, also when the main window is closed, asks
/// about them. The object of an original can be marked, for a cut-out of all photographs. Can show
/// the photograph's depth map: that of the fit, or the newest depth map of a running fit.
class PhotographViewer : public QObject {
    Q_OBJECT

  public:
    PhotographViewer(const FeatureContext& context, InputPanel& input,
                     const SlotOutlines& outlines);

    PhotographWindow* openWindow() const {  ///< null: closed
        return window_ && window_->isVisible() ? window_.data() : nullptr;
    }

    /// Shows a view of the sample, whether a slot has it or not.
    void enlargeView(int view) { open(view, false); }
    /// Lets the user mark the object in the open photograph; if none is open, opens the photograph
    /// of the selected slot first. No effect where the cameras are not matrices.
    void markObject();
    /// Sets whether photographs are being cut out; meanwhile cutOutRequested() is not emitted.
    void setCuttingOut(bool on);
    /// Reads the mask of the open photograph again, after a cut-out of this sample has written it.
    void reloadMask(const SampleRef& sample);

  Q_SIGNALS:
    /// The user marked the object, and asked to cut it out of all photographs.
    void cutOutRequested(const threefold::ObjectHint& hint);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    /// Opens a view once the shown photograph's mask may be left.
    void open(int view, bool marks);
    void read(int view, bool marks);
    /// Whether the window's photograph belongs to the input's sample.
    bool showsInput() const;
    void enlarge(std::size_t slot);
    void drawOutline();
    void drawDepth();
    PhotographWindow& ensureWindow();
    void saveMask();
    void requestCutOut();

    FeatureContext context_;
    InputPanel& input_;
    const SlotOutlines& outlines_;
    QPointer<PhotographWindow> window_;
    NewestTask readTask_;
    NewestTask depthMapTask_;
    NewestTask maskTask_;
    SampleRef shownSample_;  ///< of the window's photograph
    int view_ = 0;
    bool cuttingOut_ = false;
};

/// Adds the window that shows the photograph of a slot.
PhotographViewer& addPhotographViewer(const FeatureContext& context, InputPanel& input,
                                      const SlotOutlines& outlines);

}  // namespace threefold::ui
