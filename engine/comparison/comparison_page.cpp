#include "engine/comparison/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/ranges.h>
#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/evaluation/evaluation_list.h"
#include "engine/evaluation/record_page.h"
#include "engine/evaluation/thumbnail.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/bytes/folders.h"
#include "engine/formats/bytes/text_encoding.h"
#include "engine/formats/pictures/image.h"
#include "engine/formats/pictures/image_readers.h"
#include "engine/metrics/nearest.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/sample.h"
#include "engine/sample/view_candidates.h"
#include "engine/text.h"
#include "engine/web_page/page_parts.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStyle =
#include <report/report.css.inc>
    ;
constexpr std::string_view kOwnStyle = R"(
main { padding-top: 32px; }
table { border-collapse: collapse; width: auto; }
td, th { padding: 3px 14px 3px 0; text-align: right; font-weight: 400; white-space: nowrap; }
th { color: var(--muted); }
td:first-child, th:first-child { text-align: left; }
.plots { display: flex; flex-wrap: wrap; gap: 32px; }
.plots svg { width: 400px; flex: none; background: var(--raised); border: 1px solid var(--border); border-radius: 6px; }
svg text { fill: var(--muted); font: 11px system-ui, sans-serif; }
svg .point { fill: var(--accent); fill-opacity: .6; }
svg .bin { fill: var(--accent); }
.tables { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 480px), 1fr)); gap: 0 48px; }
.pictures { grid-template-columns: repeat(auto-fill, minmax(min(100%, 560px), 1fr)); }
)";
constexpr std::string_view kPage = R"(<head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{{policy}}">
<title>Threefold: comparison</title><style>{{style}}</style></head><body><main>
{{sections}}</main>
{{results}}<script>{{script}}</script></body></html>
)";
constexpr std::string_view kOwnScript = R"(
for (const button of document.querySelectorAll('button.turns'))
  button.addEventListener('click', () => results.open(button.dataset.result));
)";
constexpr std::size_t kShown = 10;
constexpr int kSide = 192;  // side of a picture, in pixels

std::string cells(const char* tag, const std::vector<std::string>& row) {
    std::string text = "<tr>";
    for (const std::string& cell : row)
        text += fmt::format("<{0}>{1}</{0}>", tag, escapedMarkup(cell));
    return text + "</tr>\n";
}

std::string htmlOf(const ComparisonTable& table) {
    std::string text = "<section>\n";
    if (!table.title.empty()) text += fmt::format("<h2>{}</h2>\n", table.title);
    text += "<div class=\"scroll\"><table>\n" + cells("th", table.rows.front());
    for (std::size_t i = 1; i < table.rows.size(); ++i) text += cells("td", table.rows[i]);
    text += "</table></div>\n";
    for (const std::string& note : table.notes)
        text += fmt::format("<p class=\"note\">{}</p>\n", escapedMarkup(note));
    return text + "</section>\n";
}

constexpr int kPlot = 320;
constexpr int kMargin = 40;

std::string plotFrame(std::string_view title) {
    return fmt::format(R"(<svg width="{0}" height="{0}"><text x="{1}" y="20">{2}</text>)",
                       kPlot + 2 * kMargin, kMargin, title);
}

std::string scatter(const ComparedRun& first, const std::vector<SamplePair>& pairs) {
    const auto x = [](double f) { return kMargin + f / 100 * kPlot; };
    const auto y = [](double f) { return kMargin + kPlot - f / 100 * kPlot; };
    std::string text = plotFrame("F(τ) of B over F(τ) of A, %");
    for (int f = 0; f <= 100; f += 25)
        text += fmt::format(
            "<text x=\"{:.0f}\" y=\"{}\" text-anchor=\"middle\">{}</text>"
            "<text x=\"{}\" y=\"{:.0f}\" text-anchor=\"end\">{}</text>",
            x(f), kMargin + kPlot + 16, f, kMargin - 6, y(f) + 4, f);
    text += fmt::format("<path d=\"M{} {}h{}v{}h-{}zM{} {}L{} {}\" class=\"axis\"/>", kMargin,
                        kMargin, kPlot, kPlot, kPlot, x(0), y(0), x(100), y(100));
    for (const SamplePair& each : pairs)
        if (each.f)
            text += fmt::format(
                "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" "
                "class=\"point\"><title>{}: {:.2f}, "
                "{:.2f}</title></circle>",
                x(each.f->first), y(each.f->second),
                escapedMarkup(first.run.records[each.first].name), each.f->first, each.f->second);
    return text + "</svg>\n";
}

