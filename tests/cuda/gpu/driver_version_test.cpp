#include "cuda/backend/driver_version.h"

#include <gtest/gtest.h>

namespace threefold::cuda {
namespace {

TEST(DriverVersion, readsTheNumber_whenTheModuleIsProprietary) {
    EXPECT_EQ(driverVersionFrom("NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun "
                                "Jul 27 06:54:38 UTC 2025"),
              "580.65.06");
}

TEST(DriverVersion, readsTheNumber_whenTheModuleIsOpen) {
    EXPECT_EQ(driverVersionFrom("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.124  "
                                "Release Build  (dvs-builder@host)"),
              "570.124");
}

TEST(DriverVersion, isEmpty_whenTheTextHasNone) {
    EXPECT_EQ(driverVersionFrom(""), "");
    EXPECT_EQ(driverVersionFrom("NVRM version: built 2025 06:54:38 x86_64 v1.2"), "");
}

}  // namespace
}  // namespace threefold::cuda
