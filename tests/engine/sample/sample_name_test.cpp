#include "engine/sample/sample_name.h"

#include <array>
#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace threefold {
namespace {

/// "category id view" of a name; empty if there is none.
std::string textOf(const std::optional<SampleName>& name) {
    return name ? name->category + ' ' + name->id + ' ' + std::to_string(name->view)
                : std::string();
}

TEST(SampleName, isParsed_fromEachKindOfList) {
    struct Row {
        const char* location;
        const char* name;
    };
    for (const Row& row : std::array<Row, 14>{{
             {"02691156_p0001_06.dat", "02691156 p0001 6"},
             {"folder/02691156_p0001_06.npz", "02691156 p0001 6"},
             {"02691156_p0001_06", "02691156 p0001 6"},
             {"04_a_b_c_1.dat", "04 a_b_c 1"},
             {"02691156_p0001_100.dat", ""},
             {"02691156_p0001_06.png", ""},
             {"_p0001_06.dat", ""},
             {"02691156__06.dat", ""},
             {"02691156_06.dat", ""},
             {"x/03001627/p0001/rendering/03.dat", "03001627 p0001 3"},
             {"x/03001627/p0001/rendering/100.dat", ""},
             {"p0001/rendering/03.dat", ""},
             {"x/03001627/p0001/model.binvox", "03001627 p0001 0"},
             {"p0001/model.binvox", ""},
         }})
        EXPECT_EQ(textOf(parseSampleName(row.location)), row.name) << row.location;
}

TEST(SampleName, isThatOfTheFileAlone_whenATruthIsParsed) {
    EXPECT_EQ(textOf(parseTruthName("02691156_p0001_06.dat")), "02691156 p0001 6");
    EXPECT_EQ(textOf(parseTruthName("03.dat")), "");
    EXPECT_EQ(textOf(parseTruthName("model.binvox")), "");
}

}  // namespace
}  // namespace threefold
