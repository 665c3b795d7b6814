#include "engine/evaluation/evaluate_list.h"

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <stop_token>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/devices/device_error.h"
#include "engine/error.h"
#include "engine/evaluation/report/json_parts.h"
#include "engine/evaluation/run/evaluation_run.h"
#include "engine/evaluation/run/mesh_result_files.h"
#include "engine/evaluation/run/output_files.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/meshes/mesh_writing.h"
#include "engine/formats/pictures/image.h"
#include "engine/measures/truth_distances.h"
#include "engine/sample/sample.h"
#include "engine/sample/view_candidates.h"
#include "tests/engine/evaluation/fake_backend.h"
#include "tests/engine/evaluation/small_data_set.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/support/borrowed_device.h"
#include "tests/support/file_text.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// Fixture with a small data set, and a folder for the results.
class EvaluateList : public testing::Test {
  protected:
    Journal open(ExistingRun start = ExistingRun::refuse) const {
        fs::create_directories(out_);
        RunDescription description = smallRun(data_.list());
        description.warmUpRuns = warmUpRuns_;
        description.identity.fit = fit_;
        description.identity.truthPoints = truthPoints_;
        description.identity.measures.protocols = protocols_;
        description.identity.measures.earthMovers = earthMovers_;
        description.measuringDevice = measuredOn_;
        return {out_, description, start};
    }

    EvaluationRun run(ExistingRun start = ExistingRun::refuse) {
        Journal journal = open(start);
        evaluate(data_.list(), journal);
        return journal.run();
    }

    void evaluate(const fs::path& list, Journal& journal) {
        NetworkOn network(backend_, [] { return std::make_unique<FakeBackend>(); });
        if (beforeRun_) beforeRun_(network);
        evaluateList(network, readEvaluationList(list), journal, out_, options_);
    }

    /// Gives a sample an image that the back end refuses.
    void refuse(std::size_t sample) const {
        Image image{4, 4, std::vector<std::uint8_t>(64, FakeBackend::kRefused)};
        writePng(data_.rendering(sample) / "00.png", image);
    }

    TempFolder folder_;
    SmallDataSet data_{folder_ / "data", 12};
    fs::path out_ = folder_ / "out";
    FakeBackend backend_;
    std::function<void(NetworkService&)> beforeRun_;  ///< if set, gives a run's network other work
    ListRunOptions options_;
    int warmUpRuns_ = 0;
    std::optional<std::string> fit_;
    std::optional<std::size_t> truthPoints_;
    std::vector<Protocol> protocols_ = {Protocol::published};
    bool earthMovers_ = false;
    MeasuringDevice measuredOn_ = MeasuringDevice::processor;
};

TEST_F(EvaluateList, scoresEverySample) {
    const EvaluationRun done = run();
    ASSERT_EQ(done.records.size(), 12U);
    std::set<double> chamfers;
    for (std::size_t i = 0; i < 12; ++i) {
        const SampleRecord& record = done.records[i];
        EXPECT_EQ(record.position, i);
        EXPECT_EQ(record.name, data_.names()[i]);
        EXPECT_TRUE(record.succeeded()) << record.error;
        EXPECT_EQ(record.truth, data_.truth(i).string());
        ASSERT_EQ(record.scores.size(), 1U);
        EXPECT_EQ(record.scores[0].result().truthPoints, 40U);
        chamfers.insert(record.scores[0].result().measures.chamfer);
        ASSERT_EQ(record.silhouettes.size(), 3U);
        for (int view = 0; view < 3; ++view) {
            const ViewSilhouetteScores& silhouettes =
                record.silhouettes[static_cast<std::size_t>(view)];
            EXPECT_EQ(silhouettes.view, view);
            EXPECT_TRUE(silhouettes.meshes.find("coarse") && silhouettes.meshes.find("refined"));
        }
        EXPECT_EQ(record.times.preprocess, 0.001);
        EXPECT_GE(record.times.network, 0);
        EXPECT_TRUE(fs::exists(out_ / (record.name + "_predict.obj")));
        EXPECT_TRUE(fs::exists(out_ / (record.name + "_predict.xyz")));
    }
    EXPECT_EQ(chamfers.size(), 12U) << "samples must differ, or mixing them up would not show";
    EXPECT_TRUE(fs::exists(out_ / kThumbnailFolder));
}

