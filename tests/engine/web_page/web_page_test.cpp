#include "engine/web_page/web_page.h"

#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/web_page/page_parts.h"
#include "engine/web_page/sample_result.h"

namespace threefold {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kHostile = "</script><script>alert(1)</script>\"'<!--{{script}}";

WebResult triangle(std::string name, std::vector<float> values = {}) {
    WebResult result{.name = std::move(name)};
    result.meshes.push_back({.name = "refined",
                             .mesh = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}},
                             .values = std::move(values)});
    return result;
}

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
    const std::size_t first = text.find(begin) + begin.size();
    return text.substr(first, text.find(end, first) - first);
}

std::size_t countOf(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

TEST(WebPage, escapesNames) {
    WebPage page{.title = kHostile, .measures = {{kHostile}}};
    page.colours.caption = kHostile;
    page.results.push_back(triangle(kHostile));
    page.results[0].meshes[0].name = kHostile;
    page.results[0].meshes[0].numbers = {{kHostile}};
    page.results[0].photographs.push_back({kHostile, {1, 1, {0, 0, 0, 255}}, {}});
    page.results[0].note = kHostile;
    page.subtitle = kHostile;
    page.results[0].meshes[0].caption = kHostile;
    page.results[0].meshes[0].beyondMaxText = kHostile;
    const std::string html = webPageHtml(page);
    EXPECT_THAT(html, Not(HasSubstr("alert(1)</script>")));
    EXPECT_THAT(html, Not(HasSubstr("<!--")));
    // Three elements: the page's data, the result's data and the script.
    EXPECT_EQ(countOf(html, "<script"), 3U);
    EXPECT_EQ(countOf(html, "</script>"), 3U);
    const auto data = nlohmann::json::parse(between(html, "id=\"data\">", "</script>"));
    EXPECT_EQ(data["names"][0], kHostile);
}

TEST(FilledTemplate, replacesPlaceholders_butNotInTheTexts) {
    EXPECT_EQ(fillTemplate("<b>{{name}}</b> {{name}}", {{"name", "{{x}}"}, {"other", "-"}}),
              "<b>{{x}}</b> {{x}}");
}

TEST(FilledTemplate, isRefused_whenAPlaceholderHasNoTextOrNoEnd) {
    EXPECT_THROW(fillTemplate("{{name}}", {{"other", "-"}}), std::logic_error);
    EXPECT_THROW(fillTemplate("a {{name", {{"name", "-"}}), std::logic_error);
}

TEST(WebPage, permitsOnlyItsOwnScriptAndStyle) {
    const std::string html = webPageHtml({.title = "page", .results = {triangle("one")}});
    const std::string policy = between(html, "Security-Policy\" content=\"", "\"");
    EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
    EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
    const std::string script = between(html, "<script>", "</script>");
    const std::string style = between(html, "<style>", "</style>");
    EXPECT_EQ(policy, contentSecurityPolicy(style, script));
    EXPECT_NE(policy, contentSecurityPolicy(style, script + " "));
    // The page has no URL that a browser could load; XML namespaces are not loaded.
    EXPECT_EQ(countOf(html, "http://"), countOf(html, "http://www.w3.org/2000/svg"));
    EXPECT_THAT(html, Not(HasSubstr("https://")));
}

TEST(WebPage, hashesAsBrowsersDo) {
    // Hash made by: printf hello | openssl dgst -sha256 -binary | base64
    EXPECT_THAT(contentSecurityPolicy("", "hello"),
                HasSubstr("script-src 'sha256-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ='"));
}

TEST(WebPage, hasAnElementForEachResult) {
    WebPage page{.title = "page"};
    for (int i = 0; i < 30; ++i) page.results.push_back(triangle("result"));
    EXPECT_EQ(countOf(webPageHtml(page), "class=\"result\""), 30U);
}

TEST(WebPage, sharesARange_upToThe99thPercentile) {
    std::vector<float> values;
    for (int i = 1; i <= 99; ++i) values.push_back(0.01F * static_cast<float>(i));
    values.push_back(1000);
    values.push_back(std::numeric_limits<float>::quiet_NaN());
    const std::vector<WebResult> results{triangle("one", values)};
    const WebColourScale colours = withSharedRange({}, results);
    EXPECT_EQ(colours.min, 0);
    EXPECT_FLOAT_EQ(colours.max, 0.99F);
}

TEST(WebPage, sharesTheRangeOfPrimaryMeshes_whenTheyHaveValues) {
    std::vector<WebResult> results{triangle("one", {0, 0.5F, 1}), triangle("two", {0, 1, 2})};
    results[1].meshes[0].definesViewAndRange = false;
    EXPECT_EQ(withSharedRange({}, results).max, 1);
    results[0].meshes[0].values.clear();
    EXPECT_EQ(withSharedRange({}, results).max, 2);
    results[1].meshes[0].values.clear();
    EXPECT_EQ(withSharedRange({.max = 7}, results).max, 7);
}

TEST(WebPage, sharesTheRangeOfAllMeshes_whenThePrimaryOnesHaveNoFiniteValue) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<WebResult> results{triangle("one", {nan, nan, nan}), triangle("two", {0, 1, 2})};
    results[1].meshes[0].definesViewAndRange = false;
    EXPECT_EQ(withSharedRange({}, results).max, 2);
    results.pop_back();
    EXPECT_EQ(withSharedRange({.max = 7}, results).max, 7);
}

