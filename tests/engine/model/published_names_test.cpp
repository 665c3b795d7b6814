
#include <string>

#include <gtest/gtest.h>

#include "engine/model/published_names.h"
#include "tests/support/models.h"
#include "tests/support/published_weights.h"

namespace threefold {
namespace {

TEST(PublishedName, isKnown_forEveryTensorThatTheMethodNeeds) {
    for (const int stage : {1, 2}) {
        const std::string prefix = stage == 1 ? "stage1." : "stage2.";
        const auto names = test::publishedNames(stage);
        for (const auto& [name, shape] : expectedWeights(test::testModel()->templateMesh)) {
            if (!name.starts_with(prefix)) continue;
            const std::string ours = name.substr(prefix.size());
            for (const char* ending : {"", ":0"}) {
                const auto found = parsePublishedName(names.at(ours) + ending);
                ASSERT_TRUE(found.has_value()) << names.at(ours);
                EXPECT_EQ(found->name, ours);
                EXPECT_EQ(found->stage, stage == 1 ? NetworkStage::stage1 : NetworkStage::stage2);
                EXPECT_EQ(found->isHwio, shape.size() == 4) << ours;
            }
        }
    }
}

TEST(PublishedName, isUnknown_whenNearlyRight) {
    for (const char* name :
         {"",
          ":0",
          "meshnetmvp2m/",
          "meshnetmvp2m/cnn/conv2d_1/W/Adam",
          "meshnetmvp2m/cnn/conv2d_1/W/Adam_1:0",
          "meshnetmvp2m/cnn/conv2d_0/W",
          "meshnetmvp2m/cnn/conv2d_01/W",
          "meshnetmvp2m/cnn/conv2d_/W",
          "meshnetmvp2m/cnn/conv2d_99999999999999999999/W",
          "meshnetmvp2m/cnn/conv2d_1/W:1",
          "other/cnn/conv2d_1/W",
          "cnn.conv1.weight",
          "beta1_power",
          "global_step",
          "meshnetmvp2m/pixel2mesh/graph_conv_blk1_0_layer_1_vars/bias",
          "meshnetmvp2m/pixel2mesh/graph_conv_blk1_1_layer_1_vars/weights_0/Adam",
          "meshnet/pixel2mesh/graph_drb_blk1_layer_2/localgconv_7_vars/bias",
          "meshnet/pixel2mesh/graph_drb_blk2_layer_5/localgconv_6_vars/bias",
          "meshnet/pixel2mesh/graph_drb_blk3_layer_5/localgconv_13_vars/bias",
          "meshnetmvp2m/pixel2mesh/graph_drb_blk1_layer_2/localgconv_1_vars/bias"})
        EXPECT_FALSE(parsePublishedName(name).has_value()) << name;
}

TEST(Wrappers, areStripped_inAnyOrder) {
    EXPECT_EQ(withoutPrefixes("state_dict.module.cnn.conv1.bias", NetworkStage::stage1),
              "cnn.conv1.bias");
    EXPECT_EQ(withoutPrefixes("module.model.module.cnn.conv1.bias", NetworkStage::stage1),
              "cnn.conv1.bias");
    EXPECT_EQ(withoutPrefixes("stage1.cnn.conv1.bias", NetworkStage::stage1), "cnn.conv1.bias");
    EXPECT_EQ(withoutPrefixes("stage2.cnn.conv1.bias", NetworkStage::stage1),
              "stage2.cnn.conv1.bias");
    EXPECT_EQ(withoutPrefixes("optimizer.state.0", NetworkStage::stage1), "optimizer.state.0");
}

}  // namespace
}  // namespace threefold
