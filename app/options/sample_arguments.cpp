#include "app/options/sample_arguments.h"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <ios>
#include <utility>

#include <fmt/format.h>

#include "app/options/lists.h"
#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/unsupported_kinds.h"
#include "engine/formats/pictures/picture_formats.h"
#include "engine/sample/test_list.h"
#include "engine/sample/view_files.h"

namespace threefold {

std::vector<SampleArgument> expandSamples(const std::vector<std::string>& arguments) {
    std::vector<SampleArgument> samples;
    for (const std::string& name : arguments) {
        const bool piped = name == kStandardInput;
        if (!piped && !isTestList(name)) {
            samples.push_back({name});
            continue;
        }
        for (ListedName& listed : piped ? readListFromStandardInput() : readTestList(name))
            samples.push_back({std::move(listed.name),
                               fmt::format("{}, line {}", listSubject(name), listed.line)});
    }
    if (samples.empty())
        throw InputError({arguments.empty() ? "samples" : listSubject(arguments.front()), "",
                          "names no sample",
                          "Write one name a line, such as 02691156_p0001_00.dat."});
    return samples;
}

namespace {

void requireNoVideo(const std::filesystem::path& file) {
    constexpr std::size_t kHead = 32;
    if (!isFile(file)) return;
    std::string head(kHead, '\0');
    std::ifstream in(file, std::ios::binary);
    in.read(head.data(), kHead);
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
    if (!isVideo(asBytes(head))) return;
    throw InputError({file.string(), "", "is a video, photographs are needed",
                      "`threefold frames` takes sharp ones out of it."});
}

}  // namespace

std::vector<std::filesystem::path> photographsIn(const std::vector<std::filesystem::path>& paths) {
    std::vector<std::filesystem::path> photographs;
    for (const std::filesystem::path& path : paths) {
        if (!isFolder(path)) {
            requireNoVideo(path);
            photographs.push_back(path);
            continue;
        }
        const std::vector<std::filesystem::path> found = listPhotographs(path);
        if (found.empty()) {
            for (const std::filesystem::path& entry : tryListFolder(path)) requireNoVideo(entry);
            const std::string foreign = unsupportedPicturesText(path);
            throw InputError({path.string(), "",
                              foreign.empty() ? "holds no photograph"
                                              : fmt::format("holds no photograph: {}", foreign),
                              foreign.empty() ? fmt::format("Name a folder with {} pictures.",
                                                            pictureFormatNames(" or "))
                                              : "Convert them to PNG or JPEG."});
        }
        photographs.insert(photographs.end(), found.begin(), found.end());
    }
    return photographs;
}

Sample findSampleArgument(const SampleArgument& sample, const std::filesystem::path& imageRoot,
                          const std::filesystem::path& truthRoot, const ObjectPlacement& object,
                          TruthSpaceChoice truthSpace) try {
    if (sample.problem) throw InputError(*sample.problem);
    return findSample({.location = sample.location,
                       .imageRoot = imageRoot,
                       .truthRoot = truthRoot,
                       .placement = object,
                       .truthSpace = truthSpace});
} catch (const InputError& error) {
    if (sample.listLocation.empty()) throw;
    const ErrorReport& report = error.report();
    const bool missing = report.subject == sample.location && !pathExists(sample.location);
    throw InputError({sample.listLocation, "",
                      missing ? fmt::format("sample '{}' not found", sample.location)
                              : fmt::format("sample '{}': {}: {}", sample.location, report.subject,
                                            report.problem),
                      report.remedy});
}

}  // namespace threefold
