#include "engine/sample_steps/fit_rules.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "engine/sample/posed_photos/posed_photos.h"
#include "engine/sample/sample.h"

namespace threefold::test {
namespace {

using Views = FitCase::Views;
using Source = FitCase::Source;

/// Every case that a request and a sample can have.
std::vector<FitCase> allCases() {
    std::vector<FitCase> cases;
    for (const Views views : {Views::unset, Views::chosen, Views::allOrCount})
        for (const bool hasEnoughPhotos : {false, true})
            for (const Source source : {Source::unset, Source::unsetWithColours, Source::network,
                                        Source::automatic, Source::photographs})
                cases.push_back({views, hasEnoughPhotos, source});
    return cases;
}

/// Indices in kFitRules of the rules for allCases().
std::vector<std::ptrdiff_t> chosenRules() {
    std::vector<std::ptrdiff_t> chosen;
    for (const FitCase& each : allCases()) chosen.push_back(&fitRuleFor(each) - kFitRules.data());
    return chosen;
}

TEST(FitRules, haveOneForEveryCase) {
    for (const FitCase& each : allCases())
        EXPECT_TRUE(std::ranges::any_of(
            kFitRules, [&](const FitRule& rule) { return matches(rule.when, each); }));
}

TEST(FitRules, areEachTheFirstThatMatchesSomeCase) {
    const std::vector<std::ptrdiff_t> chosen = chosenRules();
    for (std::ptrdiff_t rule = 0; rule < std::ssize(kFitRules); ++rule)
        EXPECT_GT(std::ranges::count(chosen, rule), 0) << "row " << rule;
}

TEST(FitRules, useRequestedViews_onlyWhenTheRequestHasThem) {
    for (const FitCase& each : allCases())
        EXPECT_EQ(fitRuleFor(each).views == FitRule::Views::requested, each.views != Views::unset);
}

/// A case for each row of kFitRules, in their order.
struct RowCase {
    const char* request;
    bool ownPhotographs;
    std::size_t count;
    const char* resolved;
};

/// A bundled sample of `count` renderings, or the same pictures as photographs with own cameras.
Sample sampleOf(std::size_t count, bool ownPhotographs) {
    static const Sample all = findSample(std::filesystem::path(THREEFOLD_RESOURCES) /
                                         "samples/ShapeNetRendering/02691156/p0001");
    Sample sample = all;
    for (std::size_t i = count; i < sample.images.size(); ++i) sample.images[i].clear();
    if (ownPhotographs) {
        auto photos = std::make_shared<PosedPhotos>();
        photos->views.resize(sample.viewCount());
        sample.photos = photos;
    }
    return sample;
}

TEST(FitRules, resolveOneRequestForEachRow) {
    constexpr std::array kRows{
        RowCase{"auto+network", true, 6, "all+network+10000vertices"},
        RowCase{"auto", true, 5, "none"},
        RowCase{"auto+colour", true, 5, "chosen+colour+auto"},
        RowCase{"auto+network", false, 12, "chosen+network"},
        RowCase{"auto+auto", false, 12, "all+auto+10000vertices"},
        RowCase{"auto+hull", false, 12, "all+hull"},
        RowCase{"chosen", true, 12, "chosen+auto"},
        RowCase{"all+network", true, 12, "all+network"},
        RowCase{"8+silhouettes", true, 12, "8+silhouettes"},
        RowCase{"8+colour", true, 24, "8+colour+auto+10000vertices"},
    };
    static_assert(kRows.size() == kFitRules.size());
    for (const RowCase& row : kRows) {
        const std::optional<ResolvedFit> fit =
            resolveFit(sampleOf(row.count, row.ownPhotographs), fitRequestFromName(row.request));
        EXPECT_EQ(fit ? fitRequestName(fit->request()) : "none", row.resolved) << row.request;
    }
}

/// The rules once more, without a table.
std::optional<ResolvedFit> plainlyResolved(std::size_t count, bool ownPhotographs,
                                           const FitRequest& request) {
    const bool hasEnough = ownPhotographs && count >= 6;
    ResolvedFit fit{.views = request.views.value_or(FitViews{FitViews::Kind::all}),
                    .photometric = request.photometric,
                    .source = request.source.value_or(FitSource::automatic),
                    .vertices = request.vertices.value_or(0)};
    if (!request.views) {
        if (!hasEnough && !request.photometric && !request.source) return std::nullopt;
        if (!hasEnough && (!request.source || request.source == FitSource::network))
            fit.views.kind = FitViews::Kind::chosen;
        if (hasEnough && !request.vertices) fit.vertices = 10'000;
    }
    if (fit.source != FitSource::automatic || fit.vertices != 0) return fit;
    if (fit.views.kind == FitViews::Kind::chosen) return fit;
    if (fit.views.kind == FitViews::Kind::count) count = std::min(count, fit.views.count);
    if (count >= 6 && count <= 12) fit.vertices = 10'000;
    return fit;
}

TEST(FitRules, resolveEveryCombination_asWithoutATable) {
    std::vector<std::optional<FitViews>> views{
        {}, FitViews{FitViews::Kind::chosen}, FitViews{FitViews::Kind::all}};
    for (const std::size_t count : {1U, 5U, 6U, 12U, 13U, 99U})
        views.emplace_back(FitViews{FitViews::Kind::count, count});
    std::vector<std::optional<FitSource>> sources{{}};
    for (const auto& [name, source] : kFitSourceNames) sources.emplace_back(source);
    for (const bool ownPhotographs : {false, true})
        for (std::size_t count = 1; count <= 14; ++count) {
            const Sample sample = sampleOf(count, ownPhotographs);
            for (const auto& view : views)
                for (const auto& source : sources)
                    for (const bool photometric : {false, true})
                        for (const std::optional<std::size_t> vertices :
                             {std::optional<std::size_t>{}, std::optional<std::size_t>{500}}) {
                            const FitRequest request{view, photometric, source, vertices};
                            const auto expected = plainlyResolved(count, ownPhotographs, request);
                            const auto found = resolveFit(sample, request);
                            ASSERT_EQ(found.has_value(), expected.has_value())
                                << fitRequestName(request) << ' ' << count << ' ' << ownPhotographs;
                            if (!found) continue;
                            EXPECT_EQ(found->request(), expected->request())
                                << fitRequestName(request) << ' ' << count << ' ' << ownPhotographs;
                        }
        }
}

}  // namespace
}  // namespace threefold::test
