#include "engine/sample_steps/fit_request.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/sample/posed_photos/posed_photos.h"
#include "engine/sample/sample.h"
#include "tests/support/message_of.h"

namespace threefold::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

/// A bundled sample of 24 renderings.
Sample rendered() {
    return findSample(std::filesystem::path(THREEFOLD_RESOURCES) /
                      "samples/ShapeNetRendering/02691156/p0001");
}

TEST(FitRequest, hasANameForEachChoice) {
    for (const char* name : {"chosen", "all", "1", "12", "chosen+colour", "all+colour", "8+colour",
                             "all+hull", "8+colour+auto", "chosen+network", "all+10000vertices",
                             "all+silhouettes", "8+hull+40000vertices", "auto", "auto+hull"})
        EXPECT_EQ(fitRequestName(fitRequestFromName(name)), name);
    for (const char* name :
         {"", "0", "-1", "some", "3x", "1.5", "+colour", "colour", "all+color", "all+hull+auto",
          "all+hull+colour", "all+99vertices", "all+vertices", "all+200001vertices", "all+", "08"})
        EXPECT_THROW(fitRequestFromName(name), UsageError) << name;
}

TEST(FitRequest, namesTheWrongPart_whenRefused) {
    const auto problemOf = [](std::string_view name) {
        return messageOf<UsageError>([&] { fitRequestFromName(name); });
    };
    EXPECT_THAT(problemOf("some+colour"), HasSubstr("'some' names no views"));
    EXPECT_THAT(problemOf("all+color"), HasSubstr("'color' is no option of a fit"));
    EXPECT_THAT(problemOf("all+hull+depth"), HasSubstr("'all+hull+depth' has an option twice"));
}

TEST(FitRequest, spreadsEvenly_overViewsWithAnImage) {
    Sample sample = rendered();
    const auto viewsOf = [&](std::string_view name) {
        const std::vector<int> chosen = {6, 0};
        return viewsToFit(sample, chosen, resolveFit(sample, fitRequestFromName(name))->views);
    };
    EXPECT_THAT(viewsOf("chosen"), ElementsAre(6, 0));
    EXPECT_THAT(viewsOf("all"), SizeIs(24));
    EXPECT_THAT(viewsOf("4"), ElementsAre(0, 6, 12, 18));
    EXPECT_THAT(viewsOf("99"), SizeIs(24));
    sample.images[0].clear();
    EXPECT_THAT(viewsOf("all"), SizeIs(23));
    EXPECT_THAT(viewsOf("23").front(), 1);
}

TEST(FitRequest, usesAllOwnPhotographs_whenThereAreEnough) {
    const FitRequest automatic = fitRequestFromName("auto");
    const Sample renderings = rendered();
    Sample own = renderings;
    auto photos = std::make_shared<PosedPhotos>();
    photos->views.resize(own.viewCount());
    own.photos = photos;
    Sample few = own;
    for (std::size_t i = kMinViewsForHull - 1; i < few.images.size(); ++i) few.images[i].clear();

    const auto nameFor = [](const Sample& sample, const FitRequest& asked) {
        const std::optional<ResolvedFit> resolved = resolveFit(sample, asked);
        return resolved ? fitRequestName(resolved->request()) : "none";
    };
    EXPECT_TRUE(hasEnoughPhotosForHull(own));
    EXPECT_FALSE(hasEnoughPhotosForHull(few));
    EXPECT_FALSE(hasEnoughPhotosForHull(renderings));
    EXPECT_EQ(nameFor(own, automatic), "all+auto+10000vertices");
    EXPECT_EQ(nameFor(few, automatic), "none");
    EXPECT_EQ(nameFor(renderings, automatic), "none");
    EXPECT_EQ(nameFor(renderings, fitRequestFromName("auto+5000vertices")), "none");
    EXPECT_EQ(nameFor(own, fitRequestFromName("auto+network+5000vertices")),
              "all+network+5000vertices");
    EXPECT_EQ(nameFor(few, fitRequestFromName("auto+colour")), "chosen+colour+auto");
    EXPECT_EQ(nameFor(renderings, fitRequestFromName("auto+network")), "chosen+network");
    EXPECT_EQ(nameFor(renderings, fitRequestFromName("auto+hull")), "all+hull");
    for (const Sample& sample : {own, renderings}) {
        EXPECT_EQ(nameFor(sample, fitRequestFromName("8")), "8+auto+10000vertices");
        EXPECT_EQ(nameFor(sample, fitRequestFromName("all")), "all+auto");  // 24 views
        EXPECT_EQ(nameFor(sample, fitRequestFromName("12")), "12+auto+10000vertices");
        EXPECT_EQ(nameFor(sample, fitRequestFromName("13")), "13+auto");
        EXPECT_EQ(nameFor(sample, fitRequestFromName("8+500vertices")), "8+auto+500vertices");
        EXPECT_EQ(nameFor(sample, fitRequestFromName("8+network")), "8+network");
        EXPECT_EQ(nameFor(sample, fitRequestFromName("5")), "5+auto");
        EXPECT_EQ(nameFor(sample, fitRequestFromName("chosen")), "chosen+auto");
    }
    EXPECT_EQ(nameFor(few, fitRequestFromName("all")), "all+auto");
    // FitSource::automatic uses depth for photographs only.
    EXPECT_TRUE(mayUseDepth(own, FitSource::automatic));
    EXPECT_FALSE(mayUseDepth(renderings, FitSource::automatic));
    EXPECT_TRUE(mayUseDepth(renderings, FitSource::depth));
}

}  // namespace
}  // namespace threefold::test
