#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <QGuiApplication>

#include "app/commands/commands.h"
#include "app/configuration/bind_settings.h"
#include "app/configuration/number_range.h"
#include "app/configuration/setting.h"
#include "app/console/exit_code.h"
#include "app/console/interrupt.h"
#include "app/console/option_names.h"
#include "app/console/output.h"
#include "app/options/add_option.h"
#include "app/options/fit_options.h"
#include "app/options/lists.h"
#include "app/options/model_options.h"
#include "app/options/open_network.h"
#include "app/options/output_folder.h"
#include "app/options/sample_options.h"
#include "app/reconstruct/measured_entry.h"
#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/text/text_encoding.h"
#include "render/address_space.h"
#include "ui/figure/figure_page.h"
#include "ui/results/look_words.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFigureExamples =
    R"(A SOURCE is a test list, as `threefold eval` takes it, a data set's folder, or a sample. All cells
of a row show the same part of the same view; all rows have one scale. A sample that fails keeps its
row, with the reason.

Examples:
  threefold figure list.txt --images ShapeNetRendering --gt gt -o sheet.pdf
  threefold figure p0001 p0002 --columns photo,refined,truth --width 85 -o sheet.svg
  threefold figure list.txt --fit-views all --colour normals --camera 30,20 -o sheet.png
  threefold figure p0001 --columns refined,truth --pixels 1280 -o turning.mp4)";

/// The options of `threefold figure`.
struct FigureRequest {
    ModelOptions model;
    std::vector<fs::path> sources;
    fs::path output;
    ui::FigurePage page;  ///< settings that have an option each
    std::vector<std::string> columns;
    EntryRequest entries;
    std::vector<double> camera;
    int pixels = 0;  ///< width in pixels; 0: FigurePage::widthMillimetres
    bool light = false;
};

template <class Words>
std::vector<std::string> wordsWith(const Words& words, std::vector<std::string> more = {}) {
    more.insert(more.end(), std::begin(words), std::end(words));
    return more;
}

/// Enumerator that a word names. `words`: the enumeration's words, in its order. Throws UsageError
/// for any other word.
template <class Enumerator, class Words>
Enumerator enumeratorOf(const Words& words, const std::string& word) {
    const auto found = std::ranges::find(words, word);
    if (found == std::end(words))
        throw UsageError({"figure", word, fmt::format("expected {}", fmt::join(words, ", ")), ""});
    return static_cast<Enumerator>(found - std::begin(words));
}

std::vector<std::string> columnWords() {
    std::vector<std::string> words;
    for (const ui::MeshId column : ui::figureColumns())
        words.push_back(ui::figureColumnName(column));
    return words;
}

/// Quantity of a --colour word.
ui::Quantity quantityOf(const std::string& word) {
    if (word == "distance") return ui::Quantity::distanceToTruth;
    if (word == "plain") return ui::Quantity::none;
    return enumeratorOf<ui::Quantity>(ui::kQuantityWords, word);
}

ui::FigurePage pageWithoutRows(const FigureRequest& request) {
    ui::FigurePage page = request.page;
    const std::vector<ui::MeshId> all = ui::figureColumns();
    for (const std::string& word : request.columns)
        page.columns.push_back(*std::ranges::find(all, word, ui::figureColumnName));
    if (request.pixels > 0)
        page.widthMillimetres = request.pixels * ui::kMillimetresPerInch / page.dpi;
    page.dark = !request.light;
    if (!request.camera.empty()) page.viewDirection = {request.camera[0], request.camera[1]};
    return page;
}

/// Reads the lists of all sources. Throws UsageError if they have too many samples.
std::vector<EvaluationList> readLists(std::span<const fs::path> sources) {
    std::vector<EvaluationList> lists;
    std::size_t count = 0;
    for (const fs::path& source : sources)
        count += lists.emplace_back(readList(source)).entries.size();
    if (count > ui::kMaxFigureRows)
        throw UsageError({"figure", "",
                          fmt::format("{} samples, expected at most {}", count, ui::kMaxFigureRows),
                          "Choose fewer of them."});
    return lists;
}

/// A row for each sample of the lists; a sample that fails keeps its row, with the reason.
std::vector<ui::FigureRow> measureRows(const FigureRequest& request,
                                       std::span<const EvaluationList> lists,
                                       const std::stop_token& cancel) {
    const OpenedNetwork opened = openNetwork(request.model);
    const auto rowOf = [&](const EvaluationList& list, const ListEntry& entry) -> ui::FigureRow {
        try {
            return {ui::makeResult(
                measuredEntry(*opened.network, entry, list.imageRoot, request.entries, cancel))};
        } catch (const Error& error) {
            spdlog::error("{}", error.what());
            return {nullptr, QString::fromStdString(entry.listedName),
                    QString::fromStdString(withOptionNames(error.what()))};
        }
    };
    std::vector<ui::FigureRow> rows;
    for (const EvaluationList& list : lists)
        for (const ListEntry& entry : list.entries) rows.push_back(rowOf(list, entry));
    return rows;
}

/// Throws UsageError or IoError if a file cannot be written, or exists and is of another kind than
/// its name says.
void requireFigureOrNothing(const fs::path& file) {
    const std::string extension = lowered(file.extension().string());
    if (extension == ".pdf")
        requireReplaceable("-o", file, "%PDF-", "a PDF");
    else if (extension == ".svg")
        requireReplaceable("-o", file, "<?xml ", "an SVG");
    else if (extension == ".png")
        requireReplaceable("-o", file, "\x89PNG", "a PNG");
    else if (extension == ".mp4")  // after the size of the first box
        requireReplaceable(
            "-o", file, [](std::string_view begins) { return begins.find("ftyp") == 4; }, "an MP4");
    else if (extension == ".webm")
        requireReplaceable("-o", file, "\x1A\x45\xDF\xA3", "a WebM");
    else
        requireWritable(file);
}

