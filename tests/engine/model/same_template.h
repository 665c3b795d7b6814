#pragma once

#include <gtest/gtest.h>

#include "engine/model/template_mesh.h"

namespace threefold::test {

inline void expectSame(const SparseMatrix& actual, const SparseMatrix& expected) {
    EXPECT_EQ(actual.rowOffsets, expected.rowOffsets);
    EXPECT_EQ(actual.columns, expected.columns);
    EXPECT_EQ(actual.values, expected.values);
}

inline void expectSame(const TemplateMesh& actual, const TemplateMesh& expected) {
    EXPECT_EQ(actual.vertices, expected.vertices);
    EXPECT_EQ(actual.hypothesisOffsets, expected.hypothesisOffsets);
    expectSame(actual.hypothesisLaplacian, expected.hypothesisLaplacian);
    ASSERT_EQ(actual.levels.size(), expected.levels.size());
    for (std::size_t i = 0; i < actual.levels.size(); ++i) {
        EXPECT_EQ(actual.levels[i].vertexCount, expected.levels[i].vertexCount);
        EXPECT_EQ(actual.levels[i].faces, expected.levels[i].faces);
        EXPECT_EQ(actual.levels[i].unpoolEdges, expected.levels[i].unpoolEdges);
        expectSame(actual.levels[i].laplacian, expected.levels[i].laplacian);
    }
}

}  // namespace threefold::test
