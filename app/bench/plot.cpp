#include "app/bench/plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "engine/text.h"

namespace threefold {
namespace {

// Units of the picture; text is sized for a width of 900 units.
constexpr double kMargin = 20;
constexpr double kHeader = 64;
constexpr double kPanelWidth = 430;
constexpr double kPanelHeight = 270;
constexpr double kLeft = 52;  ///< left margin of a panel, for labels of the y axis
constexpr double kRight = 12;
constexpr double kTop = 72;     ///< top margin, for title and legend
constexpr double kBottom = 42;  ///< bottom margin, for labels of the x axis
constexpr int kTicks = 5;

/// Okabe and Ito's colours for colour-blind readers, except yellow and black.
constexpr std::array kColours = {"#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9"};

const char* seriesColour(std::size_t series) {
    return kColours[series % kColours.size()];
}

std::string textAt(double x, double y, std::string_view cssClass, std::string_view text) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, cssClass,
                       escapeHtml(text));
}

std::string lineFrom(double x1, double y1, double x2, double y2, std::string_view cssClass) {
    return fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n", x1, y1,
        x2, y2, cssClass);
}

double maxValue(const PlotPanel& panel, double PlotPoint::*coordinate) {
    double max = 0;
    for (const PlotSeries& series : panel.series)
        for (const PlotPoint& point : series.points) max = std::max(max, point.*coordinate);
    return max;
}

/// Upper end of the y axis; for lines, above the highest point, whose label needs space.
double maxShown(const PlotPanel& panel) {
    constexpr double kHeadroom = 1.1;
    if (panel.yMax > 0) return panel.yMax;
    const double max = maxValue(panel, &PlotPoint::y);
    return panel.kind == PlotPanel::Kind::lines ? kHeadroom * max : max;
}

/// Draws one panel with its top left corner at (x, y).
class PanelDrawing {
  public:
    PanelDrawing(const PlotPanel& panel, double x, double y)
        : panel_(panel),
          x_(x),
          y_(y),
          yTicks_(roundTicks(maxShown(panel), kTicks)),
          lastX_(maxValue(panel, &PlotPoint::x)) {}

    std::string svg() {
        text_ = textAt(x_ + kLeft, y_ + 18, "panel", panel_.title);
        if (panel_.series.empty()) {
            text_ += textAt((left() + right()) / 2, (top() + bottom()) / 2, "middle", panel_.note);
            return text_;
        }
        legend();
        axes();
        for (std::size_t i = 0; i < panel_.series.size(); ++i)
            panel_.kind == PlotPanel::Kind::bars ? bars(i) : line(i);
        return text_;
    }

  private:
    double left() const { return x_ + kLeft; }
    double right() const { return x_ + kPanelWidth - kRight; }
    double top() const { return y_ + kTop; }
    double bottom() const { return y_ + kPanelHeight - kBottom; }

    double atY(double value) const {
        return bottom() - (bottom() - top()) * value / yTicks_.back();
    }
    double slot() const {
        return (right() - left()) / static_cast<double>(panel_.categories.size());
    }
    double atX(double value) const {
        if (!panel_.categories.empty()) return left() + slot() * (value + 0.5);
        return left() + (right() - left()) * (lastX_ > 0 ? value / lastX_ : 0);
    }

    void legend() {
        constexpr double kBox = 10;
        constexpr double kWidest = 130;
        const auto entries = static_cast<double>(panel_.series.size());
        const double slot = std::min(kWidest, (right() - left()) / entries);
        for (std::size_t i = 0; i < panel_.series.size(); ++i) {
            const double x = left() + slot * static_cast<double>(i);
            text_ += fmt::format(
                "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", x,
                y_ + 30, kBox, kBox, seriesColour(i));
            text_ += textAt(x + kBox + 5, y_ + 39, "begin", panel_.series[i].name);
        }
    }

    void axes() {
        for (const double tick : yTicks_) {
            text_ += lineFrom(left(), atY(tick), right(), atY(tick), tick > 0 ? "grid" : "axis");
            text_ += textAt(left() - 6, atY(tick) + 4, "end", plotNumber(tick));
        }
        for (std::size_t i = 0; i < panel_.categories.size(); ++i)
            text_ +=
                textAt(atX(static_cast<double>(i)), bottom() + 16, "middle", panel_.categories[i]);
        if (panel_.categories.empty())
            for (const double tick : roundTicks(lastX_, kTicks)) {
                if (tick > lastX_) break;
                text_ += textAt(atX(tick), bottom() + 16, "middle", plotNumber(tick));
            }
        text_ += textAt(left(), top() - 16, "unit", panel_.yLabel);
        text_ += textAt((left() + right()) / 2, bottom() + 33, "middle unit", panel_.xLabel);
    }

