#pragma once

#include <map>
#include <optional>

#include <QDialog>
#include <QLabel>
#include <QListWidget>
#include <QPointer>

#include "ui/document/newest_task.h"
#include "ui/results/result.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

class InputPanel;
class PhotographViewer;
class PhotographsPage;

/// A photograph of the contact sheet: its opaque pixels (with a mask, the object) on a plain
/// colour.
QImage maskPicture(const QImage& photograph, QSize size);

/// Contact sheet of a sample's photographs with their masks. Outlines photographs whose masks
/// contradict the others (compareMasks()), and photographs without a mask; their tooltips say why.
/// Says so if masks and cameras disagree as a whole. A double click or Enter opens a photograph to
/// correct its mask. Judges the masks again when the sample is reopened, for example after a change
/// of masks. Closes when another sample is opened.
class MaskSheet : public QDialog {
    Q_OBJECT

  public:
    MaskSheet(InputPanel& input, QWidget* parent);

    QString note() const { return note_->text(); }
    /// Reason to check the mask of a view; empty if there is none. While masks are being judged,
    /// only missing masks are reasons.
    QString reasonToCheck(int view) const;
    bool isJudged() const { return judged_; }

  Q_SIGNALS:
    void viewChosen(int view);

  private:
    void judge();
    void refresh();
    /// Text above the masks. `count`: masks to check.
    QString verdict(int count) const;

    InputPanel& input_;
    QListWidget* list_;
    QLabel* note_;
    std::map<int, QString> contradictions_;
    std::optional<double> lowOverlap_;  ///< overlap of masks and cameras that disagree as a whole
    SampleRef judgedSample_;            ///< the sample whose masks are judged, or being judged
    bool judged_ = false;
    NewestTask judgeTask_;
};

/// Adds the command that opens the sheet, and its button in the second step of `page`.
void addMaskSheet(const FeatureContext& context, InputPanel& input, PhotographsPage& page,
                  PhotographViewer& viewer);

}  // namespace threefold::ui
