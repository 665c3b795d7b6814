// The choice of the network: its model, its device, and a second network beside the first.
#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAction>
#include <QLabel>
#include <QMenu>

#include "engine/error.h"
#include "tests/ui/window_files.h"
#include "tests/ui/window_fixture.h"
#include "ui/document/measure_rows.h"
#include "ui/document/measured_meshes.h"
#include "ui/document/session.h"
#include "ui/files/opened_bar.h"
#include "ui/files/opened_files.h"
#include "ui/files/second_network.h"
#include "ui/files/session_files.h"
#include "ui/input/input_panel.h"
#include "ui/panes/header_text.h"
#include "ui/run/network_menu.h"
#include "ui/shell/banner.h"

namespace threefold::ui {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// Fake network with the chosen model and device. If a device is chosen, the last mesh is scaled by
/// 1.02.
class OtherBackend : public test::FakeBackend {
  public:
    OtherBackend(std::shared_ptr<test::FakeBehaviour> behaviour, const NetworkChoice& choice)
        : FakeBackend(std::move(behaviour)),
          choice_(choice),
          model_(std::make_shared<Model>(*FakeBackend::model())) {
        if (choice.model.empty()) return;
        model_->file = choice.model;
        model_->hash = "fedcba9876543210";
    }
    std::string description() const override {
        return choice_.device.empty() ? FakeBackend::description() : choice_.device;
    }
    std::shared_ptr<const Model> model() const override { return model_; }
    Reconstruction compute(const NetworkInput& input, const BatchOptions& options) override {
        Reconstruction made = FakeBackend::compute(input, options);
        if (!choice_.device.empty())
            for (glm::vec3& vertex : made.stages.back().vertices) vertex *= 1.02F;
        return made;
    }

  private:
    NetworkChoice choice_;
    std::shared_ptr<Model> model_;
};

class WindowModels : public test::FilesTest {
  protected:
    WindowModels() {
        useSetup([behaviour = behaviour_, refusals = refusals_](WindowSetup& setup) {
            setup.networks.openChosen = [behaviour, refusals](const NetworkChoice& choice) {
                if (!choice.model.empty() && !fs::exists(choice.model))
                    throw IoError(
                        {choice.model.string(), "", "cannot be read", "Give another file."});
                if (choice.device == "cuda:float16") {
                    ++*refusals;
                    throw DeviceError({"GPU 0", "", "is not there", "Plug one in."});
                }
                return oneDevice(std::make_unique<OtherBackend>(behaviour, choice));
            };
            setup.networks.deviceNames = [] {
                return std::vector<std::string>{"cpu:float32", "cpu:bfloat16", "cuda:float16"};
            };
        });
    }
    static QAction* entry(const QMenu& menu, const QString& text) {
        for (QAction* each : menu.actions())
            if (each->text().remove('&') == text) return each;
        ADD_FAILURE() << "no entry " << text.toStdString();
        return nullptr;
    }
    /// Whether the second network's mesh is opened and belongs to the current input.
    bool isSecondNetworkShown() {
        const OpenedMeshRef& other = document().opened.first();
        return other && other->result && !document().isStale(MeshId::opened(1));
    }
    void openAtOnce(const fs::path& file) { feature<OpenedFiles>().open({.files = {file}}); }
    bool shows(const QString& text) {
        for (const QLabel* label : window().findChildren<QLabel*>())
            if (label->text().contains(text)) return true;
        return false;
    }
    QStringList entries() {
        QStringList texts;
        for (const QAction* each : child<QMenu>(window(), "models").actions())
            if (!each->isSeparator())
                texts << (each->isChecked() ? "● " : "") + each->text().remove('&');
        return texts;
    }

