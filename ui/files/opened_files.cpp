#include "ui/files/opened_files.h"

#include <algorithm>
#include <utility>

#include "engine/evaluation/evaluation_list.h"
#include "engine/formats/pictures/image.h"
#include "ui/input/input_panel.h"

namespace threefold::ui {

OpenedFiles::OpenedFiles(const WindowParts& parts, InputPanel& input)
    : QObject(&parts.window),
      parts_(parts),
      input_(input),
      reading_(parts),
      truth_(parts, input, reading_) {
    addComparison();
    connect(&truth_, &TruthChoice::opened, this, &OpenedFiles::opened);
}

Comparison& OpenedFiles::nextComparison(const std::filesystem::path& file) {
    auto match = file.empty() ? comparisons_.end()
                              : std::ranges::find(comparisons_, file, &Comparison::file);
    if (match == comparisons_.end()) match = std::ranges::find_if(comparisons_, &Comparison::free);
    return match == comparisons_.end() ? addComparison() : **match;
}

Comparison& OpenedFiles::comparison(std::size_t index) {
    while (index >= comparisons_.size()) addComparison();
    return *comparisons_[index];
}

Comparison& OpenedFiles::addComparison() {
    const auto number = static_cast<std::uint32_t>(comparisons_.size() + 1);
    auto* added = new Comparison(parts_, input_, reading_, MeshId::opened(number));
    added->setParent(this);
    connect(added, &Comparison::opened, this, &OpenedFiles::opened);
    comparisons_.push_back(added);
    Q_EMIT comparisonAdded(added);
    return *added;
}

void OpenedFiles::open(const Opening& opening) {
    std::vector<std::filesystem::path> images;
    std::vector<std::filesystem::path> meshes;
    if (!opening.comparison.empty()) meshes.push_back(opening.comparison);
    std::filesystem::path truth = opening.truth;
    bool sample = false;
    for (const std::filesystem::path& file : opening.files) {
        const FileKind kind = fileKind(file);
        const bool points = kind == FileKind::mesh || kind == FileKind::truth;
        const bool hasResult = parts_.document.result() != nullptr;
        if ((opening.how == OpenAs::truth && points) || (kind == FileKind::truth && hasResult)) {
            truth = file;
        } else if (kind == FileKind::session) {
            Q_EMIT sessionRequested(file);
            return;
        } else if (kind == FileKind::list) {
            reading_.read(
                file, checking_, [file](const auto&) { return readSampleList(file); },
                [this, file](const EvaluationList&) {
                    Q_EMIT listRequested(file);
                    Q_EMIT opened(file);
                });
        } else if (kind == FileKind::model) {
            Q_EMIT modelRequested(file);
        } else if (kind == FileKind::mesh) {
            meshes.push_back(file);
        } else if (kind == FileKind::image) {
            images.push_back(file);
        } else if (!std::exchange(sample, true)) {
            parts_.window.openSample(file, opening.views);
            Q_EMIT opened(file);
        }
    }
    if (images.size() == 1 &&
        !sample) {  // a sample's image; otherwise findSample() reports what is missing
        reading_.read(
            images.front(), checking_,
            [image = images.front()](const auto&) { return readImage(image); },
            [this, image = images.front(), views = opening.views](const Image&) {
                parts_.window.openSample(image, views);
                Q_EMIT opened(image);
            });
        sample = true;
    } else if (images.size() > 1) {
        Q_EMIT imagesRequested(images);
    }
    // Two meshes without a sample: the first is judged against the second.
    const bool noSample = !sample && !parts_.document.result() && !input_.sample();
    if (noSample && meshes.size() > 1 && truth.empty()) {
        truth = meshes.back();
        meshes.pop_back();
    }
    for (const std::filesystem::path& mesh : meshes) nextComparison(mesh).compare(mesh);
    if (sample) {  // the current result belongs to another sample
        truth_.useForNext(truth);
    } else if (!truth.empty()) {
        truth_.use(truth);
    }
}

}  // namespace threefold::ui
