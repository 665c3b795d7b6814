#pragma once

#include <filesystem>
#include <vector>

#include <QObject>

#include "engine/error.h"
#include "ui/results/result.h"

namespace threefold::ui {

/// Interface through which features replace the sample, the input or the result of the window. GUI
/// thread only.
class SampleOpener : public QObject {
    Q_OBJECT

  public:
    /// Number of a reconstruction request (NetworkClient::Id); 0: none.
    using RequestId = quint64;

    using QObject::QObject;

    /// Starts to open and reconstruct a sample; returns at once. Empty `views`: suggestedViews(). A
    /// sample with doubtful cameras (PosedPhotos::warnings) is only shown in the input panel, with
    /// these warnings in the banner.
    virtual void openSample(const std::filesystem::path& location,
                            const std::vector<int>& views = {}) = 0;
    /// Reconstructs the input panel's sample and views, as the user asked for it; 0 if the panel is
    /// empty. The user thereby consents to doubtful cameras.
    virtual RequestId reconstruct() = 0;
    /// Reconstructs as reconstruct() does, but not from cameras that need the user's consent
    /// (InputModel::camerasNeedConsent()): warns of these, and returns 0.
    virtual RequestId reconstructUnlessDoubtful() = 0;
    /// Shows an existing result and cancels the running request.
    virtual void showResult(const ResultRef& result) = 0;
    /// Shows a sample in the input panel without reconstructing; cancels the running request.
    virtual void showInput(const SampleRef& sample, const std::vector<int>& views) = 0;

  Q_SIGNALS:
    /// openSample(), showResult() or showInput() was called: a sample that is still being prepared
    /// for an earlier call must not replace the sample of this call.
    void requestBegan();
    /// `location`: path that could not be opened as a sample, or empty.
    void requestFailed(const threefold::ErrorReport& report,
                       const std::filesystem::path& location = {});
};

}  // namespace threefold::ui
