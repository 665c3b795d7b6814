#pragma once

#include <cstddef>
#include <vector>

#include <QAbstractSlider>
#include <QString>
#include <QVariantAnimation>

namespace threefold::ui {

/// A stop of the slider.
struct SliderStop {
    QString label;               ///< "level 1", "refined 2"
    std::size_t vertices = 0;    ///< of its mesh; 0: unknown
    bool showsVertices = false;  ///< beside the label
};

/// A slider with the stages from the template to the network's result, and to the fitted mesh if
/// there is one. Dragging moves its dot, a click on a stage or play() animates it; any input of the
/// user's stops the animation. The value is kStep × the number of the stop.
class StageSlider : public QAbstractSlider {
    Q_OBJECT

  public:
    static constexpr int kStep = 1000;  ///< of the value, from stage to stage

    explicit StageSlider(QWidget* parent = nullptr);

    /// At least two. Disabled if no mesh is known; without the last stop if that one is not.
    /// `jumps`: nothing morphs on the way to that one.
    void setStops(std::vector<SliderStop> stops, bool jumps = false);
    /// A stage in full: "level 1 · 156"; with its vertices where the stage before has others.
    QString label(int stage) const;
    /// Middle of a stage's dot.
    QPoint place(int stage) const;

    void play();  ///< from the template to the result
    void goTo(int stage);
    void stop() { run_.stop(); }
    bool playing() const { return run_.state() == QAbstractAnimation::Running; }

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
    void run(int from, int to, int milliseconds);
    int valueAt(double x) const;
    int stageAt(QPoint position) const;  // −1: none
    int last() const { return kStep * (stages_ - 1); }
    double xOf(int value) const;
    QString shortLabel(int stage) const;
    void describe();

    std::vector<SliderStop> stops_;
    int stages_ = 2;  // shown ones
    bool jumps_ = false;
    QVariantAnimation run_;
    QPoint pressed_;
    bool dragging_ = false;
};

}  // namespace threefold::ui
