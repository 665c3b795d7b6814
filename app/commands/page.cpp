#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/commands/commands.h"
#include "app/configuration/bind_settings.h"
#include "app/configuration/number_range.h"
#include "app/configuration/setting.h"
#include "app/console/interrupt.h"
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
#include "engine/evaluation/thumbnail.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "engine/text.h"
#include "engine/web_page/sample_result.h"
#include "engine/web_page/web_page.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPageExamples =
    R"(A SOURCE is a test list, as `threefold eval` takes it, a data set's folder, or a sample. The page
is one file that makes no request: it opens from a disk, a mail or any server. It shows the
photographs, all meshes and the truth side by side in 3D, turning together, coloured by their
distance to the truth. A sample that fails is left out.

Examples:
  threefold page p0001 -o page.html
  threefold page list.txt --images ShapeNetRendering --gt gt --fit-views all -o page.html
  threefold page mug/cameras.json --texture -o mug.html)";

constexpr std::size_t kMaxResults = 100;

/// The options of `threefold page`.
struct PageRequest {
    ModelOptions model;
    std::vector<fs::path> sources;
    fs::path output;
    std::string title;
    EntryRequest entries;
    /// Value of --vertices. `entries.fit`, if set, also has this number; the copy here serves to
    /// refuse --vertices without a fit.
    std::optional<std::size_t> vertices;
    int texture = 0;
};

std::size_t entryCount(const std::vector<EvaluationList>& lists) {
    std::size_t count = 0;
    for (const EvaluationList& list : lists) count += list.entries.size();
    return count;
}

/// Throws UsageError if the sample is read from `file`.
void requireNotAnInput(const Sample& sample, const fs::path& file) {
    if (pathExists(file) && isInputOf(sample, file))
        throw UsageError(
            {"-o", file.string(), "is a file that the page shows", "Name another one."});
}

/// Reads all sources. Throws UsageError if they hold more than kMaxResults samples.
std::vector<EvaluationList> readLists(const std::vector<fs::path>& sources) {
    std::vector<EvaluationList> lists;
    for (const fs::path& source : sources) lists.push_back(readList(source));
    if (const std::size_t count = entryCount(lists); count > kMaxResults)
        throw UsageError({"page", "",
                          fmt::format("{} samples, expected at most {}", count, kMaxResults),
                          "Choose fewer of them."});
    return lists;
}

/// Reconstructs a sample of a list and adds its result to the page. Throws UsageError if the page
/// would replace a file of the sample; otherwise throws as measuredEntry() does.
void addResult(WebPage& page, NetworkService& network, const EvaluationList& list,
               const ListEntry& entry, const PageRequest& request, const std::stop_token& cancel) {
    const MeasuredSample measured =
        measuredEntry(network, entry, list.imageRoot, request.entries, cancel);
    requireNotAnInput(*measured.loaded.sample, request.output);
    std::vector<std::string> notes;
    WebResult result = webResultOfSample(
        measured,
        {.textureSide = request.texture, .threads = request.model.threads, .cancel = cancel},
        notes);
    result.fallbackPicture = makeThumbnail(measured.loaded.input, measured.reconstruction);
    for (const std::string& note : notes) spdlog::warn("{}: {}", entry.listedName, note);
    page.results.push_back(std::move(result));
}

ExitCode page(const PageRequest& request) {
    requireReplaceable("-o", request.output, kWebPageStart, "a page of results");
    const std::vector<EvaluationList> lists = readLists(request.sources);
    const Interrupt interrupt;
    const OpenedNetwork opened = openNetwork(request.model);
    WebPage page{.title = request.title,
                 .subtitle = webSubtitle(THREEFOLD_VERSION),
                 .measures = webMeasures()};
    for (const EvaluationList& list : lists)
        for (const ListEntry& entry : list.entries) {
            try {
                addResult(page, *opened.network, list, entry, request, interrupt.token());
            } catch (const UsageError&) {
                throw;
            } catch (const Error& error) {
                spdlog::error("{}", error.what());
            }
        }
    if (page.results.empty()) return ExitCode::failed;
    if (page.title.empty())
        page.title = page.results.size() == 1 ? page.results.front().name : "Threefold: results";
    page.colours = withSharedRange(page.colours, page.results);
    writeFileAtomically(request.output, webPageHtml(page));
    printText(fmt::format("{}: {} object{}\n", request.output.string(), page.results.size(),
                          page.results.size() == 1 ? "" : "s"));
    return page.results.size() == entryCount(lists) ? ExitCode::done : ExitCode::someFailed;
}

}  // namespace

void addPage(CLI::App& program, CommandLine& line) {
    auto request = std::make_shared<PageRequest>();
    CLI::App& command =
        addCommand(program, "page", "Write interactive 3D meshes as one web page", kPageExamples);
    addValue(command, "sources", request->sources, "SOURCE...", "Lists, folders or samples to show")
        ->required();
    addValue(command, "-o,--output", request->output, "FILE", "The page: page.html")->required();
    addValue(command, "--title", request->title, "TEXT",
             "Title of the page; the sample's name if not given");
    addSetting(command, setting::views, request->entries.views);
    addFitWithVertices(command, request->entries.fit, request->vertices,
                       "Vertices of the fitted mesh");
    addTexture(command, request->texture);
    addListRoots(command, request->entries.imageRoot, request->entries.truthRoot);
    addModelOptions(command, line.model);
    setAction(command, line, [&line, request] {
        request->model = line.model;
        request->model.quantisationImageRoot = request->entries.imageRoot;
        request->entries.threads = line.model.threads;
        request->entries.silhouettes = true;
        requireFit(request->entries.fit, request->vertices);
        return page(*request);
    });
}

}  // namespace threefold
