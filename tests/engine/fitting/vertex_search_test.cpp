#include "engine/fitting/simd/vertex_search.h"

#include <array>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace threefold::simd {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Vertices, stored axis by axis and padded, and the places whose nearest vertices are sought.
struct Scene {
    std::array<std::vector<float>, kSearchDimensions> vertices;
    std::vector<float> places;

    /// `coarse` other than 0: coordinates are integers below `coarse`, so that many vertices are
    /// equally near.
    Scene(std::size_t vertexCount, std::size_t placeCount, int coarse) {
        std::mt19937 random(static_cast<unsigned>(vertexCount * 131 + placeCount));
        std::uniform_real_distribution<float> uniform(0, 224);
        const auto value = [&] {
            return coarse == 0 ? uniform(random) : static_cast<float>(random() % unsigned(coarse));
        };
        const std::size_t padded =
            (vertexCount + kVertexPadding - 1) / kVertexPadding * kVertexPadding;
        for (auto& axis : vertices) {
            axis.assign(padded, kInfinity);
            for (std::size_t v = 0; v < vertexCount; ++v) axis[v] = value();
        }
        for (std::size_t i = 0; i < placeCount * kSearchDimensions; ++i) places.push_back(value());
    }

    std::vector<std::uint32_t> find(const VertexSearch& search) const {
        std::array<const float*, kSearchDimensions> axes{};
        for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = vertices[i].data();
        std::vector<std::uint32_t> where(places.size() / kSearchDimensions, 12345);
        search.find(axes.data(), vertices[0].size(), places.data(), where.size(), where.data());
        return where;
    }

    /// Finds the nearest vertices by their definition, with a linear search.
    std::vector<std::uint32_t> expected() const {
        std::vector<std::uint32_t> where;
        for (std::size_t p = 0; p < places.size(); p += kSearchDimensions) {
            float least = kInfinity;
            where.push_back(0);
            for (std::size_t v = 0; v < vertices[0].size(); ++v) {
                float score = 0;
                for (std::size_t axis = 0; axis < kSearchDimensions; ++axis) {
                    const float off = vertices[axis][v] - places[p + axis];
                    score += off * off;
                }
                if (!(score < least)) continue;
                least = score;
                where.back() = static_cast<std::uint32_t>(v);
            }
        }
        return where;
    }
};

TEST(VertexSearch, agreesWithLinearSearch_inEveryInstructionSet) {
    ASSERT_EQ(runnableVertexSearches().back()->name, "portable");
    for (const VertexSearch* search : runnableVertexSearches()) {
        SCOPED_TRACE(search->name);
        for (const std::size_t vertices : {1, 15, 16, 17, 157, 2466}) {
            for (const std::size_t places : {0, 1, 3, 4, 5, 33}) {
                for (const int coarse : {0, 2, 5}) {
                    const Scene scene(vertices, places, coarse);
                    ASSERT_EQ(scene.find(*search), scene.expected())
                        << vertices << " vertices, " << places << " places, " << coarse;
                }
            }
        }
    }
}

TEST(VertexSearch, findsTheFirstVertex_whenNoneIsAtAFiniteDistance) {
    for (const VertexSearch* search : runnableVertexSearches()) {
        Scene scene(40, 5, 0);
        scene.vertices[2].assign(48, 3e38F);
        scene.vertices[3].assign(48, std::numeric_limits<float>::quiet_NaN());
        EXPECT_EQ(scene.find(*search), std::vector<std::uint32_t>(5, 0)) << search->name;
        // A vertex at a finite distance wins over NaN, whatever its index.
        scene.vertices[2][37] = 1;
        scene.vertices[3][37] = 1;
        EXPECT_EQ(scene.find(*search), std::vector<std::uint32_t>(5, 37)) << search->name;
    }
}

}  // namespace
}  // namespace threefold::simd
