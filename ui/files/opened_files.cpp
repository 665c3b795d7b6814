#include "ui/files/opened_files.h"

#include <algorithm>

#include <QStringList>

#include "engine/evaluation/list/evaluation_list.h"
#include "engine/formats/pictures/image.h"
#include "ui/document/input_model.h"
#include "ui/style/path_text.h"

namespace threefold::ui {

/// Files of a request by kind. The files of a kind are in the order of the request.
struct OpenedFiles::SortedFiles {
    std::vector<std::filesystem::path> samples, images, meshes, sessions, lists, models;
    std::filesystem::path truth;  ///< the last one; empty: none
};

OpenedFiles::SortedFiles OpenedFiles::sorted(const OpenRequest& request, bool hasResult) {
    SortedFiles files;
    if (!request.meshBesideResult.empty()) files.meshes.push_back(request.meshBesideResult);
    files.truth = request.truth;
    for (const std::filesystem::path& file : request.files) {
        const FileKind kind = fileKind(file);
        const bool points = kind == FileKind::mesh || kind == FileKind::truth;
        if ((request.filesRole == FileRole::truth && points) ||
            (kind == FileKind::truth && hasResult)) {
            files.truth = file;
            continue;
        }
        std::vector<std::filesystem::path>& list = kind == FileKind::session ? files.sessions
                                                   : kind == FileKind::list  ? files.lists
                                                   : kind == FileKind::model ? files.models
                                                   : kind == FileKind::mesh  ? files.meshes
                                                   : kind == FileKind::image ? files.images
                                                                             : files.samples;
        list.push_back(file);
    }
    return files;
}

OpenedFiles::OpenedFiles(const FeatureContext& context)
    : QObject(&context.window), context_(context), tasks_(context), truthChoice_(context, tasks_) {
    addMeshSource();
    connect(&truthChoice_, &TruthChoice::opened, this, &OpenedFiles::opened);
}

OpenedMeshSource& OpenedFiles::nextMeshSource(const std::filesystem::path& file) {
    auto match = file.empty() ? meshSources_.end()
                              : std::ranges::find(meshSources_, file, &OpenedMeshSource::file);
    if (match == meshSources_.end())
        match = std::ranges::find_if(meshSources_, &OpenedMeshSource::isFree);
    return match == meshSources_.end() ? addMeshSource() : **match;
}

OpenedMeshSource& OpenedFiles::meshSource(std::size_t index) {
    while (index >= meshSources_.size()) addMeshSource();
    return *meshSources_[index];
}

OpenedMeshSource& OpenedFiles::addMeshSource() {
    const auto number = static_cast<std::uint32_t>(meshSources_.size() + 1);
    auto* added = new OpenedMeshSource(context_, tasks_, MeshId::opened(number));
    added->setParent(this);
    connect(added, &OpenedMeshSource::opened, this, &OpenedFiles::opened);
    meshSources_.push_back(added);
    Q_EMIT meshSourceAdded(added);
    return *added;
}

void OpenedFiles::open(const OpenRequest& request) {
    // Hides the banner before reading, since the files are read concurrently, and a file that was
    // read must not hide the failure of another file.
    context_.banner.hide();
    SortedFiles files = sorted(request, context_.document.result.current() != nullptr);
    if (!files.sessions.empty()) return openSession(files.sessions.front(), request);
    for (const std::filesystem::path& model : files.models) Q_EMIT modelRequested(model);
    if (!files.lists.empty()) openList(files.lists.front());
    const bool sample = openSamples(files, request.views);
    reportNotOpened(files);
    // Without a sample, the last of several meshes is the truth that the others are measured
    // against.
    const bool noSample =
        !sample && !context_.document.result.current() && !context_.input.sample();
    if (noSample && files.meshes.size() > 1 && files.truth.empty()) {
        files.truth = files.meshes.back();
        files.meshes.pop_back();
    }
    for (const std::filesystem::path& mesh : files.meshes) nextMeshSource(mesh).open(mesh);
    if (sample) {  // the current result belongs to another sample
        truthChoice_.chooseForNext(files.truth);
    } else if (!files.truth.empty()) {
        truthChoice_.choose(files.truth);
    }
}

void OpenedFiles::openSession(const std::filesystem::path& session, const OpenRequest& request) {
    QStringList others;
    for (const std::filesystem::path& file : request.files)
        if (file != session) others << fileName(file);
    for (const std::filesystem::path& file : {request.meshBesideResult, request.truth})
        if (!file.empty()) others << fileName(file);
    if (!others.isEmpty())
        context_.status.showMessage(
            tr("A session is opened alone; not opened: %1").arg(others.join(", ")));
    Q_EMIT sessionRequested(session);
}

void OpenedFiles::openList(const std::filesystem::path& list) {
    tasks_.run(
        list, checkingList_, [list](const auto&) { return readListFromAnyTextFile(list); },
        [this, list](const EvaluationList&) {
            Q_EMIT listRequested(list);
            Q_EMIT opened(list);
        });
}

bool OpenedFiles::openSamples(const SortedFiles& files, const std::vector<int>& views) {
    if (!files.samples.empty()) {
        const std::filesystem::path& sample = files.samples.front();
        context_.opener.openSample(sample, views);
        Q_EMIT opened(sample);
    } else if (files.images.size() > 1) {
        Q_EMIT imagesRequested(files.images, views);
    } else if (files.images.size() == 1) {
        // A single image opens the sample that it belongs to. If there is none, findSample() names
        // the missing files.
        tasks_.run(
            files.images.front(), checkingImage_,
            [image = files.images.front()](const auto&) { return readImage(image); },
            [this, image = files.images.front(), views](const Image&) {
                context_.opener.openSample(image, views);
                Q_EMIT opened(image);
            });
    }
    return !files.samples.empty() || !files.images.empty();
}

void OpenedFiles::reportNotOpened(const SortedFiles& files) {
    QStringList names;
    const auto add = [&](const std::vector<std::filesystem::path>& all, std::size_t openedCount) {
        for (std::size_t i = openedCount; i < all.size(); ++i) names << fileName(all[i]);
    };
    add(files.samples, 1);
    if (!files.samples.empty()) add(files.images, 0);
    add(files.lists, 1);
    if (names.isEmpty()) return;
    context_.banner.show({names.join(", ").toStdString(), "",
                          tr("not opened: one sample and one list at a time").toStdString(), ""});
}

}  // namespace threefold::ui