TEST_F(EvaluateList, searchesOnTheDeviceAfterEachBatch_whenMeasuredThere) {
    protocols_ = {Protocol::published, Protocol::surface};
    const EvaluationRun onProcessor = run();
    EXPECT_FALSE(runJson(onProcessor).contains("measured_on"));
    out_ = folder_ / "device";
    measuredOn_ = MeasuringDevice::gpu;
    options_.pipeline.batch = 4;
    std::vector<std::pair<int, std::size_t>> searches;
    backend_.runs = 0;
    backend_.beforeSearch = [&](std::span<const CloudPair> pairs) {
        searches.emplace_back(backend_.runs, pairs.size());
    };
    const EvaluationRun onDevice = run();
    // Each batch of four samples has one search of 16 pairs of clouds: two meshes of each sample,
    // under both protocols.
    EXPECT_EQ(searches, (std::vector<std::pair<int, std::size_t>>{{4, 16}, {8, 16}, {12, 16}}));
    EXPECT_EQ(runJson(onDevice).at("measured_on"), "gpu");
    for (std::size_t i = 0; i < 12; ++i) {
        const SampleRecord& there = onProcessor.records[i];
        const SampleRecord& here = onDevice.records[i];
        EXPECT_GT(here.times.measure, 0);
        ASSERT_EQ(here.scores.size(), 2U);
        for (std::size_t p = 0; p < 2; ++p) {
            EXPECT_EQ(here.scores[p].first().measures.chamfer,
                      there.scores[p].first().measures.chamfer);
            EXPECT_EQ(here.scores[p].result().hausdorff, there.scores[p].result().hausdorff);
            EXPECT_EQ(here.scores[p].result().normalConsistency,
                      there.scores[p].result().normalConsistency);
        }
    }
}

TEST_F(EvaluateList, keepsItsMeasuringDevice_whenResumed) {
    std::stop_source stop;
    options_.pipeline.cancel = stop.get_token();
    options_.pipeline.batch = 1;
    options_.onStored = [&](const SampleRecord&) { stop.request_stop(); };
    EXPECT_THROW(run(), Cancelled);
    options_.pipeline.cancel = {};
    options_.onStored = {};
    measuredOn_ = MeasuringDevice::gpu;
    backend_.beforeSearch = [](auto) { FAIL() << "the run measures on the processor"; };
    EXPECT_EQ(run(ExistingRun::resume).records.size(), 12U);
    EXPECT_EQ(readJournal(out_).description.measuringDevice, MeasuringDevice::processor);
}

TEST_F(EvaluateList, matchesOnTheDevice_whenNotMatchedExactly) {
    // With the surface protocol, a mesh has 10 000 points and its truth 40: too many for exact
    // matching.
    protocols_ = {Protocol::published, Protocol::surface};
    earthMovers_ = true;
    measuredOn_ = MeasuringDevice::gpu;
    const EvaluationRun done = run();
    EXPECT_EQ(backend_.matched, 24U);
    for (const SampleRecord& record : done.records) {
        EXPECT_TRUE(record.scores.at(0).result().earthMovers->isExact);
        EXPECT_FALSE(record.scores.at(1).result().earthMovers->isExact);
        EXPECT_GT(record.scores.at(1).result().earthMovers->distance, 0);
    }
}

TEST_F(EvaluateList, leavesMeasuresToTheProcessor_whenTheDeviceHasNoRoom) {
    measuredOn_ = MeasuringDevice::gpu;
    backend_.beforeSearch = [](auto) { throw OutOfDeviceMemory({"GPU", "", "is full", ""}); };
    for (const SampleRecord& record : run().records) EXPECT_EQ(record.scores.size(), 1U);
}

