#pragma once

#include <functional>
#include <vector>

#include <QString>
#include <QWidget>

#include "engine/views/camera.h"
#include "ui/document/input_state.h"
#include "ui/shell/feature_context.h"

class QDoubleSpinBox;
class QFormLayout;

namespace threefold::ui {

class InputPanel;

/// Editor below the slots for the camera of the selected view, a row of rendering_metadata.txt
/// (METHOD.md §2). While the editor is open, dragging a slot turns its camera and the wheel moves
/// the camera.
class CameraEditor : public QWidget {
    Q_OBJECT

  public:
    CameraEditor(const FeatureContext& context, InputPanel& input);

    QAction& toggle() { return *toggle_; }
    QString warnings() const { return warnings_->text(); }

    /// Writes all cameras next to the images. Without `replace`, asks before overwriting a file.
    void save(bool replace);
    /// Loads all cameras from a file with a row for each view, as one edit.
    void load(const std::filesystem::path& file);
    /// Restores the cameras with which the sample was opened, as one edit.
    void reset();

  Q_SIGNALS:
    void saved(const QString& file);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct FieldOptions {
        QString label;
        QString name;  ///< for screen readers
        QString tooltip;
        double min = 0;
        double max = 0;
        double step = 1;
        int decimals = 1;
    };
    QDoubleSpinBox* addField(const FieldOptions& options);
    struct Field {
        QDoubleSpinBox* spin;
        std::function<double(const CameraRow&)> value;
        std::function<void(CameraRow&, double)> set;
    };
    std::vector<Field> fields() const;
    void buildRows();
    void connectFields();
    void applyFields();
    void refresh();
    void askForCameras();

    FeatureContext context_;
    InputPanel& input_;
    QAction* toggle_;
    SampleRef sampleAsOpened_;  // the sample with its original cameras
    bool refreshing_ = false;
    QLabel* heading_;
    QFormLayout* form_;
    QDoubleSpinBox* azimuth_;
    QDoubleSpinBox* elevation_;
    QDoubleSpinBox* distance_;
    QDoubleSpinBox* focalLength_;
    QDoubleSpinBox* roll_;
    QLabel* warnings_;
    QToolButton* reset_;
    QWidget* question_;
};

/// Adds the editor below the slots, and its command.
CameraEditor& addCameraEditor(const FeatureContext& context, InputPanel& input);

}  // namespace threefold::ui