TEST(WebPage, leavesTheTruthsDistances_outOfTheRange) {
    std::vector<WebResult> results{triangle("one", {0, 0.5F, 1}), triangle("two", {0, 1, 50})};
    results[1].meshes[0].maxShownDistance = 0.01F;
    EXPECT_EQ(withSharedRange({}, results).max, 1);
}

TEST(WebPage, marksMissedTruePoints) {
    WebMesh points;
    points.mesh.vertices = {{0.1F, 0.1F, 0}, {0.1F, 0.1F, 0.009F}, {0, 0, 0.25F}};
    setDistancesToMesh(points, triangle("one").meshes[0], 1e-4);
    EXPECT_THAT(points.values, testing::ElementsAre(testing::FloatNear(0, 1e-6F),
                                                    testing::FloatNear(0.009F, 1e-6F), 0.25F));
    EXPECT_FLOAT_EQ(points.maxShownDistance, 0.01F);
    EXPECT_EQ(points.beyondMaxText, "farther than 0.01 from the refined mesh");
}

TEST(WebPage, countsInTheSingular_whenThereIsOne) {
    EXPECT_EQ(fitCaption(1), "fitted to 1 photograph");
    EXPECT_EQ(fitCaption(24), "fitted to 24 photographs");
    GroundTruth truth;
    truth.points = {glm::vec3(0)};
    EXPECT_EQ(webTruth(truth, Camera(), nullptr, 1e-4).caption, "ground truth, 1 point");
    truth.points.resize(2);
    EXPECT_EQ(webTruth(truth, Camera(), nullptr, 1e-4).caption, "ground truth, 2 points");
}

TEST(WebPage, namesTheViews_whoseMeansItShows) {
    const std::vector<ViewSilhouetteScores> seen{{0, {{"refined", SilhouetteScore{0.5, {}}}}},
                                                 {4, {}}};
    const std::vector<int> input{0, 6};
    EXPECT_EQ(
        webNote({.input = input, .silhouettes = seen}, 1e-4),
        "Input: views 0, 6 · overlap and outlines: means of view 0 · τ = 0.0001 object units² of "
        "squared distance, a distance of 0.01.");
}

TEST(WebPage, countsComparedViews_usedByTheFit) {
    const SilhouetteScore score{0.5, {}};
    const std::vector<ViewSilhouetteScores> compared{{0, {{"refined", score}}},
                                                     {6, {{"refined", score}}}};
    const auto note = [&](const std::vector<int>& fitted) {
        return webNote({.input = {}, .fitted = fitted, .silhouettes = compared}, std::nullopt);
    };
    EXPECT_EQ(note({6, 0, 9}),
              "overlap and outlines: means of views 0, 6, which the fit has seen.");
    EXPECT_EQ(note({3, 6}),
              "overlap and outlines: means of views 0, 6, of which the fit has seen 1.");
    EXPECT_EQ(note({3}),
              "overlap and outlines: means of views 0, 6, of which the fit has seen none.");
}