TEST_F(EvaluateList, endsAsTheNetworkDoes_whenTheDeviceIsLostWhileItMeasures) {
    measuredOn_ = MeasuringDevice::gpu;
    options_.pipeline.batch = 1;
    int searches = 0;
    backend_.beforeSearch = [&](auto) {
        if (++searches == 3) throw DeviceLost({"GPU", "", "fell off the bus", ""});
    };
    Journal journal = open();
    backend_.name = "GPU";
    EXPECT_THAT(messageOf<DeviceError>([&] { evaluate(data_.list(), journal); }),
                HasSubstr("was lost, and another device took over"));
    EXPECT_GE(journal.contents().succeededCount(), 1U);
    EXPECT_LE(journal.contents().succeededCount(), 2U);
}

TEST_F(EvaluateList, notesFewerPoints_whenTheTruthIsThinned) {
    truthPoints_ = 30;
    const EvaluationRun done = run();
    for (const SampleRecord& record : done.records)
        EXPECT_EQ(record.scores.at(0).result().truthPoints, 30U);
    EXPECT_EQ(runJson(done).at("truth_points"), 30);
    EXPECT_EQ(readJournal(out_).description.identity.truthPoints, 30U);
    truthPoints_.reset();
    EXPECT_THAT(messageOf<InputError>([&] { run(ExistingRun::resume); }),
                HasSubstr("points of the truth: 30 there, all here"));
}

TEST_F(EvaluateList, continuesAfterABadSample_andReportsIt) {
    options_.truthRoot = data_.root() / "gt";
    fs::remove(data_.truth(2));
    writeFileAtomically(data_.rendering(4) / "01.png", std::string_view("no image"));
    refuse(6);
    data_.addLines({"02691156_gone_00.dat", data_.names()[0] + ".dat"});
    const EvaluationRun done = run();
    ASSERT_EQ(done.records.size(), 14U);
    const std::set<std::size_t> bad = {2, 4, 6, 12, 13};
    for (const SampleRecord& record : done.records) {
        EXPECT_EQ(record.succeeded(), !bad.contains(record.position)) << record.error;
    }
    EXPECT_THAT(done.records[2].error, HasSubstr("no ground truth"));
    EXPECT_THAT(done.records[4].error, HasSubstr("01.png"));
    EXPECT_THAT(done.records[6].error, HasSubstr("refused"));
    EXPECT_THAT(done.records[12].error, HasSubstr("gone"));
    EXPECT_THAT(done.records[13].error, HasSubstr("repeats sample"));
}

TEST_F(EvaluateList, failsOnlyTheBadSample_ofABatch) {
    refuse(5);
    options_.pipeline.batch = 4;
    options_.pipeline.loaders = 3;
    options_.pipeline.finishers = 2;
    const EvaluationRun batched = run();
    ASSERT_EQ(batched.records.size(), 12U);
    for (const SampleRecord& record : batched.records) {
        EXPECT_EQ(record.succeeded(), record.position != 5) << record.error;
    }
}

TEST_F(EvaluateList, doesNotCountWarmingUp) {
    warmUpRuns_ = 5;
    EXPECT_EQ(run().records.size(), 12U);
    EXPECT_EQ(backend_.runs, 17);
}

TEST_F(EvaluateList, doesNotCountTheWaitForTheNetwork) {
    static constexpr int kWait = 400;
    beforeRun_ = [](NetworkService& network) {
        network.post({Urgency::now, [](DeviceAccess&) {
                          std::this_thread::sleep_for(std::chrono::milliseconds(kWait));
                      }});
    };
    const EvaluationRun alone = run();
    for (const SampleRecord& record : alone.records) EXPECT_LT(record.times.network, kWait / 2);
    options_.pipeline.batch = 4;
    for (const SampleRecord& record : run(ExistingRun::overwrite).records)
        EXPECT_LT(record.times.network, kWait / 2);
}