std::string histogram(const std::vector<SamplePair>& pairs) {
    double range = 0;
    for (const SamplePair& each : pairs) range = std::max(range, std::abs(each.change()));
    const double step = std::pow(10, std::floor(std::log10(std::max(range, 1e-3))));
    range = std::ceil(std::max(range, 1e-3) / step) * step;
    std::array<std::size_t, 21> bins{};
    for (const SamplePair& each : pairs) {
        const double position = (each.change() + range) / (2 * range);
        ++bins[std::min(static_cast<std::size_t>(position * bins.size()), bins.size() - 1)];
    }
    const auto maxCount =
        static_cast<double>(std::max<std::size_t>(*std::ranges::max_element(bins), 1));
    std::string text = plotFrame("samples over F(τ) of B − F(τ) of A, points");
    const double width = double(kPlot) / bins.size();
    for (std::size_t i = 0; i < bins.size(); ++i) {
        const double height = static_cast<double>(bins[i]) / maxCount * kPlot;
        text += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
            "class=\"bin\"><title>{}</title></rect>",
            kMargin + width * double(i), kMargin + kPlot - height, width - 1, height, bins[i]);
    }
    for (const double label : {-range, 0.0, range})
        text += fmt::format(R"(<text x="{:.0f}" y="{}" text-anchor="middle">{:g}</text>)",
                            kMargin + (label + range) / (2 * range) * kPlot, kMargin + kPlot + 16,
                            label);
    text += fmt::format(R"(<text x="{}" y="{}" text-anchor="end">{:.0f}</text>)", kMargin - 6,
                        kMargin + 4, maxCount);
    return text + "</svg>\n";
}

/// Pictures of a sample, from left to right.
struct Pictures {
    std::vector<Image> images;
    std::vector<std::string> captions;
};

/// Draws the photograph, the runs' meshes and the truth, as far as they are found.
Pictures picturesOf(const std::vector<const ComparedRun*>& runs,
                    const std::vector<const SampleRecord*>& records, Protocol protocol,
                    const fs::path& imageRoot) {
    Pictures pictures;
    std::optional<Image> photograph;
    std::optional<Image> truth;
    try {
        const SampleRecord& record = *records.front();
        const fs::path list = runs.front()->run.about.list;
        const fs::path beside = isFolder(list) ? list : list.parent_path();
        Sample sample = findSample(listedLocation(record.given, beside),
                                   imageRoot.empty() ? beside : imageRoot);
        const int view = record.silhouettes.empty() ? defaultViews(sample).front()
                                                    : record.silhouettes.front().view;
        photograph = networkView(sample, view);
        if (!record.truth.empty()) sample.groundTruth = record.truth;
        if (!sample.groundTruth.empty()) truth = drawTruth(loadGroundTruth(sample, view), kSide);
    } catch (const Error&) {
        // The page shows the pictures that were found.
    }
    const auto add = [&](std::string caption, Image image) {
        pictures.captions.push_back(std::move(caption));
        pictures.images.push_back(std::move(image));
    };
    if (photograph) add("photograph", shrunk(*photograph, kSide));
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (records[i] == nullptr || !runs[i]->mesh) continue;
        const Mesh mesh = runs[i]->mesh(*records[i]);
        if (mesh.faces.empty()) continue;
        const SampleScores* const scores = records[i]->under(protocol);
        std::string caption(1, static_cast<char>('A' + i));
        if (scores != nullptr)
            caption += fmt::format(": F(τ) {:.1f} %", scores->best().measures.atTau().f);
        add(std::move(caption), drawMesh(mesh.vertices, mesh.faces, kSide));
    }
    if (truth) add("truth", *std::move(truth));
    return pictures;
}

std::string embedded(const Image& image) {
    return "data:image/png;base64," + encodeBase64(encodePng(image));
}

/// Gives each vertex how much farther from the truth B is there than A: the distance of the nearest
/// vertex of B less that of A.
void addDifference(WebMesh& a, WebMesh& b) {
    if (a.values.empty() || b.values.empty()) return;
    const CloudPair clouds{a.mesh.vertices, b.mesh.vertices};
    const NearestPair nearest = nearestBidirectional({&clouds, 1}).pairs.front();
    for (std::size_t i = 0; i < a.values.size(); ++i)
        a.difference.push_back(b.values[nearest.firstToSecond.index[i]] - a.values[i]);
    for (std::size_t i = 0; i < b.values.size(); ++i)
        b.difference.push_back(b.values[i] - a.values[nearest.secondToFirst.index[i]]);
}

