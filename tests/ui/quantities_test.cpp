

#include "ui/results/quantities.h"
#include "tests/ui/core_application.h"
#include "tests/ui/test_sample.h"
#include "ui/document/document.h"
#include "ui/document/opened_mesh_values.h"
#include "ui/document/shown_document.h"
#include "ui/document/value_range.h"
#include "ui/panes/header_text.h"
#include "ui/panes/make_scene.h"
#include "ui/results/morphed_mesh.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <glm/geometric.hpp>

#include <gtest/gtest.h>

namespace threefold::ui {
namespace {

ResultRef resultWithTruth() {
    return makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction());
}

ResultRef resultWithoutTruth() {
    return makeResult(test::sampleWithoutTruth(), {0, 6, 7}, test::fakeReconstruction());
}

float nearest(glm::vec3 from, const Points& to) {
    float minDistance = 1e9F;
    for (const glm::vec3& point : to)
        minDistance = std::min(minDistance, glm::distance(from, point));
    return minDistance;
}

// Whether meshes of the bundled sample, whose truth is points, have values of this quantity.
bool isOfResults(const QuantityInfo& info) {
    return info.hasValues() && !info.isFromFile && !info.needsTruthSurface;
}

TEST(Quantities, areDistancesToTheTruth_atEveryStage) {
    const ResultRef result = resultWithTruth();
    for (const float position : {test::kMorphTemplate, test::kMorphLevel2, test::kMorphCoarse,
                                 test::kMorphRefined1, kMorphResult}) {
        const SurfaceValues values = morphedValues(*result, position, Quantity::distanceToTruth);
        const render::SceneMeshRef mesh = morphedMesh(*result, position);
        ASSERT_TRUE(values.values) << position << ' ' << values.reason.toStdString();
        ASSERT_EQ(values.values->size(), mesh->vertices.size());
        for (std::size_t i = 0; i < mesh->vertices.size(); i += 97) {
            EXPECT_NEAR((*values.values)[i],
                        nearest(mesh->vertices[i], result->truth->points->vertices), 1e-5F);
        }
        EXPECT_TRUE(std::is_sorted(values.sorted->begin(), values.sorted->end()));
    }
}

TEST(Quantities, giveEachVertexTheLargestDistance_ofTruePointsNearestToIt) {
    const ResultRef result = resultWithTruth();
    const Points& truth = result->truth->points->vertices;
    const SurfaceValues points =
        quantityValues(*result, MeshId::truth, Quantity::distanceFromTruth);
    const SurfaceValues mesh = quantityValues(*result, MeshId::result, Quantity::distanceFromTruth);
    ASSERT_TRUE(points.values && mesh.values);
    ASSERT_EQ(points.values->size(), truth.size());
    std::vector<float> worst(result->mesh(MeshId::result)->vertices.size(), -1.0F);
    for (std::size_t i = 0; i < truth.size(); ++i) {
        std::size_t owner = 0;
        float minDistance = 1e9F;
        for (std::size_t v = 0; v < result->mesh(MeshId::result)->vertices.size(); ++v) {
            const float d = glm::distance(truth[i], result->mesh(MeshId::result)->vertices[v]);
            if (d < minDistance) {
                minDistance = d;
                owner = v;
            }
        }
        ASSERT_NEAR((*points.values)[i], minDistance, 1e-5F);
        worst[owner] = std::max(worst[owner], minDistance);
    }
    std::size_t agreeing = 0;
    for (std::size_t v = 0; v < worst.size(); ++v) {
        EXPECT_FALSE(std::isnan((*mesh.values)[v]));
        if (worst[v] < 0) continue;
        // Of two vertices at the same distance, either may own the point.
        if (std::abs((*mesh.values)[v] - worst[v]) < 1e-5F) ++agreeing;
    }
    EXPECT_GT(agreeing, 100U);
    EXPECT_FALSE(quantityValues(*result, MeshId::truth, Quantity::movement).values);
}

TEST(Quantities, areMovementsAndEntropies_ofTheReconstruction) {
    const ResultRef result = resultWithoutTruth();
    const Reconstruction& r = result->reconstruction.network;
    const auto at = [&](MeshId id, Quantity quantity) {
        return *quantityValues(*result, id, quantity).values;
    };
    EXPECT_NEAR(at(MeshId::firstPublished, Quantity::movement)[5],
                glm::distance(r.vertices("coarse")[5], r.vertices("refined")[5]), 1e-6F);
    EXPECT_NEAR(at(MeshId::result, Quantity::lastMovement)[9],
                glm::distance(r.vertices("refined1")[9], r.vertices("refined")[9]), 1e-6F);
    EXPECT_EQ(at(MeshId::firstPublished, Quantity::entropy),
              r.find("refined1")->channel("entropy"));
    EXPECT_EQ(at(MeshId::result, Quantity::entropy), r.find("refined")->channel("entropy"));
}

TEST(Quantities, areCurvatures_nearThatOfTheSphere) {
    const ResultRef result = resultWithoutTruth();
    // The template of FakeBackend is a sphere of radius 0.2.
    const SurfaceValues values = morphedValues(*result, test::kMorphTemplate, Quantity::curvature);
    ASSERT_TRUE(values.values);
    EXPECT_TRUE(values.diverging);
    for (const float curvature : *values.values) EXPECT_NEAR(curvature, 5.0F, 0.6F);
}

TEST(Quantities, areInterpolatedBetweenStages_asTheMeshIs) {
    const ResultRef result = resultWithTruth();
    const auto at = [&](float position) {
        return *morphedValues(*result, position, Quantity::distanceToTruth).values;
    };
    const auto from = at(test::kMorphCoarse);
    const auto to = at(test::kMorphRefined1);
    const auto between = at(-1.5F);
    for (std::size_t i = 0; i < between.size(); i += 41) {
        EXPECT_NEAR(between[i], 0.5F * (from[i] + to[i]), 1e-6F);
    }
    for (const float position : {-4.5F, -3.5F, -2.75F}) {
        EXPECT_EQ(at(position).size(), morphedMesh(*result, position)->vertices.size());
    }
}

TEST(Quantities, explainTheirAbsence) {
    const ResultRef bare = resultWithoutTruth();
    EXPECT_NE(quantityValues(*bare, MeshId::result, Quantity::distanceToTruth).reason, "");
    EXPECT_NE(morphedValues(*bare, test::kMorphLevel1, Quantity::movement).reason, "");
    EXPECT_EQ(quantityValues(*bare, MeshId::result, Quantity::normals).reason, "");
    Reconstruction withoutChannels = test::fakeReconstruction();
    for (StageMesh& stage : withoutChannels.stages) stage.channels.clear();
    const ResultRef result =
        makeResult(test::sampleWithoutTruth(), {0, 6, 7}, std::move(withoutChannels));
    EXPECT_NE(quantityValues(*result, MeshId::firstPublished, Quantity::entropy).reason, "");

    Document document;
    for (const Quantity quantity : kAllQuantities) {
        const bool needsNoMesh = quantity == Quantity::none || quantity == Quantity::normals;
        EXPECT_EQ(missingReason({document}, quantity).isEmpty(), needsNoMesh);
    }
    document.result.set(bare);
    EXPECT_NE(missingReason({document}, Quantity::distanceFromTruth), "");
    EXPECT_EQ(missingReason({document}, Quantity::curvature), "");
    // A result without meshes has no values.
    document.result.set(std::make_shared<Result>());
    EXPECT_FALSE(surfaceValues({document}, MeshId::result, Quantity::curvature).values);
}

TEST(OpenedMeshValues, areComputedInTheBackground_andDroppedWithTheMesh) {
    const test::CoreApplication application;
    Document document;
    OpenedMeshValues values(document);
    const ResultRef result = resultWithTruth();
    document.result.set(result);
    document.opened.set(MeshId::opened(1), std::make_shared<OpenedMesh>(OpenedMesh{
                                               "same.obj", result->mesh(MeshId::firstPublished)}));
    const auto get = [&] {
        return surfaceValues({document, &values}, MeshId::opened(1), Quantity::distanceToTruth);
    };
    EXPECT_FALSE(get().values);
    EXPECT_NE(get().reason, "");
    test::CoreApplication::finishWork();
    ASSERT_TRUE(get().values);
    const SurfaceValues coarse =
        quantityValues(*result, MeshId::firstPublished, Quantity::distanceToTruth);
    ASSERT_EQ(get().values->size(), coarse.values->size());
    for (std::size_t i = 0; i < coarse.values->size(); i += 53) {
        EXPECT_NEAR((*get().values)[i], (*coarse.values)[i], 1e-5F);
    }
    document.look.set({.quantity = Quantity::curvature});
    test::CoreApplication::finishWork();
    EXPECT_TRUE(surfaceValues({document, &values}, MeshId::opened(1), Quantity::curvature).values);
    EXPECT_NE(surfaceValues({document, &values}, MeshId::opened(1), Quantity::entropy).reason, "");
    document.opened.set(MeshId::opened(1), nullptr);
    EXPECT_FALSE(get().values);
}

TEST(OpenedMeshValues, areAnnouncedInTheirPanesHeader_whileComputed) {
    const test::CoreApplication application;
    Document document;
    OpenedMeshValues values(document);
    const ResultRef result = resultWithTruth();
    document.result.set(result);
    document.opened.set(MeshId::opened(1), std::make_shared<OpenedMesh>(OpenedMesh{
                                               "same.obj", result->mesh(MeshId::firstPublished)}));
    const auto waits = [&](MeshId id) {
        return headerText({document, &values}, id).detail.endsWith(QStringLiteral(" · colouring…"));
    };
    EXPECT_TRUE(waits(MeshId::opened(1)));
    EXPECT_FALSE(waits(MeshId::result));  // a result comes with its values
    test::CoreApplication::finishWork();
    EXPECT_FALSE(waits(MeshId::opened(1)));
    document.look.set({.quantity = Quantity::none});
    EXPECT_FALSE(waits(MeshId::opened(1)));
}

// Receivers of the change may draw before OpenedMeshValues has received it.
TEST(OpenedMeshValues, areNeverPairedWithAnotherMesh) {
    const test::CoreApplication application;
    Document document;
    std::function<render::Layer()> layer;  // set below, since it needs `values`
    std::vector<render::Layer> drawn;
    QObject::connect(&document.opened, &OpenedMeshes::changed, &document,
                     [&] { drawn.push_back(layer()); });
    OpenedMeshValues values(document);
    layer = [&] {
        return makeScene({document, &values}, themeColours(Theme::dark)).panes[0].layers.at(0);
    };
    const ResultRef result = resultWithTruth();
    document.result.set(result);
    for (const render::SceneMeshRef& mesh :
         {result->mesh(MeshId::firstPublished), result->morph.stages[0].mesh}) {
        document.opened.set(MeshId::opened(1),
                            std::make_shared<OpenedMesh>(OpenedMesh{"any.obj", mesh}));
        EXPECT_EQ(drawn.back().mesh, mesh);
        EXPECT_EQ(drawn.back().values, nullptr);
        test::CoreApplication::finishWork();
        ASSERT_NE(layer().values, nullptr);
        EXPECT_EQ(layer().values->size(), mesh->vertices.size());
    }
}

TEST(ValueRange, isThePercentile_ofAllListsTogether) {
    const std::vector<float> a = {1, 3, 5, 7};
    const std::vector<float> b = {2, 2, 4, 6, 8, 10};
    const std::vector<float>* const lists[] = {&a, &b};
    const std::pair<double, float> expected[] = {{0.0, 1.0F},  {0.01, 1.0F}, {0.1, 1.0F},
                                                 {0.35, 3.0F}, {0.5, 4.0F},  {0.95, 10.0F},
                                                 {1.0, 10.0F}};
    for (const auto& [fraction, value] : expected)
        EXPECT_EQ(quantileOfSorted(lists, fraction), value) << fraction;
    EXPECT_EQ(quantileOfSorted({}, 0.5), 0);
}

TEST(ValueRange, isSharedPerPaneOrManual_asChosen) {
    Document document;
    document.result.set(resultWithTruth());
    const ValueRange shared = valueRange({document}, MeshId::firstPublished);
    EXPECT_EQ(shared, valueRange({document}, MeshId::result));
    EXPECT_EQ(shared.min, 0);
    std::vector<float> both = document.result.current()->evaluation()->first().distances;
    const std::vector<float>& refined = document.result.current()->evaluation()->result().distances;
    both.insert(both.end(), refined.begin(), refined.end());
    std::sort(both.begin(), both.end());
    EXPECT_NEAR(shared.max, both[(both.size() * 99 + 99) / 100 - 1], 1e-6F);
    // The shown stage does not change the range.
    Look look = document.look.current();
    look.morphPosition = -4.5F;
    document.look.set(look);
    EXPECT_EQ(shared, valueRange({document}, MeshId::result));

    look = {.range = RangeMode::perPane};
    document.look.set(look);
    EXPECT_NE(valueRange({document}, MeshId::firstPublished),
              valueRange({document}, MeshId::result));

    document.look.set({.range = RangeMode::custom, .rangeMin = 0.01F, .rangeMax = 0.03F});
    EXPECT_EQ(valueRange({document}, MeshId::firstPublished), (ValueRange{0.01F, 0.03F}));
    document.look.set({.range = RangeMode::custom, .rangeMin = 0.04F, .rangeMax = 0.03F});
    const ValueRange sound = valueRange({document}, MeshId::firstPublished);
    EXPECT_LT(sound.min, sound.max);

    document.look.set({.quantity = Quantity::curvature});
    const ValueRange signedRange = valueRange({document}, MeshId::result);
    EXPECT_EQ(signedRange.min, -signedRange.max);

    document.look.set({.scale = render::ValueScale::logarithmic});
    EXPECT_GT(valueRange({document}, MeshId::result).min, 0);
}

TEST(ValueRange, leavesMoreOfALongTailOut_whenSigned) {
    Document document;
    document.result.set(resultWithTruth());
    document.look.set({.quantity = Quantity::curvature});
    const QuantityInfo info = quantityInfo(Quantity::curvature);
    ASSERT_GT(info.tailFactor, 1);
    const double fraction = automaticRangeFraction(document.look.current().upperQuantile, info);
    std::vector<float> sizes;
    for (const MeshId id : {MeshId::firstPublished, MeshId::result}) {
        for (const float value : *surfaceValues({document}, id).sorted) {
            sizes.push_back(std::abs(value));
        }
    }
    std::sort(sizes.begin(), sizes.end());
    const auto rank =
        static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(sizes.size())));
    EXPECT_EQ(valueRange({document}, MeshId::result).max, sizes[rank - 1]);

    EXPECT_EQ(automaticRangeFraction(1, info), 1);
    EXPECT_EQ(automaticRangeFraction(0.5F, info), 0.5);
    EXPECT_FLOAT_EQ(
        static_cast<float>(automaticRangeFraction(0.99F, quantityInfo(Quantity::movement))), 0.99F);
}