TEST_F(EvaluateList, reportsEachSampleWithItsMeshes_onceMeasured) {
    std::mutex mutex;
    std::map<std::size_t, std::size_t> vertices;
    refuse(5);
    options_.onMeasured = [&](const MeasuredSample& sample, const SampleRecord& record) {
        const std::scoped_lock lock(mutex);
        EXPECT_EQ(record.scores.size(), 1U);
        EXPECT_FALSE(sample.loaded.input.images.empty());
        vertices[record.position] = sample.reconstruction.network.vertices("refined").size();
    };
    run();
    EXPECT_EQ(vertices.size(), 11U);
    EXPECT_FALSE(vertices.contains(5));
    EXPECT_GT(vertices[0], 0U);
}

TEST_F(EvaluateList, warmsUpEachSizeOfBatch) {
    warmUpRuns_ = 2;
    options_.pipeline.batch = 5;  // batches of 5, 5 and 2 samples
    run();
    EXPECT_EQ(backend_.runs, 12 + 2 * (5 + 2));
}

TEST_F(EvaluateList, refusesTheLaterOfTwoLinesOfOneSample_withManyLoaders) {
    std::vector<std::string> again;
    for (std::size_t i = 0; i < 12; ++i) again.push_back(data_.rendering(11 - i).string());
    data_.addLines(again);
    options_.pipeline.loaders = 8;
    for (int i = 0; i < 5; ++i) {
        for (const SampleRecord& record : run(ExistingRun::overwrite).records) {
            EXPECT_EQ(record.succeeded(), record.position < 12) << record.error;
        }
    }
}

TEST_F(EvaluateList, givesTheRecordsOfItsJournal_whenANameIsNotUtf8) {
    fs::copy(data_.rendering(0), folder_ / "data/caf\xe9", fs::copy_options::recursive);
    fs::copy(data_.truth(0), folder_ / "data/gt/caf\xe9.dat");
    data_.addLines({(folder_ / "data/caf\xe9").string(), "gone\xe9"});
    const EvaluationRun done = run();
    EXPECT_TRUE(done.records.at(12).succeeded()) << done.records.at(12).error;
    EXPECT_EQ(done.records[12].name, "caf\xef\xbf\xbd");
    EXPECT_TRUE(fs::exists(out_ / "caf\xef\xbf\xbd_predict.obj"));
    const JournalContents kept = readJournal(out_);
    for (const std::size_t i : {12U, 13U}) {
        EXPECT_EQ(done.records.at(i).listedName, kept.records.at(i).listedName);
        EXPECT_EQ(done.records[i].truth, kept.records.at(i).truth);
        EXPECT_EQ(done.records[i].error, kept.records.at(i).error);
    }
    backend_.runs = 0;
    run(ExistingRun::resume);
    EXPECT_EQ(backend_.runs, 0);
}

TEST_F(EvaluateList, skipsDoneSamples_andRetriesFailedOnes) {
    options_.truthRoot = data_.root() / "gt";
    const std::string truth = data_.truth(2).string();
    fs::rename(truth, truth + ".away");
    EXPECT_FALSE(run().records[2].succeeded());
    fs::rename(truth + ".away", truth);
    backend_.runs = 0;
    const EvaluationRun second = run(ExistingRun::resume);
    EXPECT_EQ(backend_.runs, 1);
    EXPECT_TRUE(second.records[2].succeeded()) << second.records[2].error;
    run(ExistingRun::resume);
    EXPECT_EQ(backend_.runs, 1);
}

TEST_F(EvaluateList, makesAMeshAgain_whenItsFileIsEmptyOrGone) {
    const EvaluationRun done = run();
    const fs::path empty = out_ / (done.records[1].name + "_predict.obj");
    writeFileAtomically(empty, std::string_view());
    fs::remove(out_ / (done.records[2].name + "_predict.xyz"));
    ASSERT_EQ(fs::file_size(empty), 0U);
    backend_.runs = 0;
    run(ExistingRun::resume);
    EXPECT_EQ(backend_.runs, 2);
    EXPECT_GT(fs::file_size(empty), 0U);
}