/// Meshes A and B of a pair for the page, with their difference; none without any.
std::optional<WebResult> resultOf(const ComparedRun& first, const ComparedRun& second,
                                  const SamplePair& pair, Protocol protocol,
                                  const fs::path& imageRoot) {
    std::vector<RecordMesh> meshes;
    const auto add = [&](const char* name, const ComparedRun& run, std::size_t index) {
        if (!run.mesh) return;
        const SampleRecord& record = run.run.records[index];
        const SampleScores* const scores = record.under(protocol);
        meshes.push_back({name, run.mesh(record), scores != nullptr ? &scores->best() : nullptr});
    };
    add("A", first, pair.first);
    add("B", second, pair.second);
    std::optional<WebResult> result =
        webResultOf(first.run, first.run.records[pair.first], std::move(meshes), imageRoot);
    if (!result) return result;
    result->note = fmt::format("A: {}; B: {}", first.name, second.name);
    const auto a = std::ranges::find(result->meshes, "A", &WebMesh::name);
    const auto b = std::ranges::find(result->meshes, "B", &WebMesh::name);
    if (a != result->meshes.end() && b != result->meshes.end()) addDifference(*a, *b);
    return result;
}

/// Pictures of the samples that differ most. Adds the results that they open to `results`.
std::string picturesSection(const std::vector<ComparedRun>& runs, std::size_t other,
                            const Comparison& comparison, const fs::path& imageRoot,
                            ResultDialog& results) {
    const ComparedRun& first = runs.front();
    const ComparedRun& second = runs[other];
    std::string text =
        "<section>\n<h2>In pictures</h2>\n<p class=\"note\">The samples that differ most. A click "
        "on a picture turns its meshes.</p>\n<div class=\"pictures\">\n";
    for (std::size_t i = 0; i < std::min(kShown, comparison.pairs.size()); ++i) {
        const SampleRecord& record = first.run.records[comparison.pairs[i].first];
        const Pictures pictures = picturesOf(
            {&first, &second}, {&record, &second.run.records[comparison.pairs[i].second]},
            comparison.protocol, imageRoot);
        if (pictures.images.empty()) continue;
        std::string id;
        if (auto result =
                resultOf(first, second, comparison.pairs[i], comparison.protocol, imageRoot)) {
            id = fmt::format("pair-{}-{}", other, i);
            results.add(id, *result);
        }
        text += fmt::format(
            "<div><button type=\"button\" class=\"turns\" data-result=\"{}\"{}>"
            "<img alt=\"{}\" src=\"{}\"></button><div class=\"caption\">{}<div "
            "class=\"muted\">{}</div>"
            "</div></div>\n",
            id, id.empty() ? " disabled" : "", id.empty() ? "" : "Turn the meshes",
            embedded(sideBySide(pictures.images)), escapedMarkup(record.name),
            escapedMarkup(fmt::format("{}", fmt::join(pictures.captions, " · "))));
    }
    return text + "</div></section>\n";
}

/// A comparison's part of the page. Adds the results that its pictures open to `results`.
std::string sectionOf(const std::vector<ComparedRun>& runs, std::size_t other,
                      const Comparison& comparison, const fs::path& imageRoot,
                      ResultDialog& results) {
    const ComparedRun& first = runs.front();
    const ComparedRun& second = runs[other];
    std::string text = fmt::format("<h1>{} against {}</h1>\n", escapedMarkup(second.name),
                                   escapedMarkup(first.name));
    text +=
        fmt::format("<p class=\"muted\">A: {}, {}<br>B: {}, {}<br>{} samples, {} protocol</p>\n",
                    escapedMarkup(first.name), escapedMarkup(first.run.about.backend),
                    escapedMarkup(second.name), escapedMarkup(second.run.about.backend),
                    comparison.pairs.size(), protocolName(comparison.protocol));
    for (const std::string& remark : comparison.remarks)
        text += fmt::format("<p class=\"note\">{}</p>\n", escapedMarkup(remark));
    const std::vector<ComparisonTable> tables = comparisonTables(first, comparison);
    text += htmlOf(tables.front());
    text += picturesSection(runs, other, comparison, imageRoot, results);
    text += "<div class=\"tables\">\n";
    for (std::size_t i = 1; i < tables.size(); ++i) text += htmlOf(tables[i]);
    text += "</div>\n";
    if (comparison.pairs.front().f)
        text += "<section class=\"plots\">" + scatter(first, comparison.pairs) +
                histogram(comparison.pairs) + "</section>\n";
    return text;
}

