#include "engine/sample_rendering/publish_queue.h"

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

class PublishQueueTest : public testing::Test {
  protected:
    PublishQueue::Entry entry(std::size_t mesh) const {
        return {mesh, {{}, {}, StagedSample(folder_.path())}, 0};
    }

    TempFolder folder_;
};

TEST_F(PublishQueueTest, publishesEachEntry_inTheirOrder) {
    std::vector<std::size_t> published;
    PublishQueue queue(folder_.path(), 2, [&](PublishQueue::Entry each, const auto& failure) {
        EXPECT_FALSE(failure);
        published.push_back(each.mesh);
    });
    for (std::size_t mesh = 0; mesh < 5; ++mesh) queue.add(entry(mesh));
    queue.finish();
    EXPECT_THAT(published, testing::ElementsAre(0, 1, 2, 3, 4));
}

TEST_F(PublishQueueTest, passesOnTheError_whenTheDiskCannotBeFlushed) {
    std::size_t failed = 0;
    PublishQueue queue(folder_ / "nowhere", 2,
                       [&](PublishQueue::Entry /*entry*/, const std::exception_ptr& failure) {
                           ASSERT_TRUE(failure);
                           EXPECT_THROW(std::rethrow_exception(failure), IoError);
                           ++failed;
                       });
    queue.add(entry(0));
    queue.finish();
    EXPECT_EQ(failed, 1U);
}

TEST_F(PublishQueueTest, rethrows_whenPublishingThrows) {
    std::size_t calls = 0;
    PublishQueue queue(folder_.path(), 1,
                       [&](PublishQueue::Entry /*entry*/, const std::exception_ptr& /*failure*/) {
                           ++calls;
                           throw std::runtime_error("report");
                       });
    queue.add(entry(0));
    EXPECT_THROW(queue.finish(), std::runtime_error);
    EXPECT_THROW(queue.add(entry(1)), std::runtime_error);
    EXPECT_EQ(calls, 1U);
}

}  // namespace
}  // namespace threefold::test
