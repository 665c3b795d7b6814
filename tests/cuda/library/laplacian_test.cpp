#include "cuda/library/laplacian.h"

#include <gtest/gtest.h>

namespace threefold::cuda::library {
namespace {

TEST(RepeatedAlongDiagonal, keepsMeshesApart) {
    const SparseMatrix matrix{{0, 2, 2, 3}, {0, 2, 1}, {1.5F, -2.0F, 4.0F}};
    const BlockDiagonal blocks = repeatedAlongDiagonal(matrix, 2);
    EXPECT_EQ(blocks.rowOffsets, (std::vector<std::int32_t>{0, 2, 2, 3, 5, 5, 6}));
    EXPECT_EQ(blocks.columns, (std::vector<std::int32_t>{0, 2, 1, 3, 5, 4}));
    EXPECT_EQ(blocks.values, (std::vector<float>{1.5F, -2.0F, 4.0F, 1.5F, -2.0F, 4.0F}));
}

}  // namespace
}  // namespace threefold::cuda::library
