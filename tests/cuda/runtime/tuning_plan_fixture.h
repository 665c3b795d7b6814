#pragma once

#include "cuda/runtime/tuning_plan.h"

namespace threefold::cuda::test {

inline TuningPlanKey someKey() {
    TuningPlanKey key;
    key.gpu = "NVIDIA H200 \"144\"";
    key.computeCapability = 90;
    key.driver = "580.65";
    key.cuda = "13.0";
    key.cublasLt = "13.1.0";
    key.cudnn = "9.13";
    key.modelHash = "0123456789abcdef";
    key.precision = Precision::int8;
    key.version = "0.1.0";
    return key;
}

inline TuningPlan somePlan() {
    TuningPlan plan;
    plan.algorithms = {{"stage1 convolution 3", "engine 12, tile 4"},
                       {"stage1 product 0", "00ff7f"}};
    plan.ranges = {{"hypothesis block 1", {0.1F, 3.4e38F, 1e-45F, 0.0F, 7.25F, 1.0F / 3.0F}},
                   {"hypothesis block 2", {}}};
    return plan;
}

}  // namespace threefold::cuda::test
