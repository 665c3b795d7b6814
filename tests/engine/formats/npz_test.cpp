#include "engine/formats/npz.h"

#include <gtest/gtest.h>

namespace threefold {
namespace {

TEST(Npz, readsGoldenTensors) {
    const ArrayMap arrays = readNpz(THREEFOLD_TEST_DATA "/golden/plane_each.npz");
    EXPECT_FALSE(arrays.empty());
    for (const auto& [name, array] : arrays)
        EXPECT_EQ(array.data.size(), elementCount(array) * dtypeSize(array.dtype)) << name;
}

}  // namespace
}  // namespace threefold