TEST(ValueRange, belongsToItsQuantity) {
    const Look typed{.range = RangeMode::custom};
    EXPECT_EQ(withQuantity(typed, Quantity::entropy).range, RangeMode::shared);
    EXPECT_EQ(withQuantity(typed, typed.quantity).range, RangeMode::custom);
}

TEST(ValueRange, mapsValues_onLinearAndLogarithmicScales) {
    const render::ColourScale linear{.min = -1, .max = 3};
    EXPECT_FLOAT_EQ(scalePosition(0, linear), 0.25F);
    EXPECT_FLOAT_EQ(valueAtScalePosition(0.25F, linear), 0);
    const render::ColourScale logarithmic{
        .scale = render::ValueScale::logarithmic, .min = 0.001F, .max = 10};
    EXPECT_NEAR(scalePosition(0.1F, logarithmic), 0.5F, 1e-6F);
    EXPECT_NEAR(valueAtScalePosition(0.75F, logarithmic), 1, 1e-4F);
    EXPECT_LT(scalePosition(0, logarithmic), 0);
    EXPECT_TRUE(std::isnan(scalePosition(std::nanf(""), logarithmic)));
}

TEST(Histogram, countsEachValueOnce) {
    const std::vector<float> values = {0, 0.1F, 0.1F, 0.5F, 0.9F, 1.0F, 7.0F};
    const auto bins = histogram(values, {.min = 0, .max = 1}, 4);
    EXPECT_EQ(bins, (std::vector<float>{1, 0, 1.0F / 3, 2.0F / 3}));
    const auto decades =
        histogram({0.001F, 0.02F, 0.03F, 5},
                  {.scale = render::ValueScale::logarithmic, .min = 0.001F, .max = 10}, 4);
    EXPECT_EQ(decades, (std::vector<float>{0.5F, 1, 0, 0.5F}));
    EXPECT_EQ(histogram({}, {.min = 0, .max = 1}, 2), (std::vector<float>{0, 0}));
}

