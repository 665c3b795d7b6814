#include "ui/document/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/support/temp_folder.h"
#include "tests/ui/test_sample.h"

namespace threefold::ui {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Session example() {
    Session session;
    auto sample = std::make_shared<Sample>(*test::bundledSample());
    sample->cameraRows[6].azimuth = 12.5;
    sample->truth->space = MeshSpace::world;
    session.sample = sample;
    session.views = {6, 0, 7};
    session.model = "/data/models/other.safetensors";
    session.opened = {{"/data/meshes/other.ply", MeshSpace::world}, {"/data/third.stl", {}}};
    session.look.panes = {MeshId::opened(2), MeshId::result, MeshId::truth};
    session.look.paneLayout = PaneLayout::wipe;
    session.look.seamPosition = 0.25F;
    session.look.quantity = Quantity::entropy;
    session.look.fileValues = "depth";
    session.look.backgroundColour = 0xFFFFFF;
    session.look.cameras = true;
    session.cameras.resize(2);
    session.cameras[1].target = {0.1F, -0.2F, 0.3F};
    session.cameras[1].yaw = 1.5F;
    session.cameras[1].clipDepth = -0.25F;
    session.camerasLinked = false;
    return session;
}

TEST(Session, keepsEachSourceOfTheFitsMenu_underItsNameOfTheCommandLine) {
    constexpr std::string_view kNames[] = {"auto", "depth", "hull", "network"};
    Session session = example();
    for (std::size_t i = 0; i < kFitSourceMenu.size(); ++i) {
        session.fit = FitChoice{.on = true, .source = kFitSourceMenu[i]};
        const std::string text = formatSession(session, "/data");
        EXPECT_EQ(json::parse(text)["fit"]["from"], kNames[i]);
        EXPECT_TRUE(parseSession(text, "/data/kept.threefold").fit == session.fit);
    }
}

TEST(Session, isRestored_unchanged) {
    const Session before = example();
    const Session after = parseSession(formatSession(before, "/data"), "/data/kept.threefold");
    EXPECT_EQ(after.views, before.views);
    EXPECT_EQ(after.sample->images, before.sample->images);
    EXPECT_EQ(after.sample->name(), before.sample->name());
    EXPECT_EQ(after.sample->cameraRows[6].azimuth, 12.5);
    EXPECT_EQ(after.sample->truthFile(), before.sample->truthFile());
    EXPECT_EQ(after.sample->truth->space, MeshSpace::world);
    EXPECT_EQ(after.model, before.model);
    EXPECT_EQ(after.opened, before.opened);
    EXPECT_EQ(after.look, before.look);
    EXPECT_EQ(after.cameras, before.cameras);
    EXPECT_FALSE(after.camerasLinked);
}

TEST(Session, opens_whenFieldsOfTheLookAreMissing) {
    json all = json::parse(formatSession(example(), "/data"));
    all["look"].erase("background");
    all["cameras"][1].erase("cut");
    const Session session = parseSession(all.dump(), "/data/kept.threefold");
    EXPECT_FALSE(session.look.backgroundColour);
    EXPECT_EQ(session.cameras[1].clipDepth, render::OrbitCamera().clipDepth);
}

TEST(Session, opensWithTheDefaultQuantity_whenItsOwnNoLongerExists) {
    json all = json::parse(formatSession(example(), "/data"));
    all["look"]["quantity"] = "level";
    EXPECT_EQ(parseSession(all.dump(), "/data/kept.threefold").look.quantity, Look().quantity);
}

TEST(Session, storesTheFit) {
    Session session = example();
    session.fit = FitChoice{true, FitViews::Kind::chosen};
    const std::string text = formatSession(session, "/data");
    EXPECT_EQ(parseSession(text, "/data/kept.threefold").fit, session.fit);
    session.fit->source = FitSource::hull;
    const std::string hull = formatSession(session, "/data");
    EXPECT_EQ(parseSession(hull, "/data/kept.threefold").fit, session.fit);
    // Sessions of versions without hulls lack the key.
    json older = json::parse(hull);
    older["fit"].erase("from");
    EXPECT_EQ(parseSession(older.dump(), "/data/kept.threefold").fit->source, FitSource::automatic);
    json changed = json::parse(text);
    changed["fit"]["views"] = "some";
    EXPECT_THROW(parseSession(changed.dump(), "/data/kept.threefold"), FormatError);
}

TEST(Session, opens_whenWrittenBeforeFitsExisted) {
    const std::string text = formatSession(example(), "/data");
    EXPECT_FALSE(json::parse(text).contains("fit"));
    const Session session = parseSession(text, "/data/kept.threefold");
    EXPECT_FALSE(session.fit);
    EXPECT_EQ(session.look.morphPosition, kMorphResult);
}

TEST(Session, findsItsFiles_whenItsFolderWasMoved) {
    const std::string text = formatSession(example(), "/data");
    EXPECT_EQ(json::parse(text).at("opened").at(0).at("file"), "meshes/other.ply");
    EXPECT_EQ(parseSession(text, "/moved/kept.threefold").opened[0].file,
              "/moved/meshes/other.ply");
}

TEST(Session, keepsChangedCameras_ofPosedPhotographs) {
    const threefold::test::TempFolder temporary;
    threefold::test::writeDiscScene(temporary.path());
    auto sample = std::make_shared<Sample>(findSample(temporary.path()));
    sample->cameraRows[1].azimuth = 77;
    Session before = example();
    before.sample = sample;
    before.views = {2, 0, 1};
    const std::string text = formatSession(before, temporary.path());
    EXPECT_EQ(json::parse(text).at("sample").at("own").at("cameras"), "transforms.json");
    const Session after = parseSession(text, temporary / "kept.threefold");
    ASSERT_TRUE(after.sample->photos);
    EXPECT_EQ(after.sample->cameraRows[1].azimuth, 77);
    EXPECT_EQ(after.sample->photos->frame.placement.size, sample->photos->frame.placement.size);
    EXPECT_EQ(after.sample->photos->frame.photosToObjectSpace.scale,
              sample->photos->frame.photosToObjectSpace.scale);
    EXPECT_EQ(after.sample->photos->views[2].row.distance, sample->photos->views[2].row.distance);
}

struct Damage {
    const char* title;
    void (*apply)(json&);
    const char* words;
};

const Damage kDamages[] = {
    {"newer", [](json& all) { all["version"] = 2; }, "version: is 2, this program reads 1"},
    {"other", [](json& all) { all["threefold"] = "report"; }, "threefold: does not say"},
    {"noLook", [](json& all) { all.erase("look"); }, "look: is missing"},
    {"shading", [](json& all) { all["look"]["shading"] = "shiny"; },
     "look.shading: 'shiny' is unknown"},
    {"wipe", [](json& all) { all["look"]["wipe"] = 7; }, "look.wipe: is not a number between"},
    {"edges", [](json& all) { all["look"]["edges"] = "yes"; }, "look.edges: is neither"},
    {"map", [](json& all) { all["look"]["map"] = "rainbow"; }, "look.map: 'rainbow'"},
    {"chosen",
     [](json& all) {
         all["sample"]["chosen"] = {0, 1, 99};
     },
     "sample.chosen: names a view that is not there"},
    {"twice",
     [](json& all) {
         all["sample"]["chosen"] = {0, 1, 0};
     },
     "names the view 0 twice"},
    {"one", [](json& all) { all["sample"]["chosen"] = {0}; }, "names fewer than 2 views"},
    {"distance", [](json& all) { all["sample"]["views"][3]["distance"] = -1; },
     "sample.views[3].distance"},
    {"views", [](json& all) { all["sample"]["views"] = json::object(); },
     "sample.views: is not a list"},
    {"camera", [](json& all) { all["cameras"][1]["distance"] = 0; }, "cameras[1].distance"},
    {"target",
     [](json& all) {
         all["cameras"][0]["target"] = {1, 2};
     },
     "cameras[0].target"},
    {"cameras", [](json& all) { all["cameras"] = json(std::vector<int>(1000, 1)); },
     "cameras: is not a list of at most"},
    {"space", [](json& all) { all["opened"][0]["space"] = "moon"; },
     "opened[0].space: 'moon' is unknown"},
    {"panes",
     [](json& all) {
         all["panes"] = {"refined", "moon"};
     },
     "panes: names a mesh that is unknown"},
};

class DamagedSession : public testing::TestWithParam<Damage> {};

TEST_P(DamagedSession, isRefused_withThePlaceOfTheMistake) {
    json all = json::parse(formatSession(example(), "/data"));
    GetParam().apply(all);
    try {
        parseSession(all.dump(), "a.threefold");
        FAIL() << "was read";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr(GetParam().words));
        EXPECT_EQ(error.report().subject, "a.threefold");
        EXPECT_FALSE(error.report().remedy.empty());
    }
}

INSTANTIATE_TEST_SUITE_P(All, DamagedSession, testing::ValuesIn(kDamages),
                         [](const auto& each) { return std::string(each.param.title); });

TEST(Session, isRefused_whenItIsNotJson) {
    const std::string text = formatSession(example(), "/data");
    for (std::size_t length = 0; length < text.size() - 2; length += 37)
        EXPECT_THROW(parseSession(text.substr(0, length), "a.threefold"), FormatError);
}

}  // namespace
}  // namespace threefold::ui