    std::shared_ptr<test::FakeBehaviour> behaviour_ = std::make_shared<test::FakeBehaviour>();
    /// Number of times that the missing device was refused.
    std::shared_ptr<std::atomic<int>> refusals_ = std::make_shared<std::atomic<int>>(0);
};

TEST_F(WindowModels, areLoadedAndReconstruct_whenChosen) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const ResultRef before = document().result.current();
    const fs::path file = folder() / "other.safetensors";
    std::ofstream(file) << "weights";
    openByDialog(file);
    ASSERT_TRUE(waitUntil([&] { return document().result.current() != before; }));
    EXPECT_TRUE(shows("other.safetensors · fedcba987654"));
    EXPECT_EQ(behaviour_->completed, 1);
    EXPECT_EQ(feature<NetworkMenu>().choice().model, file);
    EXPECT_THAT(entries(), testing::ElementsAre("fake.safetensors (at start)",
                                                "● other.safetensors", "Other model…"));
    // The menu restores the model of the start, and a session restores the other model.
    const Session kept = feature<SessionFiles>().current();
    EXPECT_EQ(kept.model, file);
    writeSession(folder() / "kept.threefold", kept);
    child<QMenu>(window(), "models").actions().at(1)->trigger();
    ASSERT_TRUE(waitUntil([&] { return shows("fake.safetensors · 0123456789ab"); }));
    EXPECT_TRUE(feature<NetworkMenu>().choice().model.empty());
    openAtOnce(folder() / "kept.threefold");
    EXPECT_TRUE(waitUntil([&] { return shows("other.safetensors · fedcba987654"); }));
    waitUntil([&] { return !document().run.state().isActive(); });
}

TEST_F(WindowModels, keepThePreviousModel_whenTheyCannotBeLoaded) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const ResultRef before = document().result.current();
    const int runs = network().runs;
    openAtOnce(folder() / "missing.safetensors");
    ASSERT_TRUE(waitUntil([&] { return window().banner().isVisible(); }));
    EXPECT_THAT(bannerText(), HasSubstr("missing.safetensors"));
    EXPECT_THAT(bannerText(), HasSubstr("Give another file."));
    EXPECT_EQ(document().result.current(), before);
    EXPECT_TRUE(feature<NetworkMenu>().choice().model.empty());
    EXPECT_TRUE(shows("fake.safetensors"));
    window().opener().reconstruct();
    EXPECT_TRUE(waitUntil([&] { return network().completed > runs; }));
    EXPECT_TRUE(waitUntil([&] { return document().result.current() != before; }));
}

TEST_F(WindowModels, mayRunOnAnotherDevice_whenSwitchedDuringARun) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_EQ(document().result.current()->origin.backend, "Fake · no threads · float32");
    network().stageMilliseconds = 40;
    window().opener().reconstruct();
    entry(child<QMenu>(window(), "devices"), "Processor · bfloat16")->trigger();
    ASSERT_TRUE(waitUntil([&] {
        return !document().run.state().isActive() &&
               document().result.current()->origin.backend == "cpu:bfloat16 · float32";
    }));
    EXPECT_TRUE(shows("cpu:bfloat16"));
    EXPECT_TRUE(entry(child<QMenu>(window(), "devices"), "Processor · bfloat16")->isChecked());
    // If a chosen device is missing, the previous device stays.
    const ResultRef before = document().result.current();
    entry(child<QMenu>(window(), "devices"), "GPU · float16")->trigger();
    ASSERT_TRUE(waitUntil([&] { return window().banner().isVisible(); }));
    EXPECT_THAT(bannerText(), HasSubstr("Plug one in."));
    EXPECT_EQ(document().result.current(), before);
    EXPECT_TRUE(entry(child<QMenu>(window(), "devices"), "Processor · bfloat16")->isChecked());
    // A new model runs on the chosen device.
    const fs::path file = folder() / "other.safetensors";
    std::ofstream(file) << "weights";
    openByDialog(file);
    EXPECT_TRUE(waitUntil(
        [&] { return document().result.current()->origin.model == "other.safetensors"; }));
    EXPECT_EQ(document().result.current()->origin.backend, "cpu:bfloat16 · float32");
    waitUntil([&] { return !document().run.state().isActive(); });
}

