#pragma once

#include <filesystem>

#include <QObject>

#include "ui/document/newest_task.h"
#include "ui/input/data_set_browser.h"
#include "ui/shell/feature_context.h"

class QSplitter;

namespace threefold::ui {

class InputPanel;

/// Data set browser below the input panel, with its commands. Remembers the data set's folder; the
/// default is the folder of the bundled samples.
class DataSetFeature : public QObject {
    Q_OBJECT

  public:
    /// Adds the browser at the end of `inputSide`.
    DataSetFeature(const FeatureContext& context, InputPanel& input, QSplitter& inputSide);

    DataSetBrowser& browser() { return *browser_; }
    /// Browses `folder` and remembers it.
    void openDataSet(const std::filesystem::path& folder);
    /// Calls openDataSet(), then opens the first sample if nothing is shown.
    void openDataSetAndFirstSample(const std::filesystem::path& folder);

  private:
    void addCommands();
    void connectBrowser();
    void askForDataSet();
    /// Browses `folder`, which could not be opened as a sample, if it is a data set.
    void tryAsDataSet(const std::filesystem::path& folder);
    void readAhead();

    FeatureContext context_;
    InputPanel& input_;
    DataSetBrowser* browser_;
    NewestTask readAheadTask_;
    NewestTask trialTask_;  ///< of tryAsDataSet()
    bool opensFirst_ = false;
};

/// Adds the data set browser at the end of `inputSide`, and its commands.
DataSetFeature& addDataSetFeature(const FeatureContext& context, InputPanel& input,
                                  QSplitter& inputSide);

}  // namespace threefold::ui
