#include "engine/evaluation/result_files.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/evaluation/measures_csv.h"
#include "engine/evaluation/record_web_result.h"
#include "engine/evaluation/report_html.h"
#include "engine/evaluation/report_json.h"
#include "engine/evaluation/run_texts.h"
#include "engine/evaluation/shown_lists.h"
#include "engine/evaluation/summary.h"
#include "engine/evaluation/text_reports.h"
#include "engine/evaluation/thumbnail.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/sha256.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/meshes/mesh_files.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

void removeFile(const fs::path& file) {
    std::error_code gone;
    fs::remove(file, gone);
}

/// Whether a name, from a file that may have been edited, is safe as a file name.
bool isPlainName(std::string_view name) {
    return !name.empty() && name.find('/') == std::string_view::npos;
}

/// Whether a file is there with the content that a run wrote.
bool isAsWritten(const fs::path& file, const WrittenFile& written) {
    std::error_code error;
    if (!isFile(file) || fs::file_size(file, error) != written.bytes || error) return false;
    try {
        return sha256(readFile(file)) == written.hash;
    } catch (const IoError&) {
        return false;
    }
}

/// Content of a record's mesh file by its index in meshFilesOf(); null if the run did not write it.
const WrittenFile* writtenMesh(const SampleRecord& record, std::size_t index) {
    return record.meshes && index < record.meshes->size() ? &(*record.meshes)[index] : nullptr;
}

/// Reads a thumbnail; empty if the file is missing or too large.
std::vector<std::byte> thumbnailBytes(const fs::path& file) {
    constexpr std::uintmax_t kMaxBytes = std::uintmax_t{1} << 20;
    try {
        return readFile(file, kMaxBytes);
    } catch (const IoError&) {
        return {};
    }
}

}  // namespace

void writeReports(const EvaluationRun& run, const fs::path& folder, const ReportOptions& options) {
    const EvaluationSummary summary = summarise(run);
    const std::vector<SampleRecord>& records = run.records;
    const std::vector<std::size_t> shown = shownRecords(records);
    ReportPage page;
    for (const std::size_t record : shown)
        page.pictures.push_back(
            {record, thumbnailBytes(thumbnailFile(folder, displayName(records[record])))});
    std::vector<std::size_t> embedded = shown;
    if (options.embedded == EmbeddedMeshes::all)
        for (std::size_t i = 0; i < records.size() && embedded.size() < kMaxEmbedded; ++i)
            if (std::ranges::find(shown, i) == shown.end()) embedded.push_back(i);
    for (const std::size_t record : embedded) {
        const fs::path& meshes = options.meshFolders.empty() ? folder : options.meshFolders[record];
        const auto result = webResultOfRecord(
            run, records[record], writtenMeshes(meshes, run, records[record]), options.imageRoot);
        if (result) page.results.add(fmt::format("sample-{}", record), *result);
    }
    writeFileAtomically(folder / kMetricsCsvName, measuresCsv(run));
    writeFileAtomically(folder / kMetricsSummaryName, measuresSummaryText(run, summary));
    writeFileAtomically(folder / kTimingsName, combinedTimingsText(run, summary));
    writeFileAtomically(folder / kReportJsonName, reportJson(run, summary));
    writeFileAtomically(folder / kReportHtmlName, reportHtml(run, summary, page));
}

std::vector<fs::path> possibleMeshFiles(const fs::path& folder, const std::string& name) {
    return {folder / (name + kPredictionSuffix + ".obj"),
            folder / (name + kPredictionSuffix + ".xyz"), folder / (name + kFittedSuffix + ".obj")};
}

std::vector<fs::path> meshFilesOf(const fs::path& folder, const SampleRecord& record) {
    std::vector<fs::path> files = possibleMeshFiles(folder, record.name);
    const bool isFitted =
        std::ranges::any_of(record.scores,
                            [](const auto& scores) { return scores.fitted() != nullptr; }) ||
        meansOf(record.silhouettes, kFittedMesh);
    if (!isFitted) files.pop_back();
    return files;
}

bool hasItsMeshes(const fs::path& folder, const SampleRecord& record) {
    const std::vector<fs::path> files = meshFilesOf(folder, record);
    for (std::size_t i = 0; i < files.size(); ++i) {
        const WrittenFile* const written = writtenMesh(record, i);
        if (written == nullptr || !isAsWritten(files[i], *written)) return false;
    }
    return true;
}

std::vector<fs::path> otherMeshesOf(const fs::path& folder, const SampleRecord& record) {
    std::vector<fs::path> others;
    const std::vector<fs::path> files = meshFilesOf(folder, record);
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (!pathExists(files[i])) continue;
        const WrittenFile* const written = writtenMesh(record, i);
        if (written == nullptr || !isAsWritten(files[i], *written)) others.push_back(files[i]);
    }
    return others;
}

std::vector<WrittenFile> writeMeshes(const fs::path& folder, const std::string& name,
                                     const FittedReconstruction& reconstruction) {
    const std::vector<fs::path> files = possibleMeshFiles(folder, name);
    std::vector<WrittenFile> written;
    const auto write = [&](MeshFormat format, const Mesh& mesh) {
        const std::string text = encodeMesh(format, mesh);
        writeFileAtomically(files[written.size()], text);
        written.push_back({text.size(), sha256(asBytes(text))});
    };
    const Mesh result{reconstruction.result().vertices, reconstruction.faces()};
    write(MeshFormat::obj, result);
    write(MeshFormat::xyz, result);
    if (reconstruction.fitted) write(MeshFormat::obj, *reconstruction.fitted);
    return written;
}

void removeFilesOf(const fs::path& folder, const std::vector<SampleRecord>& records,
                   RunFiles files) {
    for (const SampleRecord& record : records) {
        if (!isPlainName(record.name)) continue;
        // A failed sample has no meshes of this run: files of these names are another program's.
        if (files == RunFiles::all && record.succeeded())
            for (const fs::path& file : meshFilesOf(folder, record)) removeFile(file);
        removeFile(thumbnailFile(folder, record.name));
    }
    for (const char* name : kReportNames) removeFile(folder / name);
    removeFile(folder / kThumbnailFolder);  // only if empty
}

void removeUnshownThumbnails(const fs::path& folder, const std::vector<SampleRecord>& records) {
    std::set<fs::path> shown;
    for (const std::size_t i : shownRecords(records))
        shown.insert(thumbnailFile(folder, records[i].name));
    for (const SampleRecord& record : records) {
        if (!isPlainName(record.name)) continue;
        const fs::path file = thumbnailFile(folder, record.name);
        if (!shown.contains(file)) removeFile(file);
    }
}

}  // namespace threefold
