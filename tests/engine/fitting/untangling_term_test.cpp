#include "engine/fitting/vertex_terms.h"

#include <algorithm>

#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/geometry/self_intersections.h"
#include "tests/engine/fitting/sphere.h"

namespace threefold::fitting {
namespace {

using testing::IsEmpty;

/// A sphere with one vertex pulled through the opposite side.
class UntanglingTermTest : public testing::Test {
  protected:
    UntanglingTermTest() { tangled_[5] *= -1.5F; }

    static const TemplateMesh& sphere() {
        static const TemplateMesh mesh = test::sphereTemplate(3);
        return mesh;
    }
    VertexEquations initial() const {
        return {std::vector<SymmetricMatrix3f>(round_.size()), Points(round_.size(), glm::vec3(0)),
                7};
    }
    VertexEquations addedBy(UntanglingTerm& term, const Points& vertices) const {
        VertexEquations sum = initial();
        term.addTo(vertices, {}, {}, sum);
        return sum;
    }
    static std::vector<std::uint32_t> pulled(const VertexEquations& sum) {
        std::vector<std::uint32_t> found;
        for (std::uint32_t v = 0; v < sum.matrices.size(); ++v) {
            if (sum.matrices[v].xx != 0) found.push_back(v);
        }
        return found;
    }

    MeshLevels levels_{sphere()};
    Points round_ = test::sphereVertices(sphere());
    Points tangled_ = round_;
};

TEST_F(UntanglingTermTest, vanishes_whenNoFaceIsTangled) {
    UntanglingTerm term(levels_, 3, 0, 0);
    const VertexEquations sum = addedBy(term, round_);
    EXPECT_THAT(pulled(sum), IsEmpty());
    EXPECT_EQ(sum.rhs, initial().rhs);
}

TEST_F(UntanglingTermTest, pullsVerticesOfTangledFaces_toTheirNeighboursMean) {
    std::vector<std::uint32_t> expected;
    for (const auto& faces :
         {foldedFaces(levels_, tangled_), intersectingFaces(tangled_, levels_.faces())}) {
        for (const std::uint32_t face : faces) {
            const glm::u32vec3 corners = levels_.faces()[face];
            expected.insert(expected.end(), {corners.x, corners.y, corners.z});
        }
    }
    std::sort(expected.begin(), expected.end());
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    UntanglingTerm term(levels_, 3, 0, 0);
    const VertexEquations sum = addedBy(term, tangled_);
    EXPECT_EQ(pulled(sum), expected);
    EXPECT_GT(expected.size(), 8U);
    EXPECT_LT(expected.size(), round_.size() / 2);
    EXPECT_EQ(sum.energy, 7);
    Points laplacian;
    levels_.laplacian(tangled_, laplacian);
    for (const std::uint32_t v : expected) {
        // The minimum of the quadratic is at the mean of the vertex's neighbours.
        const glm::vec3 step = sum.rhs[v] / sum.matrices[v].xx;
        EXPECT_LT(glm::length(step + laplacian[v]), 1e-6F);
    }
}

TEST_F(UntanglingTermTest, vanishes_whileFewFacesAreTangled) {
    const std::size_t folded = foldedFaces(levels_, tangled_).size();
    const std::size_t intersecting = intersectingFaces(tangled_, levels_.faces()).size();
    UntanglingTerm both(levels_, 3, folded, intersecting);
    EXPECT_THAT(pulled(addedBy(both, tangled_)), IsEmpty());
    UntanglingTerm one(levels_, 3, folded, intersecting - 1);
    EXPECT_THAT(pulled(addedBy(one, tangled_)), testing::Not(IsEmpty()));
}

TEST_F(UntanglingTermTest, growsWithTheNumberOfViews) {
    UntanglingTerm few(levels_, 3, 0, 0);
    UntanglingTerm many(levels_, 24, 0, 0);
    EXPECT_GT(addedBy(many, tangled_).matrices[5].xx, addedBy(few, tangled_).matrices[5].xx);
}

TEST_F(UntanglingTermTest, findsTangledFacesAgain_everyFewSteps) {
    UntanglingTerm term(levels_, 3, 0, 0);
    EXPECT_THAT(pulled(addedBy(term, tangled_)), testing::Not(IsEmpty()));
    for (int call = 1; call < UntanglingTerm::kSearchInterval; ++call)
        EXPECT_THAT(pulled(addedBy(term, round_)), testing::Not(IsEmpty()));
    EXPECT_THAT(pulled(addedBy(term, round_)), IsEmpty());
}

}  // namespace
}  // namespace threefold::fitting
