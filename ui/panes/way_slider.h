#pragma once

#include <array>

#include <QAbstractSlider>
#include <QString>
#include <QVariantAnimation>

namespace threefold::ui {

/// Six stations on a line, from the template to the result, and a dot that stands on one of them or
/// anywhere between. Dragging moves the dot, a click on a station sends it there, and play() lets
/// it run the whole way; whatever the user does stops a run. Values are thousandths of the way from
/// one station to the next: 0…5000.
class WaySlider : public QAbstractSlider {
    Q_OBJECT

  public:
    static constexpr int kStations = 6;
    static constexpr int kStep = 1000;  ///< of the value, from station to station

    explicit WaySlider(QWidget* parent = nullptr);

    /// How many vertices each station's mesh has; 0: not told. Disabled where all are 0.
    void setCounts(const std::array<std::size_t, kStations>& counts);
    /// A station in full: "level 1 · 156".
    QString label(int station) const;
    /// Middle of a station's dot.
    QPoint place(int station) const;

    void play();  ///< from the template to the result
    void goTo(int station);
    void stop();
    bool playing() const { return run_.state() == QAbstractAnimation::Running; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

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
    int stationAt(QPoint position) const;  // −1: none
    double xOf(int value) const;
    QString shortLabel(int station) const;
    void describe();

    std::array<std::size_t, kStations> counts_{};
    QVariantAnimation run_;
    QPoint pressed_;
    bool dragging_ = false;
};

}  // namespace threefold::ui