TEST(Quantities, areThoseOfTheFittedMesh_andItsMovement) {
    const ResultRef result =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fittedReconstruction());
    const FittedReconstruction& r = result->reconstruction;
    const auto at = [&](Quantity quantity) {
        return *quantityValues(*result, MeshId::fitted, quantity).values;
    };
    EXPECT_NEAR(at(Quantity::movement)[5],
                glm::distance(r.network.vertices("refined")[5], r.fitted->vertices[5]), 1e-6F);
    ASSERT_TRUE(result->evaluation()->fitted());
    EXPECT_NEAR(at(Quantity::distanceToTruth)[5], result->evaluation()->fitted()->distances[5],
                1e-6F);
    for (const Quantity quantity : kAllQuantities) {
        if (!isOfResults(quantityInfo(quantity))) continue;
        EXPECT_EQ(at(quantity).size(), r.fitted->vertices.size());
    }
}

TEST(Quantities, areThoseOfTheHull_whenTheFitStartsFromIt) {
    const ResultRef before =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction());
    EXPECT_NE(quantityValues(*before, MeshId::hull, Quantity::distanceToTruth).reason, "");
    const ResultRef result = withFit(before, {}, test::sampleWithDepth());
    for (const Quantity quantity : kAllQuantities) {
        const QuantityInfo info = quantityInfo(quantity);
        if (!isOfResults(info)) continue;
        const SurfaceValues values = quantityValues(*result, MeshId::hull, quantity);
        const bool known = info.ofMesh != nullptr;
        EXPECT_EQ(values.reason.isEmpty(), known) << info.name.toStdString();
        ASSERT_EQ(bool(values.values), known) << info.name.toStdString();
        if (known) {
            EXPECT_EQ(values.values->size(), result->mesh(MeshId::hull)->vertices.size());
            EXPECT_NE(*values.values, *quantityValues(*result, MeshId::fitted, quantity).values);
        }
    }
}