TEST_F(EvaluateList, makesAMeshAgain_whenItsFileIsOfAnotherProgram) {
    fit_ = "chosen";
    const EvaluationRun done = run();
    const fs::path shorter = out_ / (done.records[1].name + "_predict.obj");
    const fs::path asLong = out_ / (done.records[2].name + "_predict.xyz");
    const fs::path fitted = out_ / (done.records[3].name + "_fitted.obj");
    ASSERT_TRUE(fs::exists(fitted)) << done.records[3].fitNote.value_or("");
    const std::vector<std::string> before = {fileText(shorter), fileText(asLong), fileText(fitted)};
    std::string text = before[1];
    text[text.find_first_of("012345678")] = '9';
    writeFileAtomically(shorter, std::string_view("v 0 0 0\n"));
    writeFileAtomically(asLong, text);
    writeFileAtomically(fitted, std::string_view("v 0 0 0\n"));
    EXPECT_EQ(changedMeshFilesOf(out_, done.records[1]), std::vector{shorter});
    EXPECT_EQ(changedMeshFilesOf(out_, done.records[2]), std::vector{asLong});
    EXPECT_EQ(changedMeshFilesOf(out_, done.records[3]), std::vector{fitted});
    EXPECT_THAT(changedMeshFilesOf(out_, done.records[4]), testing::IsEmpty());
    backend_.runs = 0;
    run(ExistingRun::resume);
    EXPECT_EQ(backend_.runs, 3);
    EXPECT_EQ((std::vector{fileText(shorter), fileText(asLong), fileText(fitted)}), before);
}

TEST_F(EvaluateList, makesAllMeshes_whenItsEarlierSessionWroteNone) {
    options_.writeMeshes = false;
    const EvaluationRun done = run();
    const fs::path other = out_ / (done.records[1].name + "_predict.obj");
    for (const char* ending : {"_predict.obj", "_predict.xyz"})
        writeFileAtomically(out_ / (done.records[1].name + ending), std::string_view("v 0 0 0\n"));
    options_.writeMeshes = true;
    backend_.runs = 0;
    run(ExistingRun::resume);
    EXPECT_EQ(backend_.runs, 12);
    EXPECT_NE(fileText(other), "v 0 0 0\n");
}

TEST_F(EvaluateList, measuresSilhouettes_whenThereIsNoTruth) {
    const fs::path away = folder_ / "away.dat";
    fs::rename(data_.truth(2), away);
    const EvaluationRun done = run();
    const SampleRecord& bare = done.records.at(2);
    EXPECT_TRUE(bare.withoutTruth()) << bare.error;
    EXPECT_TRUE(bare.truth.empty());
    EXPECT_TRUE(meansOf(bare.silhouettes, "refined"));
    EXPECT_TRUE(fs::exists(out_ / (bare.name + "_predict.obj")));
    EXPECT_FALSE(done.records.at(3).withoutTruth());

    backend_.runs = 0;
    run(ExistingRun::resume);
    EXPECT_EQ(backend_.runs, 0);
    fs::rename(away, data_.truth(2));
    options_.truthRoot = data_.root() / "gt";
    EXPECT_EQ(run(ExistingRun::resume).records.at(2).scores.size(), 1U);
    EXPECT_EQ(backend_.runs, 1);
}

TEST_F(EvaluateList, leavesSilhouettesOut_whenNoPhotographShowsAnOutline) {
    for (const char* view : {"00.png", "01.png", "02.png"}) {
        Image opaque{4, 4, std::vector<std::uint8_t>(64, 255)};
        for (std::size_t i = 0; i < opaque.rgba.size(); i += 4) opaque.rgba[i] = 9;
        writePng(data_.rendering(0) / view, opaque);
    }
    const SampleRecord record = run().records.at(0);
    EXPECT_EQ(record.silhouettes.size(), 3U);
    EXPECT_FALSE(meansOf(record.silhouettes, "refined"));
}