/// A sample without photographs, whose fit was requested for four views.
MeasuredSample fittedToFourViews() {
    Sample sample;
    for (int view = 0; view < 10; ++view) {
        sample.images.emplace_back("no-folder/picture.png");
        sample.cameraRows.push_back({36.0 * view, 20, 0, 0.8, 25});
    }
    MeasuredSample measured;
    measured.loaded.sample = std::make_shared<const Sample>(std::move(sample));
    measured.loaded.views = {0, 6};
    const SilhouetteScore score{0.5, {}};
    measured.silhouettes = {{0, {{"refined", score}}}, {6, {{"refined", score}}}};
    measured.fit = SampleFit{{}, {0, 3, 6, 9}};
    return measured;
}

TEST(WebPage, countsTheFitsPhotographs_withoutThoseLeftOut) {
    MeasuredSample measured = fittedToFourViews();
    FitResult& result = measured.fit->result.emplace();
    for (const int view : {0, 3, 9}) result.agreements.emplace_back().view = view;
    measured.reconstruction.fitted = triangle("one").meshes.front().mesh;
    std::vector<std::string> notes;
    const WebResult page = webResultOfSample(measured, {}, notes);
    ASSERT_EQ(page.meshes.size(), 1U);
    EXPECT_EQ(page.meshes.front().caption, "fitted to 3 photographs");
    EXPECT_EQ(page.note,
              "Input: views 0, 6 · overlap and outlines: means of views 0, 6, of which the fit has "
              "seen 1.");
}

TEST(WebPage, saysNothingOfTheFitsViews_whenTheFitWasDiscarded) {
    MeasuredSample measured = fittedToFourViews();
    FitResult& result = measured.fit->result.emplace();
    result.agreements.emplace_back().view = 0;
    result.isDiscarded = true;
    measured.reconstruction.fitted = triangle("one").meshes.front().mesh;
    std::vector<std::string> notes;
    const WebResult page = webResultOfSample(measured, {}, notes);
    ASSERT_EQ(page.meshes.size(), 1U);
    EXPECT_EQ(page.meshes.front().caption, "");
    EXPECT_EQ(page.note, "Input: views 0, 6 · overlap and outlines: means of views 0, 6.");
}

TEST(WebPage, saysNothingOfTheFitsViews_whenTheFitFailed) {
    MeasuredSample measured = fittedToFourViews();
    measured.fit->problem = ErrorReport{"p0001", "", "has no mask", "Add masks."};
    std::vector<std::string> notes;
    EXPECT_EQ(webResultOfSample(measured, {}, notes).note,
              "Input: views 0, 6 · overlap and outlines: means of views 0, 6.");
}

TEST(WebPage, hasNoNotes_whenThereAreNone) {
    EXPECT_EQ(webNote({}, std::nullopt), "");
    EXPECT_EQ(webNote({.input = std::vector{3}}, std::nullopt), "Input: view 3.");
}

TEST(WebPage, sharesTheRangeOfDifferences_aroundZero) {
    std::vector<WebResult> results{triangle("one"), triangle("two")};
    EXPECT_LT(withSharedDifference(results).min, 0);
    results[0].meshes[0].differences = {-0.5F, 0.25F, std::numeric_limits<float>::quiet_NaN()};
    results[1].meshes[0].differences = {0, 0.125F, 0.25F};
    const WebColourScale colours = withSharedDifference(results);
    EXPECT_EQ(colours.min, -0.5F);
    EXPECT_EQ(colours.max, 0.5F);
}

TEST(ResultDialog, isEmpty_withoutResults) {
    ResultDialog dialog;
    EXPECT_EQ(dialog.html({{"F"}}), "");
    dialog.add("sample-3", triangle("one", {0, 0.5F, 1}));
    const std::string html = dialog.html({{"F"}});
    EXPECT_THAT(html, HasSubstr("id=\"sample-3\""));
    const auto data = nlohmann::json::parse(between(html, "id=\"viewer-data\">", "</script>"));
    EXPECT_EQ(data["measures"].size(), 1U);
    EXPECT_EQ(data["measures"][0]["heading"], "F");
    EXPECT_EQ(data["values"]["max"], 1);
    EXPECT_EQ(data["difference"]["min"], -data["difference"]["max"].get<double>());
}

TEST(WebPage, refusesNumbers_whichFitNoMeasure) {
    WebPage page{.title = "page", .measures = {{"F"}}, .results = {triangle("one")}};
    page.results[0].meshes[0].numbers = {{"1"}, {"2"}};
    EXPECT_THROW(webPageHtml(page), InputError);
}

}  // namespace
}  // namespace threefold
