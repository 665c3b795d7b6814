#include "engine/board/board_file.h"

#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "engine/board/board_layout.h"
#include "engine/board/markers.h"
#include "engine/error.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/text/text_encoding.h"

namespace threefold::board {
namespace {

/// Rectangle in millimetres from the lower left corner of the page.
struct Rectangle {
    double x = 0, y = 0, width = 0, height = 0;
};

struct Page {
    double width = 0, height = 0;
    std::vector<Rectangle> black;
    glm::dvec2 textStart{0.0};  ///< start of the text line
    std::string text;
};

constexpr double kTextSize = 3.2;  // mm

/// Adds the black bits of a marker, merged along rows.
void addMarker(Page& page, int id, const MarkerBits& bits) {
    const glm::dvec2 centre = *markerCentre(id);
    const double bit = kMarkerSide / static_cast<double>(bits.size());
    const double left = page.width / 2 + centre.x - kMarkerSide / 2;
    double top = page.height / 2 + centre.y + kMarkerSide / 2;
    for (const auto& row : bits) {
        top -= bit;
        for (std::size_t x = 0; x < row.size(); ++x) {
            if (!row[x]) continue;
            if (x > 0 && row[x - 1])
                page.black.back().width += bit;
            else
                page.black.push_back({left + static_cast<double>(x) * bit, top, bit, bit});
        }
    }
}

Page pageOf(Paper paper) {
    Page page;
    page.width = paper == Paper::a4 ? 210 : 215.9;
    page.height = paper == Paper::a4 ? 297 : 279.4;
    std::array<int, kMarkerCount> ids{};
    std::iota(ids.begin(), ids.end(), kFirstMarkerId);
    const std::vector<MarkerBits> bits = markerBits(ids);
    for (std::size_t i = 0; i < ids.size(); ++i) addMarker(page, ids[i], bits[i]);
    const double left = page.width / 2 - (kBoardColumns - 1) * kMarkerPitch / 2 - kMarkerSide / 2;
    const double bottom = page.height / 2 - (kBoardRows - 1) * kMarkerPitch / 2 - kMarkerSide / 2;
    constexpr double kGap = 5, kThin = 0.4, kTick = 2;
    const double barY = bottom - kGap;
    page.black.push_back({left, barY - kThin / 2, kScaleBarLength, kThin});
    for (const double end : {left - kThin / 2, left + kScaleBarLength - kThin / 2})
        page.black.push_back({end, barY - kTick / 2, kThin, kTick});
    page.textStart = {left + kScaleBarLength + 3, barY - kTextSize / 3};
    page.text =
        fmt::format("Print at 100 %: this bar is {:.0f} mm long. Lay flat.", kScaleBarLength);
    return page;
}

}  // namespace

std::string boardPdf(Paper paper) {
    constexpr double kPointsPerMm = 72 / 25.4;
    const Page page = pageOf(paper);
    std::string drawing = fmt::format("{:.6f} 0 0 {:.6f} 0 0 cm\n", kPointsPerMm, kPointsPerMm);
    // One path, so that no hairlines show between touching bits.
    for (const Rectangle& box : page.black)
        drawing +=
            fmt::format("{:.3f} {:.3f} {:.3f} {:.3f} re\n", box.x, box.y, box.width, box.height);
    drawing += fmt::format("f\nBT /F1 {} Tf {:.2f} {:.2f} Td ({}) Tj ET\n", kTextSize,
                           page.textStart.x, page.textStart.y, page.text);
    const std::vector<std::string> objects = {
        "<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        fmt::format("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {:.3f} {:.3f}] /Contents 4 0 R "
                    "/Resources << /Font << /F1 5 0 R >> >> >>",
                    page.width * kPointsPerMm, page.height * kPointsPerMm),
        fmt::format("<< /Length {} >>\nstream\n{}endstream", drawing.size(), drawing),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"};
    std::string pdf = "%PDF-1.6\n";
    std::string crossReferences =
        fmt::format("xref\n0 {}\n0000000000 65535 f \n", objects.size() + 1);
    for (std::size_t i = 0; i < objects.size(); ++i) {
        crossReferences += fmt::format("{:010} 00000 n \n", pdf.size());
        pdf += fmt::format("{} 0 obj\n{}\nendobj\n", i + 1, objects[i]);
    }
    const std::size_t crossReferencesAt = pdf.size();
    return pdf + crossReferences +
           fmt::format("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{}\n%%EOF\n",
                       objects.size() + 1, crossReferencesAt);
}

std::string boardSvg(Paper paper) {
    const Page page = pageOf(paper);
    std::string path;
    for (const Rectangle& box : page.black)
        path += fmt::format("M{:.3f} {:.3f}h{:.3f}v{:.3f}h{:.3f}z", box.x,
                            page.height - box.y - box.height, box.width, box.height, -box.width);
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}mm\" height=\"{1}mm\" "
        "viewBox=\"0 0 {0} {1}\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n"
        "<path d=\"{2}\"/>\n<text x=\"{3:.2f}\" y=\"{4:.2f}\" font-family=\"Helvetica, "
        "sans-serif\" "
        "font-size=\"{5}\">{6}</text>\n</svg>\n",
        page.width, page.height, path, page.textStart.x, page.height - page.textStart.y, kTextSize,
        page.text);
}

void writeBoard(const std::filesystem::path& file, Paper paper) {
    const std::string extension = lowered(file.extension().string());
    if (extension != ".pdf" && extension != ".svg")
        throw UsageError({file.string(), "", "is neither .pdf nor .svg", "Choose one of them."});
    writeFileAtomically(file, extension == ".pdf" ? boardPdf(paper) : boardSvg(paper));
}

}  // namespace threefold::board