TEST(Quantities, explainTheirAbsence_whenTheFittedMeshHasOtherVertices) {
    const ResultRef result =
        makeResult(test::bundledSample(), {0, 6, 7}, test::hullReconstruction());
    for (const Quantity quantity : kAllQuantities) {
        const QuantityInfo info = quantityInfo(quantity);
        if (!isOfResults(info)) continue;
        const SurfaceValues values = quantityValues(*result, MeshId::fitted, quantity);
        const bool known = info.ofMesh != nullptr;
        EXPECT_EQ(values.reason.isEmpty(), known) << info.name.toStdString();
        ASSERT_EQ(bool(values.values), known) << info.name.toStdString();
        if (known) {
            EXPECT_EQ(values.values->size(), result->reconstruction.fitted->vertices.size());
        }
        EXPECT_EQ(morphedValues(*result, 0.3F, quantity).values,
                  quantityValues(*result, MeshId::result, quantity).values);
    }
}

TEST(Quantities, areThoseOfTheConvergingMesh_duringAFit) {
    // In the last step the converging mesh is the fitted mesh, so all quantities must agree.
    const ResultRef fitted =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fittedReconstruction());
    Document document;
    document.fit.setChoice({.on = true});
    document.result.set(resultWithTruth());
    EXPECT_EQ(surfaceValues({document}, MeshId::fitted, Quantity::movement).sorted->back(), 0);
    document.fit.setConvergingMesh(fitted->mesh(MeshId::fitted));
    for (const Quantity quantity : kAllQuantities) {
        if (!isOfResults(quantityInfo(quantity))) continue;
        const SurfaceValues values = surfaceValues({document}, MeshId::fitted, quantity);
        ASSERT_TRUE(values.values) << values.reason.toStdString();
        const render::SceneValues& last = *quantityValues(*fitted, MeshId::fitted, quantity).values;
        ASSERT_EQ(values.values->size(), last.size());
        for (std::size_t i = 0; i < last.size(); i += 31) {
            const float tolerance = 1e-4F * std::max(1.0F, std::abs(last[i]));
            EXPECT_NEAR((*values.values)[i], last[i], tolerance)
                << quantityInfo(quantity).name.toStdString() << ' ' << i;
        }
    }
    // Values that another thread computed by convergingValues() are reused.
    const auto next = std::make_shared<const render::SceneMesh>(*fitted->mesh(MeshId::fitted));
    const Quantity distance = Quantity::distanceToTruth;
    const SurfaceValues ofThis =
        convergingValues(*document.result.current(), fitted->mesh(MeshId::fitted), distance);
    const SurfaceValues ofNext = convergingValues(*document.result.current(), next, distance);
    EXPECT_NE(ofThis.values, ofNext.values);
    EXPECT_EQ(surfaceValues({document}, MeshId::fitted, distance).values, ofThis.values);
    document.fit.setConvergingMesh(next);
    EXPECT_EQ(surfaceValues({document}, MeshId::fitted, distance).values, ofNext.values);
    document.result.set(resultWithoutTruth());
    EXPECT_FALSE(surfaceValues({document}, MeshId::fitted, distance).values);
}

}  // namespace
}  // namespace threefold::ui
