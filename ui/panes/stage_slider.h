#pragma once

#include <cstddef>
#include <vector>

#include <QAbstractSlider>
#include <QString>
#include <QVariantAnimation>

#include "ui/style/theme.h"

namespace threefold::ui {

/// One stage on the slider.
struct SliderStop {
    QString label;               ///< "level 1"
    std::size_t vertices = 0;    ///< vertex count of its mesh; 0: unknown
    bool showsVertices = false;  ///< whether the label shows the count
};

/// A slider over the stages from the template to the network's result, or to the fitted mesh if
/// there is one. Dragging moves its handle; a click on a stage or play() animates it; any user
/// input stops the animation. The value is kStep × the index of the stop.
class StageSlider : public QAbstractSlider {
    Q_OBJECT

  public:
    static constexpr int kStep = 1000;  ///< difference of the values of two adjacent stages

    explicit StageSlider(QWidget* parent = nullptr);

    /// Sets the stops, at least two. A last stop of unknown vertex count is hidden; without any
    /// known count the slider is disabled. `jumps`: the mesh does not morph between the last two
    /// stops.
    void setStops(std::vector<SliderStop> stops, bool jumps = false);
    /// Full label of a stage: "level 1 · 156", with the count if SliderStop::showsVertices.
    QString label(int stage) const;
    /// Centre of a stage's dot, in the widget's coordinates.
    QPoint dotCentre(int stage) const;

    void play();  ///< animates from the first to the last stage
    void goTo(int stage);
    void stop() { animation_.stop(); }
    bool isPlaying() const { return animation_.state() == QAbstractAnimation::Running; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {240, sizeHint().height()}; }

  Q_SIGNALS:
    void playingChanged(bool playing);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void sliderChange(SliderChange change) override;

  private:
    /// Labels that the slider has room for: full or short ones of all stages, or short ones of the
    /// ends and the current stage.
    enum class LabelRoom { full, brief, ends };

    LabelRoom labelRoom() const;
    void paintLine(QPainter& painter, const ThemeColours& colours) const;
    void paintStops(QPainter& painter, const ThemeColours& colours) const;
    void paintHandle(QPainter& painter, const ThemeColours& colours) const;
    void animate(int from, int to, int milliseconds);
    int valueAtX(double x) const;        // `x`: widget coordinate, as of xOf()
    int stageAt(QPoint position) const;  // −1: none
    int last() const { return kStep * (shownStops_ - 1); }
    double xOf(int value) const;
    QString shortLabel(int stage) const;
    void updateAccessibleDescription();

    std::vector<SliderStop> stops_;
    int shownStops_ = 2;  // without the last stop while its vertex count is unknown
    bool jumps_ = false;
    QVariantAnimation animation_;
    std::optional<QPoint> pressed_;  // where the button went down; none once it is a drag
    bool dragging_ = false;
};

}  // namespace threefold::ui
