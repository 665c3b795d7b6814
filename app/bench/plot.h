#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace threefold {

/// Point of a series, in the units of its axes.
struct PlotPoint {
    double x = 0;
    double y = 0;
};

/// Series of values with one colour and one legend entry.
struct PlotSeries {
    std::string name;
    std::vector<PlotPoint> points;
};

/// One chart of a picture. Axes begin at 0; the y axis ends at a round number.
struct PlotPanel {
    enum class Kind {
        lines,  ///< through marked points, each labelled with its y
        steps,  ///< y holds until the next x; no marks
        bars,   ///< one for each series at each x, labelled with its y
    };
    Kind kind = Kind::lines;
    std::string title;
    std::string xLabel;
    std::string yLabel;
    /// Names of x = 0, 1, …; empty: x is a number.
    std::vector<std::string> categories = {};
    std::vector<PlotSeries> series = {};
    double yMax = 0;        ///< end of the y axis; 0: set by the values
    std::string note = {};  ///< shown in the middle if there are no series
};

/// Beginning of every plotSvg() document.
inline constexpr std::string_view kPlotStart = "<svg ";

/// Draws the panels in two columns below title and subtitle, on white, as one SVG document with
/// a viewBox. Fonts are named by family, without a file. Values must be finite and not below 0.
std::string plotSvg(const std::string& title, const std::string& subtitle,
                    std::span<const PlotPanel> panels);

/// Ticks from 0 in steps of 1, 2 or 5 times a power of ten, up to the lowest tick that is not below
/// `max`. At most `count` + 1 ticks, 0 included. {0, 1} if `max` is not positive.
std::vector<double> roundTicks(double max, int count);

/// Number with about three significant digits: "0.125", "12.5", "1250".
std::string plotNumber(double value);

}  // namespace threefold
