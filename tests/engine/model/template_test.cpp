#include "engine/model/template_mesh.h"

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/formats/files/write_file.h"
#include "engine/model/template_pickle.h"
#include "tests/engine/model/model_fixture.h"
#include "tests/engine/model/same_template.h"
#include "tests/support/message_of.h"
#include "tests/support/models.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using test::messageOf;
using test::TempFolder;
using test::testModel;
namespace pickle = test::pickle;

TemplateMesh readBack(const pickle::Entries& entries) {
    const TempFolder folder;
    writeFileAtomically(folder / "template.dat", pickle::pickled(pickle::dict(entries)));
    return loadTemplate(folder / "template.dat").mesh;
}

std::string& entry(pickle::Entries& entries, const std::string& key) {
    for (auto& [name, value] : entries)
        if (name == key) return value;
    throw std::out_of_range(key);
}

/// Message of the error from reading a template that was good before `change`.
std::string refusal(const std::function<void(pickle::Entries&)>& change) {
    pickle::Entries entries = pickle::templateEntries(testModel()->templateMesh);
    change(entries);
    return messageOf<ModelError>([&] { readBack(entries); });
}

void expectIn(const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(Template, hasThePublishedCounts_whenBundled) {
    const TemplateMesh& mesh = testModel()->templateMesh;
    ASSERT_EQ(mesh.levels.size(), 3u);
    const std::size_t vertices[] = {156, 618, 2466}, edges[] = {462, 1848, 0},
                      faces[] = {308, 1232, 4928}, nonZeros[] = {1080, 4314, 17250};
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(mesh.levels[i].vertexCount, vertices[i]);
        EXPECT_EQ(mesh.levels[i].unpoolEdges.size(), edges[i]);
        EXPECT_EQ(mesh.levels[i].faces.size(), faces[i]);
        EXPECT_EQ(mesh.levels[i].laplacian.values.size(), nonZeros[i]);
    }
    EXPECT_EQ(mesh.hypothesisOffsets.size(), 43u);
    EXPECT_EQ(mesh.hypothesisLaplacian.rows(), 43u);
    for (std::size_t i = 1; i < 43; ++i)
        EXPECT_NEAR(glm::length(mesh.hypothesisOffsets[i]), 0.02f, 1e-6f);
}

TEST(Template, hasASymmetricHypothesisLaplacian_whenBundled) {
    const SparseMatrix& l = testModel()->templateMesh.hypothesisLaplacian;
    // The centre is a neighbour of all others, so row 0 and column 0 are full.
    EXPECT_EQ(l.rowOffsets[1], 43u);
    for (std::size_t row = 1; row < l.rows(); ++row) EXPECT_EQ(l.columns[l.rowOffsets[row]], 0u);
    for (std::size_t row = 1; row < l.rows(); ++row)
        EXPECT_FLOAT_EQ(l.values[l.rowOffsets[row]], l.values[row]);
}

TEST(Template, isRestored_whenWrittenAsArrays) {
    const TemplateMesh& mesh = testModel()->templateMesh;
    test::expectSame(templateFromArrays(templateToArrays(mesh), "test"), mesh);
}

TEST(Template, isRestored_whenWrittenAsAPickle) {
    const TemplateMesh& mesh = testModel()->templateMesh;
    test::expectSame(readBack(pickle::templateEntries(mesh)), mesh);
}

TEST(Template, readsFacesWithTheirCount_whenTriangleListsAreMissing) {
    const TemplateMesh& mesh = testModel()->templateMesh;
    pickle::Entries entries = pickle::templateEntries(mesh);
    std::vector<std::string> faces;
    for (const TemplateLevel& level : mesh.levels) {
        std::vector<std::int64_t> cells;
        for (const glm::u32vec3& f : level.faces) cells.insert(cells.end(), {3, f.x, f.y, f.z});
        faces.push_back(pickle::array("i8", cells, {level.faces.size(), 4}));
    }
    for (auto& [name, value] : entries)
        if (name == "faces_triangle") name = "faces", value = pickle::list(faces);
    test::expectSame(readBack(entries), mesh);
}