TEST_F(WindowModels, areComparedOnTheShownSample) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    auto& second = feature<SecondNetwork>();
    entry(second.menu(), "Processor · bfloat16")->trigger();
    ASSERT_TRUE(waitUntil([&] { return isSecondNetworkShown(); }));
    // The second network runs twice, since its first run takes longer and would distort the shown
    // time.
    EXPECT_EQ(behaviour_->completed, 2);
    const OpenedMesh beside = *document().opened.first();
    EXPECT_EQ(beside.name(), "Processor · bfloat16");
    EXPECT_EQ(beside.result->origin.backend, "cpu:bfloat16 · float32");
    EXPECT_NE(beside.mesh->vertices, document().result.current()->mesh(MeshId::result)->vertices);
    EXPECT_THAT(feature<OpenedBar>().text().toStdString(), HasSubstr(" ms"));
    ASSERT_TRUE(waitUntil([&] { return !window().measured().isBusy(); }));
    const MeasureRow chamfer = measureRows(window().measured().meshes()).front();
    EXPECT_FALSE(chamfer.of(MeshId::opened(1)).change.isEmpty());

    // With other views, the second network's mesh is stale until it is reconstructed from them.
    InputModel& input = window().input().model();
    input.setInput(input.sample(), ViewSelection({1, 2, 3, 4}));
    network().stageMilliseconds = 20;
    window().opener().reconstruct();
    EXPECT_TRUE(document().isStale(MeshId::opened(1)));
    EXPECT_EQ(headerText(window().shownDocument(), MeshId::opened(1)).title,
              "Processor · bfloat16…");
    EXPECT_TRUE(headerText(window().shownDocument(), MeshId::opened(1)).detail.isEmpty());
    ASSERT_TRUE(waitUntil([&] { return isSecondNetworkShown(); }));
    EXPECT_THAT(document().opened.first()->result->views, testing::ElementsAre(1, 2, 3, 4));
    EXPECT_EQ(behaviour_->completed, 3);

    // With another sample, the old sample's mesh is never shown beside the new result.
    bool other = false;
    const auto watch = QObject::connect(&document().result, &ResultModel::changed, [&] {
        const OpenedMeshRef& mesh = document().opened.first();
        other |= mesh && !isSameSample(mesh->result->sample, document().result.current()->sample);
    });
    ASSERT_TRUE(open(test::bundledSampleFolder("04379243")));
    ASSERT_TRUE(waitUntil([&] { return isSecondNetworkShown(); }));
    QObject::disconnect(watch);
    EXPECT_FALSE(other);
    EXPECT_EQ(document().opened.first()->result->sample->category, "04379243");

    trigger("Close opened mesh");
    EXPECT_FALSE(document().opened.first());
    EXPECT_FALSE(second.choice());
    EXPECT_TRUE(entry(second.menu(), "None")->isChecked());
}

TEST_F(WindowModels, areNotCompared_whenTheSecondCannotBeOpened) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const ResultRef before = document().result.current();
    auto& second = feature<SecondNetwork>();
    entry(second.menu(), "GPU · float16")->trigger();
    ASSERT_TRUE(waitUntil([&] { return window().banner().isVisible(); }));
    EXPECT_THAT(bannerText(), HasSubstr("Plug one in."));
    EXPECT_FALSE(second.choice());
    EXPECT_FALSE(document().opened.first());
    EXPECT_EQ(document().result.current(), before);
    // After the failure, another choice is shown.
    entry(second.menu(), "Processor · bfloat16")->trigger();
    EXPECT_TRUE(waitUntil([&] { return isSecondNetworkShown(); }));
}

TEST_F(WindowModels, areCompared_whenAnEarlierChoiceIsRefusedLate) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    auto& second = feature<SecondNetwork>();
    entry(second.menu(), "Processor · bfloat16")->trigger();
    ASSERT_TRUE(waitUntil([&] { return isSecondNetworkShown(); }));
    entry(second.menu(), "GPU · float16")->trigger();
    while (*refusals_ == 0) std::this_thread::yield();
    entry(second.menu(), "Processor · bfloat16")->trigger();
    EXPECT_TRUE(waitUntil([&] { return isSecondNetworkShown(); }));
    EXPECT_TRUE(second.choice());
}

}  // namespace
}  // namespace threefold::ui