/// Throws UsageError if a sample of the rows was read from a file that is to be written.
void requireNoInputs(std::span<const fs::path> toWrite, std::span<const ui::FigureRow> rows) {
    for (const fs::path& file : toWrite)
        for (const ui::FigureRow& row : rows)
            if (row.result && pathExists(file) && isInputOf(*row.result->sample, file))
                throw UsageError(
                    {"-o", file.string(), "is a file that the figure shows", "Name another one."});
}

/// Draws the figure without a display; Qt's fonts need the application object. Returns the files
/// written.
std::vector<fs::path> drawOffscreen(const ui::FigurePage& page, const fs::path& output,
                                    const std::stop_token& cancel) {
    qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString& text) {
        spdlog::debug("{}", text.toStdString());
    });
    std::string words[] = {"threefold", "-platform", "offscreen"};
    char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
    int argumentCount = 3;
    const QGuiApplication application(argumentCount, arguments);
    return ui::writeFigure(page, output, {.cancel = cancel});
}

ExitCode figure(const FigureRequest& request) {
    ui::requireFigureFile(request.output, request.page.turntableFrameCount);
    const std::vector<fs::path> toWrite =
        ui::figureFiles(request.output, request.page.turntableFrameCount);
    for (const fs::path& file : toWrite) requireFigureOrNothing(file);
    render::requireAddressSpace();
    const std::vector<EvaluationList> lists = readLists(request.sources);
    ui::FigurePage page = pageWithoutRows(request);
    const Interrupt interrupt;
    page.rows = measureRows(request, lists, interrupt.token());
    const ExitCode code = exitCodeOf(page.rows, [](auto& row) { return row.result != nullptr; });
    if (code == ExitCode::failed) return code;
    requireNoInputs(toWrite, page.rows);
    const std::size_t count = page.rows.size();
    const std::vector<fs::path> files = drawOffscreen(page, request.output, interrupt.token());
    const std::string last =
        files.size() == 1 ? "" : fmt::format(" … {}", files.back().filename().string());
    printText(fmt::format("{}{}: {} object{}\n", files.front().string(), last, count,
                          count == 1 ? "" : "s"));
    return code;
}

}  // namespace

void addFigure(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<FigureRequest>();
    request->page.look.quantity = ui::Quantity::distanceToTruth;
    CLI::App& command = addCommand(program, "figure",
                                   "Draw objects × methods as a figure: PDF, SVG, PNG, or a video",
                                   kFigureExamples);
    addValue(command, "sources", request->sources, "SOURCE...",
             "Each of their samples becomes a row")
        ->required();
    addValue(
        command, "-o,--output", request->output, "FILE",
        "File to write: .pdf, .svg or .png; with .mp4 or .webm a video of the meshes turning once")
        ->required();
    addList(command, "--columns", request->columns, "NAME,...",
            fmt::format("Columns, of {}; all available ones if not given",
                        fmt::join(columnWords(), ", ")))
        ->check(CLI::IsMember(columnWords()));
    addSetting(command, setting::views, request->entries.views);
    addFit(command, request->entries.fit);
    const auto colourWords = wordsWith(ui::kQuantityWords, {"distance", "plain"});
    command
        .add_option_function<std::string>(
            "--colour,--color",
            [request](const std::string& word) { request->page.look.quantity = quantityOf(word); },
            fmt::format("Colours of the surfaces, of {}; distance (to the truth) if not given",
                        fmt::join(colourWords, ", ")))
        ->option_text("NAME")
        ->check(CLI::IsMember(colourWords));
    addList(command, "--camera", request->camera, "AZIMUTH,ELEVATION",
            "Direction of view in degrees, for all rows; each row's first view if not given")
        ->expected(2)
        ->check(numberValidator(NumberRange::degrees(-kMaxRowDegrees, kMaxRowDegrees)));
    addValue(
        command, "--turn", request->page.turntableFrameCount, "N",
        "Number of pictures of one turn. Video (30 a second): 120 if not given. PNG: writes that "
        "many files")
        ->check(numberValidator(NumberRange::wholeNumber(2, 999)));
    addValue(command, "--width", request->page.widthMillimetres, "MM",
             "Width of the sheet; 170 if not given")
        ->check(numberValidator(NumberRange::millimetres(30, 2000)));
    addValue(command, "--dpi", request->page.dpi, "N",
             "Resolution of photographs and meshes, and of a PNG; 300 if not given")
        ->check(numberValidator(NumberRange::wholeNumber(36, 2400)));
    addValue(command, "--pixels", request->pixels, "N", "Width in pixels, in place of --width")
        ->check(numberValidator(NumberRange::wholeNumber(200, 32000)));
    command
        .add_option_function<std::string>(
            "--background",
            [request](const std::string& word) {
                request->page.background =
                    enumeratorOf<ui::FigureBackground>(ui::kFigureBackgrounds, word);
            },
            "white (if not given), transparent, or theme (as the window's panes)")
        ->option_text("NAME")
        ->check(CLI::IsMember(wordsWith(ui::kFigureBackgrounds)));
    command.add_flag("--light", request->light, "Use the light theme instead of the dark one");
    addListRoots(command, request->entries.imageRoot, request->entries.truthRoot);
    addModelOptions(command, line.model);
    setAction(command, line, [&line, request] {
        request->model = line.model;
        request->model.quantisationImageRoot = request->entries.imageRoot;
        request->entries.threads = line.model.threads;
        return figure(*request);
    });
}

}  // namespace threefold
