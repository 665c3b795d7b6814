#include "engine/evaluation/list_pipeline.h"

#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/engine/evaluation/fake_backend.h"

namespace threefold::test {
namespace {

/// Works on batches while the caller goes on, as a GPU does, and keeps a journal of it. A sample's
/// number is its image's first byte.
class OverlappingBackend : public FakeBackend {
  public:
    std::unique_ptr<PendingBatch> submit(std::span<const NetworkInput> inputs,
                                         const RunOptions& options) override {
        const int first = inputs.front().images.front().rgba.front();
        journal.push_back("submit " + std::to_string(first));
        if (onSubmit) onSubmit(first);
        return std::make_unique<Pending>(*this, inputs, options, std::to_string(first));
    }

    std::vector<std::string> journal;
    std::function<void(int first)> onSubmit;
    std::size_t pending = 0;
    std::size_t mostPending = 0;

  private:
    class Pending : public PendingBatch {
      public:
        Pending(OverlappingBackend& owner, std::span<const NetworkInput> inputs, RunOptions options,
                std::string name)
            : owner_(owner), inputs_(inputs), options_(std::move(options)), name_(std::move(name)) {
            owner_.mostPending = std::max(owner_.mostPending, ++owner_.pending);
        }
        ~Pending() override { --owner_.pending; }
        std::vector<Reconstruction> collect() override {
            owner_.journal.push_back("collect " + name_);
            return owner_.reconstructBatch(inputs_, options_);
        }

      private:
        OverlappingBackend& owner_;
        std::span<const NetworkInput> inputs_;
        RunOptions options_;
        std::string name_;
    };
};

class ListPipelineTest : public testing::Test {
  protected:
    /// As many samples; `refused` are those that the network does not take.
    std::vector<SampleRecord> run(std::size_t count, std::size_t batch,
                                  const std::set<std::size_t>& refused = {}) {
        std::vector<ListEntry> entries(count);
        for (std::size_t i = 0; i < count; ++i) entries[i].position = i;
        std::vector<SampleRecord> kept(count);
        PipelineParts parts;
        parts.load = [&](const ListEntry& entry, SampleInWork& work) {
            const auto first =
                refused.contains(entry.position) ? FakeBackend::kRefused : entry.position;
            work.input.images = {{1, 1, std::vector<std::uint8_t>(4, first)}};
            work.input.cameras = {Camera::fromRow({0, 0, 0, 1, 25})};
            const std::scoped_lock lock(mutex_);
            loading_ = entry.position;
            changed_.notify_all();
        };
        parts.finish = [](SampleInWork&) {};
        parts.keep = [&](std::span<const SampleRecord> records) {
            for (const SampleRecord& record : records) kept[record.position] = record;
            keptCount_ += records.size();
        };
        PipelineOptions options;
        options.batch = batch;
        options.cancel = cancel_.get_token();
        runPipeline(backend_, entries, parts, options);
        return kept;
    }

    /// With one loader, the sample before this one can then be taken.
    void waitUntilLoading(std::size_t position) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return loading_ >= position; });
    }

    OverlappingBackend backend_;
    std::stop_source cancel_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t loading_ = 0;
    std::size_t keptCount_ = 0;
};

TEST_F(ListPipelineTest, beginsTheNextBatch_beforeItWaitsForTheOneBefore) {
    constexpr std::size_t kCount = 5;
    backend_.onSubmit = [&](int first) {
        const auto next = static_cast<std::size_t>(first) + 2;
        if (next < kCount) waitUntilLoading(next);
    };
    for (const SampleRecord& record : run(kCount, 1)) EXPECT_TRUE(record.done()) << record.error;
    const std::vector<std::string> begin(backend_.journal.begin(), backend_.journal.begin() + 6);
    EXPECT_EQ(begin, (std::vector<std::string>{"submit 0", "submit 1", "collect 0", "submit 2",
                                               "collect 1", "submit 3"}));
    EXPECT_EQ(backend_.mostPending, kMostPendingBatches);
    EXPECT_EQ(backend_.journal.size(), 2 * kCount);
}

TEST_F(ListPipelineTest, triesSamplesAlone_whenTheirBatchFails) {
    const std::vector<SampleRecord> records = run(7, 3, {1, 6});
    for (std::size_t i = 0; i < records.size(); ++i) {
        EXPECT_EQ(records[i].done(), i != 1 && i != 6) << i;
    }
    EXPECT_EQ(keptCount_, 7U);
}

TEST_F(ListPipelineTest, triesSamplesAlone_whenTheirBatchIsRefusedAtOnce) {
    backend_.onSubmit = [](int first) {
        if (first == 2) throw InputError({"batch", "", "is refused", ""});
    };
    for (const SampleRecord& record : run(6, 2)) EXPECT_TRUE(record.done()) << record.error;
}

TEST_F(ListPipelineTest, dropsWhatIsPending_whenCancelled) {
    backend_.onSubmit = [&](int first) {
        if (first == 2) cancel_.request_stop();
    };
    EXPECT_THROW(run(20, 1), Cancelled);
    EXPECT_EQ(backend_.pending, 0U);
    EXPECT_LE(keptCount_, 2U);
}

TEST_F(ListPipelineTest, dropsWhatIsPending_whenTheBackendFails) {
    backend_.onSubmit = [](int first) {
        if (first == 3) throw DeviceError({"GPU", "", "fails", ""});
    };
    EXPECT_THROW(run(20, 1), DeviceError);
    EXPECT_EQ(backend_.pending, 0U);
    EXPECT_LE(keptCount_, 3U);
}

}  // namespace
}  // namespace threefold::test