TEST_F(EvaluateList, measuresDistancesFromTheSurface_whenTheTruthHasFaces) {
    fs::remove(data_.truth(2));
    writeMesh(fs::path(data_.truth(2)).replace_extension(".obj"), MeshFormat::obj,
              {{{-0.2F, -0.2F, -0.8F}, {0.2F, -0.2F, -0.8F}, {0, 0.2F, -0.7F}}, {{0, 1, 2}}});
    DistanceSummary expected;
    options_.onMeasured = [&](const MeasuredSample& measured, const SampleRecord& record) {
        if (record.position != 2) return;
        const TruthDistances distances(measured.loaded.truth);
        EXPECT_TRUE(distances.areFromSurface());
        expected = distanceSummaryOf(
            distances.distancesOf(measured.reconstruction.network.published().back()->vertices));
    };
    const EvaluationRun done = run();
    const SampleRecord& record = done.records.at(2);
    ASSERT_EQ(record.distances.entries().size(), 2U) << record.error;
    EXPECT_GT(expected.mean, 0);
    EXPECT_EQ(record.distances.result().mean, expected.mean);
    EXPECT_EQ(record.distances.result().max, expected.max);
    EXPECT_TRUE(done.records.at(3).distances.empty());
    EXPECT_TRUE(done.records.at(3).succeeded());
}

TEST_F(EvaluateList, choosesSpreadViewsOfOwnPhotographs_byDefault) {
    writeDiscScene(folder_ / "own", 5);
    backend_.refuses = false;  // the disc's background is white, which would be refused
    RunDescription description = smallRun(folder_ / "own");
    const auto viewsOf = [&](std::vector<int> given) {
        description.identity.measures.views = std::move(given);
        fs::create_directories(out_);
        Journal journal(out_, description, ExistingRun::overwrite);
        evaluate(folder_ / "own", journal);
        const SampleRecord& record = journal.contents().records.at(0);
        EXPECT_TRUE(record.withoutTruth()) << record.error;
        std::vector<int> views;
        for (const ViewSilhouetteScores& of : record.silhouettes) views.push_back(of.view);
        EXPECT_EQ(runJson(journal.run()).at("views"), views);
        return views;
    };
    EXPECT_EQ(viewsOf({}), defaultViews(findSample(folder_ / "own")));
    EXPECT_EQ(viewsOf({4, 2}), (std::vector<int>{4, 2}));
}

TEST_F(EvaluateList, ends_whenTheFirstThousandSamplesFailAlike) {
    std::string lines;
    for (int i = 0; i < 3000; ++i) lines += fmt::format("02691156_gone{}_00.dat\n", i);
    writeFileAtomically(data_.list(), lines);
    options_.writeMeshes = options_.writeThumbnails = false;
    const std::string message = messageOf<InputError>([&] { run(); });
    EXPECT_THAT(message, HasSubstr("1000 samples failed for the same reason, and none succeeded"));
    EXPECT_THAT(message, HasSubstr("the run was stopped"));
    EXPECT_THAT(message, HasSubstr("02691156/gone"));
    const std::size_t looked = readJournal(out_).records.size();
    EXPECT_GE(looked, 1000U);
    EXPECT_LT(looked, 1500U);
    // If one sample is done, the list and its folders must be right, so the run continues.
    writeFileAtomically(data_.list(), data_.names()[0] + ".dat\n" + lines);
    EXPECT_EQ(run().records.size(), 3001U);
}

TEST_F(EvaluateList, reportsTheLoss_whenTheFolderIsRemovedMeanwhile) {
    options_.writeMeshes = options_.writeThumbnails = false;
    backend_.before = [this](const FakeBackend& backend) {
        if (backend.runs == 6) fs::remove_all(out_);
    };
    EXPECT_THAT(messageOf<IoError>([&] { run(); }),
                HasSubstr("journal.jsonl: was removed during the run"));
}

