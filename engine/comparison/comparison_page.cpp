#include "engine/comparison/comparison_page.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/ranges.h>
#include <glm/geometric.hpp>

#include "engine/comparison/comparison_html.h"
#include "engine/comparison/comparison_tables.h"
#include "engine/comparison/comparison_texts.h"
#include "engine/error.h"
#include "engine/evaluation/report/record_web_result.h"
#include "engine/evaluation/run/output_files.h"
#include "engine/evaluation/run/run_display.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/pictures/image.h"
#include "engine/formats/pictures/square_pictures.h"
#include "engine/formats/text/text_encoding.h"
#include "engine/geometry/nearest.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "engine/sample/view_candidates.h"
#include "engine/sample_rendering/draw_mesh.h"
#include "engine/text.h"
#include "engine/web_page/page_parts.h"
#include "engine/web_page/sample_result.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStyle =
#include <report/report.css.inc>
    ;
constexpr std::string_view kOwnStyle = R"(
main.all { max-width: none; padding: 0; }
.sheet { max-width: 1440px; margin: 0 auto; padding: 0 32px 64px; }
.tile .value.two { font-size: 20px; white-space: nowrap; }
table .stage { padding-left: 16px; }
td.text, th.text { text-align: left; }
.pictures { grid-template-columns: repeat(auto-fill, minmax(min(100%, 400px), 1fr)); }
svg .point { fill: var(--accent); fill-opacity: .65; }
svg .bin { fill: var(--accent); }
svg .bin.good { fill: var(--good); }
svg .bin.bad { fill: var(--bad); }
.charts { grid-template-columns: repeat(auto-fit, minmax(300px, 480px)); }
)";
constexpr std::string_view kPage = R"(<head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{{policy}}">
<meta name="color-scheme" content="light dark">
<title>Threefold: {{title}}</title><style>{{style}}</style></head><body>
<main class="all">
{{sections}}</main>
{{results}}<script>{{script}}</script></body></html>
)";
constexpr std::string_view kOwnScript = R"(
for (const button of document.querySelectorAll('button[data-result]'))
  button.addEventListener('click', () => resultDialog.open(button.dataset.result));
)";
constexpr std::size_t kPicturedSamples = 10;
constexpr int kSide = 192;  // side of a picture, in pixels

/// Pictures of a sample, from left to right.
struct PictureRow {
    std::vector<Image> images;
    std::vector<std::string> captions;
};

/// Draws the photograph, the runs' meshes and the truth, as far as they are found.
PictureRow picturesOf(const std::vector<const ComparedRun*>& runs,
                      const std::vector<const SampleRecord*>& records, Protocol protocol,
                      const fs::path& imageRoot) {
    PictureRow pictures;
    std::optional<Image> photograph;
    std::optional<Image> truth;
    try {
        const SampleRecord& record = *records.front();
        Sample sample = sampleOfRecord(runs.front()->evaluation.description, record, imageRoot);
        const int view = record.silhouettes.empty() ? defaultViews(sample).front()
                                                    : record.silhouettes.front().view;
        photograph = readNetworkImage(sample, view);
        if (!record.truth.empty()) setTruth(sample, record.truth);
        if (sample.truth) truth = drawTruth(loadGroundTruth(sample, view), kSide);
    } catch (const Error&) {
        // The page shows the pictures that were found.
    }
    const auto add = [&](std::string caption, Image image) {
        pictures.captions.push_back(std::move(caption));
        pictures.images.push_back(std::move(image));
    };
    if (photograph) add("photograph", resizedToSquare(*photograph, kSide));
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (records[i] == nullptr || !runs[i]->readMesh) continue;
        const Mesh mesh = runs[i]->readMesh(*records[i]);
        if (mesh.faces.empty()) continue;
        const SampleScores* const scores = records[i]->scoresUnder(protocol);
        std::string caption = runLetter(i);
        if (scores != nullptr) {
            const ChamferAndFScores& measures = scores->best().measures;
            caption += fmt::format(": F(τ) {} %, CD {}",
                                   shownNumber(Unit::percent, measures.atTau().fScore),
                                   shownNumber(Unit::squaredDistance, measures.chamfer));
        }
        add(std::move(caption), drawMesh(mesh.vertices, mesh.faces, kSide));
    }
    if (truth) add("truth", *std::move(truth));
    return pictures;
}