    void bars(std::size_t number) {
        constexpr double kGap = 0.2;  // gap between categories, as a fraction of a slot
        const double width = slot() * (1 - kGap) / static_cast<double>(panel_.series.size());
        for (const PlotPoint& point : panel_.series[number].points) {
            const double x =
                atX(point.x) - slot() * (1 - kGap) / 2 + width * static_cast<double>(number);
            const double y = atY(point.y);
            text_ += fmt::format(
                "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                "height=\"{:.1f}\" fill=\"{}\"/>\n",
                x + 1, y, width - 2, bottom() - y, seriesColour(number));
            text_ += textAt(x + width / 2, y - 3, "value", plotNumber(point.y));
        }
    }

    void line(std::size_t number) {
        const bool steps = panel_.kind == PlotPanel::Kind::steps;
        std::string path;
        for (const PlotPoint& point : panel_.series[number].points) {
            const double x = atX(point.x);
            const double y = atY(point.y);
            if (path.empty())
                path = fmt::format("M{:.1f} {:.1f}", x, y);
            else
                path += steps ? fmt::format("H{:.1f}V{:.1f}", x, y)
                              : fmt::format("L{:.1f} {:.1f}", x, y);
            if (steps) continue;
            text_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\"/>\n", x,
                                 y, seriesColour(number));
            text_ += textAt(x, y - 8, "value", plotNumber(point.y));
        }
        text_ += fmt::format("<path d=\"{}\" class=\"line\" stroke=\"{}\"/>\n", path,
                             seriesColour(number));
    }

    const PlotPanel& panel_;
    const double x_;
    const double y_;
    const std::vector<double> yTicks_;
    const double lastX_;
    std::string text_;
};

constexpr const char* kStyle =
    R"(<style>
text { font-family: "DejaVu Sans", Verdana, Arial, sans-serif; font-size: 11px; fill: #333 }
.title { font-size: 17px; font-weight: bold; fill: #111 }
.panel { font-size: 13px; font-weight: bold; fill: #111 }
.middle { text-anchor: middle } .end { text-anchor: end }
.value { font-size: 9.5px; text-anchor: middle }
.unit { fill: #666 }
.grid { stroke: #e4e4e4 } .axis { stroke: #888 }
.line { fill: none; stroke-width: 1.8; stroke-linejoin: round }
</style>
)";

}  // namespace

std::vector<double> roundTicks(double max, int count) {
    if (!(max > 0)) return {0, 1};
    const double minStep = max / count;
    const double power = std::pow(10.0, std::floor(std::log10(minStep)));
    // A quotient may exceed its exact value slightly: 0.07 / 0.01 is above 7.
    constexpr double kRounding = 1 - 1e-9;
    double step = 10 * power;
    for (const double multiple : {1.0, 2.0, 5.0}) {
        if (multiple * power < minStep * kRounding) continue;
        step = multiple * power;
        break;
    }
    const int steps = static_cast<int>(std::ceil(max / step * kRounding));
    std::vector<double> ticks;
    for (int i = 0; i <= steps; ++i) ticks.push_back(i * step);
    return ticks;
}

std::string plotNumber(double value) {
    constexpr double kMinWithoutDecimals = 100;
    return value >= kMinWithoutDecimals ? fmt::format("{:.0f}", value)
                                        : fmt::format("{:.3g}", value);
}

std::string plotSvg(const std::string& title, const std::string& subtitle,
                    std::span<const PlotPanel> panels) {
    const double width = 2 * kPanelWidth + 2 * kMargin;
    const std::size_t rows = (panels.size() + 1) / 2;
    const double height = kHeader + static_cast<double>(rows) * kPanelHeight + kMargin;
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\">\n<title>{2}</title>\n{3}"
        "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" rx=\"8\" fill=\"#fff\"/>\n",
        width, height, escapeHtml(title), kStyle);
    svg += textAt(kMargin, 30, "title", title);
    svg += textAt(kMargin, 50, "unit", subtitle);
    for (std::size_t i = 0; i < panels.size(); ++i) {
        const std::size_t row = i / 2;
        const double x = kMargin + kPanelWidth * static_cast<double>(i % 2);
        const double y = kHeader + kPanelHeight * static_cast<double>(row);
        svg += PanelDrawing(panels[i], x, y).svg();
    }
    return svg + "</svg>\n";
}

}  // namespace threefold