/// SVG with all samples in rows, with captions as text.
std::string sheetOf(const std::vector<std::pair<std::string, Pictures>>& rows) {
    constexpr int kCaption = 18;
    std::size_t columns = 0;
    for (const auto& [name, pictures] : rows) columns = std::max(columns, pictures.images.size());
    const int height = kSide + 2 * kCaption;
    std::string text = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" font-family=\"sans-serif\" font-size=\"12\">\n",
        std::max<int>(kSide * static_cast<int>(columns), 1),
        height * static_cast<int>(rows.size()));
    int y = 0;
    for (const auto& [name, pictures] : rows) {
        text += fmt::format("<text x=\"4\" y=\"{}\" font-weight=\"600\">{}</text>\n", y + 13,
                            escapedMarkup(name));
        for (std::size_t i = 0; i < pictures.images.size(); ++i) {
            const int x = kSide * static_cast<int>(i);
            text += fmt::format(
                "<image x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{2}\" href=\"{3}\"/>"
                "<text x=\"{4}\" y=\"{5}\" text-anchor=\"middle\">{6}</text>\n",
                x, y + kCaption, kSide, embedded(pictures.images[i]), x + kSide / 2,
                y + kCaption + kSide + 12, escapedMarkup(pictures.captions[i]));
        }
        y += height;
    }
    return text + "</svg>\n";
}

void writeFigures(const fs::path& folder, const std::vector<ComparedRun>& runs,
                  const std::vector<Comparison>& comparisons, std::size_t count,
                  const fs::path& imageRoot) {
    std::vector<std::pair<std::string, Pictures>> rows;
    for (std::size_t i = 0; i < std::min(count, comparisons.front().pairs.size()); ++i) {
        const std::size_t record = comparisons.front().pairs[i].first;
        std::vector<const ComparedRun*> sides{&runs.front()};
        std::vector<const SampleRecord*> records{&runs.front().run.records[record]};
        for (std::size_t k = 0; k < comparisons.size(); ++k) {
            const auto pair = std::ranges::find(comparisons[k].pairs, record, &SamplePair::first);
            sides.push_back(&runs[k + 1]);
            records.push_back(pair == comparisons[k].pairs.end()
                                  ? nullptr
                                  : &runs[k + 1].run.records[pair->second]);
        }
        const std::string& name = records.front()->name;
        rows.emplace_back(name,
                          picturesOf(sides, records, comparisons.front().protocol, imageRoot));
        const fs::path file = folder / thumbnailFile("", name).filename();
        const std::vector<Image>& images = rows.back().second.images;
        if (!images.empty()) writePng(file, sideBySide(images));
    }
    writeFileWhole(folder / "sheet.svg", sheetOf(rows));
}

}  // namespace

fs::path writeComparison(const fs::path& folder, const std::vector<ComparedRun>& runs,
                         const std::vector<Comparison>& comparisons, std::size_t figures,
                         const fs::path& imageRoot) {
    makeFolder(figures > 0 ? folder / "figures" : folder);
    ResultDialog results;
    std::string sections;
    for (std::size_t i = 0; i < comparisons.size(); ++i)
        sections += sectionOf(runs, i + 1, comparisons[i], imageRoot, results);
    const std::string style =
        std::string(viewerStyle()) + std::string(kStyle) + std::string(kOwnStyle);
    const std::string script =
        viewerScript() + std::string(dialogScript()) + std::string(kOwnScript);
    if (figures > 0) writeFigures(folder / "figures", runs, comparisons, figures, imageRoot);
    fs::path page = folder / kComparisonPage;
    const std::string content = filledPage(kPage, {{"policy", contentPolicy(style, script)},
                                                   {"style", style},
                                                   {"sections", sections},
                                                   {"results", results.html()},
                                                   {"script", script}});
    writeFileWhole(page, std::string(kComparisonPageStart) + content);
    return page;
}

}  // namespace threefold