/// Sets the `differences` of all vertices: distance of B to the truth minus distance of A. For the
/// mesh that does not have the vertex, the distance of its nearest vertex counts.
void addDifference(WebMesh& a, WebMesh& b) {
    if (a.values.empty() || b.values.empty()) return;
    const CloudPair clouds{a.mesh.vertices, b.mesh.vertices};
    const BidirectionalNeighbours nearest = bidirectionalNeighbours({&clouds, 1}).pairs.front();
    for (std::size_t i = 0; i < a.values.size(); ++i)
        a.differences.push_back(b.values[nearest.firstToSecond.indices[i]] - a.values[i]);
    for (std::size_t i = 0; i < b.values.size(); ++i)
        b.differences.push_back(b.values[i] - a.values[nearest.secondToFirst.indices[i]]);
}

/// Meshes A and B of a pair for the page, with their difference; nullopt if both are missing.
std::optional<WebResult> webResultOfPair(const ComparedRun& first, const ComparedRun& second,
                                         const SamplePair& pair, Protocol protocol,
                                         const fs::path& imageRoot) {
    std::vector<SampleMesh> meshes;
    const auto add = [&](const char* name, const ComparedRun& run, std::size_t index) {
        if (!run.readMesh) return;
        const SampleRecord& record = run.evaluation.records[index];
        const SampleScores* const scores = record.scoresUnder(protocol);
        const MeansByMesh means = meansOf(record.silhouettes);
        meshes.push_back({name, run.readMesh(record), scores != nullptr ? &scores->best() : nullptr,
                          means.empty() ? std::nullopt : std::optional(means.best())});
    };
    add("A", first, pair.firstRecordIndex);
    add("B", second, pair.secondRecordIndex);
    std::optional<WebResult> result =
        webResultOfRecord(first.evaluation, first.evaluation.records[pair.firstRecordIndex],
                          std::move(meshes), imageRoot);
    if (!result) return result;
    result->note = fmt::format("A: {} · B: {}{}{}", first.name, second.name,
                               result->note.empty() ? "" : " · ", result->note);
    const auto a = std::ranges::find(result->meshes, "A", &WebMesh::name);
    const auto b = std::ranges::find(result->meshes, "B", &WebMesh::name);
    if (a != result->meshes.end()) a->caption = first.name;
    if (b != result->meshes.end()) b->caption = second.name;
    if (a != result->meshes.end() && b != result->meshes.end()) addDifference(*a, *b);
    return result;
}

/// "F(τ) 43.99 → 83.01 %": a measure of a pair in A and B; empty if it was not measured.
std::string changeText(std::string_view name, const std::optional<PairedValue>& both, Unit unit,
                       std::string_view ending) {
    if (!both) return {};
    return fmt::format("{} {} → {}{}", name, shownNumber(unit, both->first),
                       shownNumber(unit, both->second), ending);
}

std::string captionOf(const SamplePair& pair) {
    std::vector<std::string> parts{changeText("F(τ)", pair.fScore, Unit::percent, " %"),
                                   changeText("CD", pair.chamfer, Unit::squaredDistance, ""),
                                   changeText("overlap", pair.overlap, Unit::fraction, "")};
    std::erase(parts, "");
    return fmt::format("{}", fmt::join(parts, " · "));
}

/// A section of pictures, and the viewer's results that a click on each picture opens.
struct PicturesSection {
    std::string html;
    std::vector<std::string> results;  ///< id of each pair's result in the dialog; empty: no result
};

/// Pictures of the samples that differ most. Adds to `results` what a click on each picture opens.
PicturesSection picturesSection(const std::vector<ComparedRun>& runs, std::size_t other,
                                const Comparison& comparison, const fs::path& imageRoot,
                                ResultDialog& results) {
    const ComparedRun& first = runs.front();
    const ComparedRun& second = runs[other];
    PicturesSection section;
    std::string& text = section.html;
    const std::string heading =
        comparison.pairs.size() > kPicturedSamples
            ? "The samples that differ most"
            : fmt::format("All {} samples, those that differ most first", comparison.pairs.size());
    text = fmt::format("<section>\n<h2>{}</h2>\n", heading);
    text +=
        "<p class=\"note\">Pictures, from left "
        "to right: photograph, A, B, truth. Numbers: A → B; CD: Chamfer distance, 10⁻⁴ object "
        "units². A click turns the meshes.</p>\n<div class=\"pictures\">\n";
    for (std::size_t i = 0; i < std::min(kPicturedSamples, comparison.pairs.size()); ++i) {
        const SamplePair& pair = comparison.pairs[i];
        const SampleRecord& record = first.evaluation.records[pair.firstRecordIndex];
        const PictureRow pictures = picturesOf(
            {&first, &second}, {&record, &second.evaluation.records[pair.secondRecordIndex]},
            comparison.protocol, imageRoot);
        std::string& id = section.results.emplace_back();
        if (pictures.images.empty()) continue;
        if (auto result = webResultOfPair(first, second, pair, comparison.protocol, imageRoot)) {
            id = fmt::format("pair-{}-{}", other, i);
            results.add(id, *result);
        }
        text += fmt::format(
            "<div><button type=\"button\" class=\"turns\"{}><img alt=\"{}\" src=\"{}\"></button>"
            "<div class=\"caption\">{}<div class=\"muted\">{}</div></div></div>\n",
            id.empty() ? " disabled" : fmt::format(" data-result=\"{}\"", id),
            id.empty() ? "" : "Turn the meshes", pictureUri(sideBySide(pictures.images)),
            nameHtml(record.name, id), escapeHtml(captionOf(pair)));
    }
    text += "</div></section>\n";
    return section;
}