TEST(Template, readsTheSparseGraph_whenTheDenseOneIsMissing) {
    const TemplateMesh& mesh = testModel()->templateMesh;
    pickle::Entries entries = pickle::templateEntries(mesh);
    for (auto& [name, value] : entries)
        if (name == "sample_cheb_dense") {
            name = "sample_cheb";
            value = pickle::list({"N", pickle::matrix(mesh.hypothesisLaplacian)});
        }
    test::expectSame(readBack(entries), mesh);
}

TEST(Template, namesTheMissingCentre_whenThereAre42Hypotheses) {
    const std::string message = refusal([](pickle::Entries& entries) {
        const Points& all = testModel()->templateMesh.hypothesisOffsets;
        entry(entries, "sample_coord") = pickle::points(Points(all.begin() + 1, all.end()));
    });
    expectIn(message, "42 hypotheses");
    expectIn(message, "centre");
    expectIn(message, "template.dat");
}

TEST(Template, namesTheKey_whenItIsMissing) {
    for (const char* key : {"coord", "stage1", "stage3", "pool_idx", "faces_triangle",
                            "sample_coord", "sample_cheb_dense"}) {
        SCOPED_TRACE(key);
        const std::string message = refusal([&](pickle::Entries& entries) {
            std::erase_if(entries, [&](const auto& item) { return item.first == key; });
        });
        expectIn(message, "is missing");
        expectIn(message, std::string(key).substr(0, 5));
    }
}

TEST(Template, namesTheKey_whenAnEntryHasTheWrongForm) {
    const auto refused = [](const std::string& key, const std::string& value) {
        return refusal([&](pickle::Entries& entries) { entry(entries, key) = value; });
    };
    const std::string bad = pickle::array("f8", std::vector<double>{1, 2}, {1, 2});
    expectIn(refused("coord", bad), "'coord': has shape [1, 2], expected [n, 3]");
    expectIn(refused("coord", "N"), "'coord'");
    expectIn(refused("stage2", pickle::list({"N"})), "'stage2'");
    expectIn(refused("stage2", pickle::list({"N", "N"})), "'stage2'");
    expectIn(refused("pool_idx", pickle::list({bad})), "'pool_idx'");
    expectIn(refused("sample_cheb_dense", pickle::list({"N", bad})), "1 by 2");
}

/// A size × size matrix with one entry at (row, column).
std::string matrixWith(std::int64_t row, std::int64_t column, double value, int size = 1) {
    return pickle::list(
        {"N", pickle::tuple({pickle::array("i8", std::vector<std::int64_t>{row, column}, {1, 2}),
                             pickle::array("f8", std::vector<double>{value}, {1}),
                             pickle::tuple({pickle::integer(size), pickle::integer(size)})})});
}

TEST(Template, namesTheEntry_whenAMatrixContradictsItself) {
    const auto refused = [](const std::string& value) {
        return refusal([&](pickle::Entries& entries) { entry(entries, "stage1") = value; });
    };
    expectIn(refused(matrixWith(0, 1, 1.0)), "(0, 1)");
    expectIn(refused(matrixWith(-1, 0, 1.0)), "(-1, 0)");
    expectIn(refused(matrixWith(0, 0, 1.0, 1 << 30)), "1073741824 rows but only 1 values");
    expectIn(refused(matrixWith(0, 0, 1.0)), "156");
    const std::vector<std::int64_t> twice = {0, 0, 0, 0};
    expectIn(refused(pickle::list(
                 {"N", pickle::tuple({pickle::array("i8", twice, {2, 2}),
                                      pickle::array("f8", std::vector<double>{1, 2}, {2}),
                                      pickle::tuple({pickle::integer(1), pickle::integer(1)})})})),
             "(0, 0) twice");
}

TEST(Template, isRefused_whenAnIndexIsInvalid) {
    const auto faces = [](std::int64_t index) {
        return pickle::array("i8", std::vector<std::int64_t>{0, 1, index}, {1, 3});
    };
    for (std::int64_t index : {std::int64_t{-1}, std::int64_t{1} << 40}) {
        const std::string message = refusal([&](pickle::Entries& entries) {
            entry(entries, "faces_triangle") =
                pickle::list({faces(index), faces(index), faces(index)});
        });
        expectIn(message, std::to_string(index));
    }
}

TEST(Template, isRefused_whenThePickleIsNoDict) {
    const TempFolder folder;
    writeFileAtomically(folder / "template.dat", pickle::pickled(pickle::integer(1)));
    expectIn(messageOf<ModelError>([&] { loadTemplate(folder / "template.dat"); }), "dict");
}

