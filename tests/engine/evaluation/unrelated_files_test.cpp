#include "engine/evaluation/unrelated_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/files/write_file.h"
#include "tests/engine/evaluation/small_data_set.h"
#include "tests/support/message_of.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class UnrelatedFiles : public testing::Test {
  protected:
    UnrelatedFiles() { fs::create_directories(out_ / "thumbnails"); }
    void put(const std::string& name) const {
        writeFileAtomically(out_ / name, std::string_view("x"));
    }
    void refuse(Shard shard = {}) const {
        refuseUnrelatedFiles(readEvaluationList(data_.list()), shard, out_, options_);
    }
    void expectRefused(const std::string& name) const {
        put(name);
        EXPECT_THAT(messageOf<InputError>([&] { refuse(); }),
                    AllOf(HasSubstr((out_ / name).string()), HasSubstr("already exists"),
                          HasSubstr("`overwrite`")));
        fs::remove(out_ / name);
    }

    TempFolder folder_;
    SmallDataSet data_{folder_ / "data", 3};
    fs::path out_ = folder_ / "out";
    ListRunOptions options_;
};

TEST_F(UnrelatedFiles, areRefused_ofEachKind) {
    const std::string& name = data_.names()[1];
    for (const char* ending : {"_predict.obj", "_predict.xyz", "_fitted.obj"})
        expectRefused(name + ending);
    expectRefused("thumbnails/" + name + ".png");
    EXPECT_NO_THROW(refuse());
}

TEST_F(UnrelatedFiles, areIgnored_whenTheRunWritesOtherNames) {
    put("cup_predict.obj");
    put("thumbnails/cup.png");
    put(data_.names()[1] + "_predict.ply");
    EXPECT_NO_THROW(refuse());
    put(data_.names()[1] + "_predict.obj");
    EXPECT_NO_THROW(refuse({2, 3})) << "the file is of another shard";
    options_.writeMeshes = false;
    EXPECT_NO_THROW(refuse());
}

TEST_F(UnrelatedFiles, areTheRunsOwn_whenThereIsAJournal) {
    put(data_.names()[0] + "_predict.obj");
    EXPECT_THROW(refuse(), InputError);
    writeFileAtomically(out_ / "journal.jsonl", std::string_view());
    EXPECT_THROW(refuse(), InputError) << "no run has begun";
    put("journal.jsonl");
    EXPECT_NO_THROW(refuse());
}

TEST_F(UnrelatedFiles, areNotSearchedFurther_whenCancelled) {
    put("cup_predict.obj");
    std::stop_source stop;
    stop.request_stop();
    options_.pipeline.cancel = stop.get_token();
    EXPECT_THROW(refuse(), Cancelled);
}

}  // namespace
}  // namespace threefold::test