std::string runLine(const char* letter, const ComparedRun& run) {
    const RunDescription& description = run.evaluation.description;
    std::vector<std::string> parts{run.name};
    if (!description.backendDescription.empty()) parts.push_back(description.backendDescription);
    parts.push_back(fmt::format("views {}", viewsText(run.evaluation)));
    parts.push_back(description.identity.fit ? "fitted to " + fitText(*description.identity.fit)
                                             : "not fitted");
    if (description.startedAt.size() > 16)  // to the minute
        parts.push_back(fmt::format("{} {} UTC", description.startedAt.substr(0, 10),
                                    description.startedAt.substr(11, 5)));
    return fmt::format("<br>{}: {}", letter,
                       escapeHtml(fmt::format("{}", fmt::join(parts, " · "))));
}

/// Head of the page: names of both runs, protocol, and the settings that both runs share.
std::string headHtml(const ComparedRun& first, const ComparedRun& second,
                     const Comparison& comparison) {
    const RunIdentity& identity = first.evaluation.description.identity;
    const RunIdentity& other = second.evaluation.description.identity;
    std::string text = fmt::format(
        "<header class=\"page\"><div><h1>A {} and B {} compared</h1>\n<p class=\"muted\">",
        escapeHtml(first.name), escapeHtml(second.name));
    if (!identity.version.empty())
        text += fmt::format("Threefold {} · ", escapeHtml(identity.version));
    const std::size_t count = comparison.pairs.size();
    text +=
        fmt::format("{} sample{} · {} protocol: {} · τ = {:g} object units² of squared distance",
                    count, count == 1 ? "" : "s", protocolName(comparison.protocol),
                    protocolDescription(comparison.protocol), identity.measures.tau);
    text += runLine("A", first) + runLine("B", second);
    if (!identity.modelHash.empty() && identity.modelHash == other.modelHash)
        text += fmt::format("<br>Both: the same model{}",
                            identity.precision == other.precision ? " and precision" : "");
    return text + "</p></div></header>\n";
}

/// Verdicts and remarks; a longer text replaces the remark on a fit.
std::string notesHtml(const ComparedRun& first, const ComparedRun& second,
                      const Comparison& comparison) {
    std::string text =
        fmt::format("<p class=\"verdict\">{}</p>\n", escapeHtml(verdictText(comparison)));
    if (first.evaluation.description.identity.fit || second.evaluation.description.identity.fit)
        text +=
            "<p>A fit has seen the photographs that the overlap is measured on, and may have seen "
            "more than the network. A mesh of more vertices scores higher by the published "
            "protocol: a click on a sample shows the numbers of as many points of each surface."
            "</p>\n";
    if (const std::string times = timeVerdictText(comparison); !times.empty())
        text += fmt::format("<p>{}</p>\n", escapeHtml(times));
    for (const ComparisonRemark& remark : comparison.remarks)
        if (remark.kind != ComparisonRemark::Kind::fit)
            text += fmt::format("<p class=\"note\">{}</p>\n", escapeHtml(remark.text));
    return text;
}

/// The tables of times, folded if the times are not comparable.
std::string timesHtml(const Comparison& comparison, const std::vector<ComparisonTable>& tables) {
    std::string times;
    for (const ComparisonTable& table : tables)
        if (table.kind == ComparisonTable::Kind::times ||
            table.kind == ComparisonTable::Kind::networkSteps)
            times += tableHtml(table);
    times = "<div class=\"split\">\n" + times + "</div>\n";
    return comparison.isOnlyOneFitted
               ? "<details><summary>Times, not comparable</summary>\n" + times + "</details>\n"
               : times;
}