/// Message of the error from checking a template that was good before `change`.
std::string contradiction(const std::function<void(TemplateMesh&)>& change) {
    TemplateMesh mesh = testModel()->templateMesh;
    change(mesh);
    return messageOf<ModelError>([&] { requireValidTemplate(mesh, "test"); });
}

TEST(CheckTemplate, namesTheEntry_whenPartsContradictEachOther) {
    const float nan = std::nanf("");
    using Mesh = TemplateMesh;
    expectIn(contradiction([](Mesh& m) { m.levels.pop_back(); }), "2 levels");
    expectIn(contradiction([](Mesh& m) { m.levels.clear(); }), "0 levels");
    expectIn(contradiction([](Mesh& m) { m.vertices.pop_back(); }), "155 coordinates");
    expectIn(contradiction([](Mesh& m) { m.vertices.clear(); }), "0 coordinates");
    expectIn(contradiction([&](Mesh& m) { m.vertices[3].y = nan; }), "not finite");
    expectIn(contradiction([](Mesh& m) { m.levels[1].faces[0].y = 618; }), "level 2: face");
    expectIn(contradiction([](Mesh& m) { m.levels[1].faces.clear(); }), "level 2: has no faces");
    expectIn(contradiction([](Mesh& m) { m.levels[0].unpoolEdges[0].x = 156; }), "level 1: edge");
    expectIn(contradiction([](Mesh& m) { m.levels[0].unpoolEdges.pop_back(); }), "461 edges");
    expectIn(contradiction([](Mesh& m) { m.levels[2].unpoolEdges = {{0, 1}}; }), "last level");
    expectIn(contradiction([&](Mesh& m) { m.levels[0].laplacian.values[5] = nan; }),
             "level 1, Laplacian");
    expectIn(contradiction([](Mesh& m) { m.levels[0].laplacian.columns[5] = 156; }), "column 156");
    expectIn(contradiction([](Mesh& m) { m.levels[0].laplacian.values.pop_back(); }), "contradict");
    expectIn(contradiction([](Mesh& m) { m.levels[0].laplacian.rowOffsets[1] = 2000; }),
             "contradict");
    expectIn(contradiction([](Mesh& m) { m.levels[0].laplacian = {}; }), "has 0 rows");
    expectIn(contradiction([](Mesh& m) { m.hypothesisOffsets.clear(); }), "hypotheses: 0 found");
    expectIn(contradiction([](Mesh& m) { m.hypothesisOffsets[0].x = 0.1f; }), "not the centre");
    expectIn(contradiction([&](Mesh& m) { m.hypothesisOffsets[1].x = nan; }), "not finite");
    expectIn(contradiction([](Mesh& m) { m.hypothesisOffsets.pop_back(); }),
             "43 rows, expected 42");
}

TEST(TemplateArrays, namesTheArray_whenOneDoesNotFit) {
    const auto refused = [](const std::function<void(ArrayMap&)>& change) {
        ArrayMap arrays = templateToArrays(testModel()->templateMesh);
        change(arrays);
        return messageOf<ModelError>([&] { templateFromArrays(arrays, "test"); });
    };
    expectIn(refused([](ArrayMap& a) { a.erase("template.coordinates"); }),
             "'template.coordinates': is missing");
    expectIn(refused([](ArrayMap& a) { a.erase("template.level2.laplacian.column"); }),
             "'template.level2.laplacian.column': is missing");
    expectIn(refused([](ArrayMap& a) { a.erase("template.level1.unpool_edges"); }), "level 1");
    expectIn(refused([](ArrayMap& a) { a.erase("template.level2.faces"); }),
             "'template.level2.laplacian.column': is left over");
    expectIn(refused([](ArrayMap& a) { a.at("template.hypotheses").shape = {129}; }), "[129]");
    expectIn(refused([](ArrayMap& a) {
                 a.at("template.hypotheses") = makeArray(std::vector<std::int32_t>(129), {43, 3});
             }),
             "is i32 [43, 3], expected f32 [n, 3]");
    expectIn(
        refused([](ArrayMap& a) {
            a.at("template.level1.faces") = makeArray(std::vector<std::int32_t>{0, -1, 2}, {1, 3});
        }),
        "the index -1");
}

}  // namespace
}  // namespace threefold