TEST_F(EvaluateList, makesAMeshAgain_whenItWasRemoved) {
    run();
    fs::remove(out_ / (data_.names()[3] + "_predict.xyz"));
    backend_.runs = 0;
    run(ExistingRun::resume);
    EXPECT_EQ(backend_.runs, 1);
    EXPECT_TRUE(fs::exists(out_ / (data_.names()[3] + "_predict.xyz")));
}

TEST_F(EvaluateList, makesAFittedMeshAgain_whenRemovedAndDeletesItWhenRestarted) {
    fit_ = "chosen";
    const EvaluationRun done = run();
    const fs::path fitted = out_ / (data_.names()[3] + "_fitted.obj");
    ASSERT_TRUE(fs::exists(fitted)) << done.records[3].fitNote.value_or("");
    fs::remove(fitted);
    backend_.runs = 0;
    run(ExistingRun::resume);
    EXPECT_EQ(backend_.runs, 1);
    EXPECT_TRUE(fs::exists(fitted));
    fit_.reset();
    open(ExistingRun::overwrite);
    EXPECT_FALSE(fs::exists(fitted));
}

TEST_F(EvaluateList, keepsFinishedSamples_whenCancelled) {
    std::stop_source stop;
    options_.pipeline.cancel = stop.get_token();
    backend_.before = [&](FakeBackend& backend) {
        if (backend.runs == 7) stop.request_stop();
    };
    EXPECT_THROW(run(), Cancelled);
    EXPECT_EQ(readJournal(out_).records.size(), 6U);
    backend_.before = {};
    backend_.runs = 0;
    options_.pipeline.cancel = {};
    EXPECT_EQ(run(ExistingRun::resume).records.size(), 12U);
    EXPECT_EQ(backend_.runs, 6);
}

TEST_F(EvaluateList, ends_whenAnotherDeviceTakesOver) {
    backend_.before = [](FakeBackend& backend) {
        if (backend.runs == 4) throw DeviceLost({"GPU 0", "", "fell off the bus", ""});
    };
    backend_.name = "fake GPU";
    EXPECT_THAT(messageOf<DeviceError>([&] { run(); }), HasSubstr("another device took over"));
    EXPECT_LE(readJournal(out_).records.size(), 3U);
}

TEST_F(EvaluateList, endsWithFinishedSamplesKept_whenAMeshCannotBeWritten) {
    fs::create_directories(out_ / (data_.names()[5] + "_predict.obj"));
    EXPECT_THAT(messageOf<IoError>([&] { run(); }), HasSubstr("_predict.obj"));
    const JournalContents kept = readJournal(out_);
    EXPECT_GE(kept.records.size(), 5U);
    EXPECT_FALSE(kept.records.contains(5));
    fs::remove(out_ / (data_.names()[5] + "_predict.obj"));
    EXPECT_EQ(run(ExistingRun::resume).records.size(), 12U);
}

TEST_F(EvaluateList, readsTheTruth_inTheSpaceOfTheRun) {
    options_.writeMeshes = false;
    std::vector<double> chamfers;
    for (const TruthSpaceChoice space :
         {TruthSpaceChoice::byFormat, TruthSpaceChoice::camera, TruthSpaceChoice::world}) {
        RunDescription description = smallRun(data_.list());
        description.identity.measures.truthSpace = space;
        fs::create_directories(out_);
        Journal journal(out_, description, ExistingRun::overwrite);
        evaluate(data_.list(), journal);
        chamfers.push_back(journal.contents().records.at(1).scores[0].result().measures.chamfer);
    }
    EXPECT_EQ(chamfers[0], chamfers[1]);
    EXPECT_NE(chamfers[1], chamfers[2]);
}

TEST_F(EvaluateList, writesNoMeshes_whenNoneAreWanted) {
    options_.writeMeshes = false;
    options_.writeThumbnails = false;
    run();
    EXPECT_EQ(contentsOf(out_).size(), 1U) << "the journal alone";
}

}  // namespace
}  // namespace threefold::test