/// A comparison's part of the page. Adds to `results` what a click on each of its pictures opens.
std::string sectionOf(const std::vector<ComparedRun>& runs, std::size_t other,
                      const Comparison& comparison, const fs::path& imageRoot,
                      ResultDialog& results) {
    const ComparedRun& first = runs.front();
    const ComparedRun& second = runs[other];
    const std::vector<ComparisonTable> tables = comparisonTables(first, comparison);
    const PicturesSection pictures = picturesSection(runs, other, comparison, imageRoot, results);
    std::string text = headHtml(first, second, comparison) + "<div class=\"sheet\">\n" +
                       notesHtml(first, second, comparison) + tilesHtml(comparison) +
                       tableHtml(tables.front());
    if (comparison.categories.size() > 1) text += categoriesHtml(comparison);
    text += pictures.html;
    text += samplesHtml(first, comparison, pictures.results);
    if (comparison.pairs.front().fScore) text += chartsHtml(first, comparison.pairs);
    return text + timesHtml(comparison, tables) + "</div>\n";
}

/// SVG with all samples in rows, with captions as text.
std::string sheetOf(const std::vector<std::pair<std::string, PictureRow>>& rows) {
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
                            escapeHtml(name));
        for (std::size_t i = 0; i < pictures.images.size(); ++i) {
            const int x = kSide * static_cast<int>(i);
            text += fmt::format(
                "<image x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{2}\" href=\"{3}\"/>"
                "<text x=\"{4}\" y=\"{5}\" text-anchor=\"middle\">{6}</text>\n",
                x, y + kCaption, kSide, pictureUri(pictures.images[i]), x + kSide / 2,
                y + kCaption + kSide + 12, escapeHtml(pictures.captions[i]));
        }
        y += height;
    }
    return text + "</svg>\n";
}

void writeFigures(const fs::path& folder, const std::vector<ComparedRun>& runs,
                  const std::vector<Comparison>& comparisons, std::size_t count,
                  const fs::path& imageRoot) {
    std::vector<std::pair<std::string, PictureRow>> rows;
    for (std::size_t i = 0; i < std::min(count, comparisons.front().pairs.size()); ++i) {
        const std::size_t record = comparisons.front().pairs[i].firstRecordIndex;
        std::vector<const ComparedRun*> sides{&runs.front()};
        std::vector<const SampleRecord*> records{&runs.front().evaluation.records[record]};
        for (std::size_t k = 0; k < comparisons.size(); ++k) {
            const auto pair =
                std::ranges::find(comparisons[k].pairs, record, &SamplePair::firstRecordIndex);
            sides.push_back(&runs[k + 1]);
            records.push_back(pair == comparisons[k].pairs.end()
                                  ? nullptr
                                  : &runs[k + 1].evaluation.records[pair->secondRecordIndex]);
        }
        const std::string& name = records.front()->name;
        rows.emplace_back(name,
                          picturesOf(sides, records, comparisons.front().protocol, imageRoot));
        const fs::path file = folder / thumbnailFile("", name).filename();
        const std::vector<Image>& images = rows.back().second.images;
        if (!images.empty()) writePng(file, sideBySide(images));
    }
    writeFileAtomically(folder / "sheet.svg", sheetOf(rows));
}

}  // namespace

fs::path writeComparisonPage(const fs::path& folder, const std::vector<ComparedRun>& runs,
                             const std::vector<Comparison>& comparisons, std::size_t figureCount,
                             const fs::path& imageRoot) {
    makeFolder(figureCount > 0 ? folder / "figures" : folder);
    ResultDialog results;
    std::string sections;
    for (std::size_t i = 0; i < comparisons.size(); ++i)
        sections += sectionOf(runs, i + 1, comparisons[i], imageRoot, results);
    const std::string style =
        std::string(viewerStyle()) + std::string(kStyle) + std::string(kOwnStyle);
    const std::string script =
        std::string(viewerScript()) + std::string(dialogScript()) + std::string(kOwnScript);
    if (figureCount > 0)
        writeFigures(folder / "figures", runs, comparisons, figureCount, imageRoot);
    fs::path page = folder / kComparisonPageName;
    const std::string title =
        fmt::format("A {} and B {}", escapeHtml(runs[0].name), escapeHtml(runs[1].name));
    const std::string content =
        fillTemplate(kPage, {{"policy", contentSecurityPolicy(style, script)},
                             {"title", title},
                             {"style", style},
                             {"sections", sections},
                             {"results", results.html(webMeasures())},
                             {"script", script}});
    writeFileAtomically(page, std::string(kComparisonPageStart) + content);
    return page;
}

}  // namespace threefold
