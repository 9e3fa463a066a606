#include <gtest/gtest.h>

#include <set>

#include "schedulers/parts/group_rings.h"
#include "schedulers/parts/slot_queue.h"
#include "support/emulated_backend.h"

namespace warpath::testing {
namespace {

/// Marks items; every item must end with exactly one mark.
struct MarkItem {
    std::vector<std::atomic<uint32_t>>* marks;
    template <class Ctx>
    void operator()(Ctx&, uint64_t item, bool active) const {
        if (active) (*marks)[item] += 1;
    }
};

template <class Source>
struct DrainKernel {
    Source source;
    uint64_t num_items;
    MarkItem body;
    template <class Ctx>
    void operator()(Ctx& ctx) const { drain(ctx, source, num_items, body); }
};

void expect_each_once(const std::vector<std::atomic<uint32_t>>& marks, const std::string& what) {
    for (size_t i = 0; i < marks.size(); ++i) ASSERT_EQ(marks[i].load(), 1u) << what << ", item " << i;
}

class ItemCounts : public ::testing::TestWithParam<uint64_t> {};

TEST_P(ItemCounts, shared_counter_hands_out_each_item_once) {
    for (uint32_t batch : {1u, 3u, 4u, 32u}) {
        std::vector<std::atomic<uint32_t>> marks(GetParam());
        uint64_t head = 0;
        EmulatedBackend backend(4, 3);
        backend.run_resident("drain", 3, 0, DrainKernel<SharedCounter>{{&head, batch}, GetParam(), {&marks}}, nullptr);
        expect_each_once(marks, "batch " + std::to_string(batch));
    }
}

TEST_P(ItemCounts, group_stride_hands_out_each_item_once) {
    for (uint32_t batch : {4u, 8u, 32u}) {
        std::vector<std::atomic<uint32_t>> marks(GetParam());
        EmulatedBackend backend(4, 3);
        backend.for_each_item("drain", GetParam(), batch, MarkItem{&marks});
        expect_each_once(marks, "batch " + std::to_string(batch));
    }
}
INSTANTIATE_TEST_SUITE_P(borders, ItemCounts, ::testing::Values(0, 1, 3, 4, 5, 31, 32, 33, 1000));

struct PushOdd {
    SlotQueue queue;
    template <class Ctx>
    void operator()(Ctx& ctx, uint64_t item, bool active) const { queue.push(ctx, static_cast<uint32_t>(item), active && item % 2 == 1); }
};

TEST(slot_queue, holds_every_pushed_slot_once) {
    for (uint64_t n : {1ull, 7ull, 8ull, 9ull, 100ull}) {
        std::vector<uint32_t> slots(n, 0xffffffffu);
        uint64_t count = 0;
        EmulatedBackend backend(8, 4);
        backend.for_each_item("push", n, 8, PushOdd{{slots.data(), &count}});
        ASSERT_EQ(count, n / 2);
        const std::set<uint32_t> held(slots.begin(), slots.begin() + static_cast<std::ptrdiff_t>(count));
        EXPECT_EQ(held.size(), n / 2);
        for (uint32_t slot : held) EXPECT_TRUE(slot % 2 == 1 && slot < n);
    }
}

/// Pushes and pops in odd amounts, so that heads wrap at every position; slots must come out in the order in which they went in.
struct RingKernel {
    uint32_t capacity;
    std::atomic<uint32_t>* num_errors;
    template <class Ctx>
    void operator()(Ctx& ctx) const {
        GroupRings rings(ctx.group_storage(), capacity);
        uint32_t pushed = 0, popped = 0;
        for (uint32_t round = 0; round < 50; ++round) {
            const uint32_t room = capacity - rings.size(StageId::Shade);
            const uint32_t in = std::min(round % (ctx.group_size() + 1), room);
            rings.push(ctx, StageId::Shade, pushed + ctx.lane(), ctx.lane() < in);
            pushed += in;
            ctx.sync_group();
            const uint32_t out = std::min((round * 7) % (ctx.group_size() + 1), rings.size(StageId::Shade));
            const uint32_t slot = rings.pop(StageId::Shade, out, ctx.lane());
            if (ctx.lane() < out && slot != popped + ctx.lane()) *num_errors += 1;
            popped += out;
            if (rings.size(StageId::Shade) != pushed - popped || rings.size(StageId::Occlude) != 0) *num_errors += 1;
            ctx.sync_group();
        }
    }
};

TEST(group_rings, are_first_in_first_out_at_every_wrap) {
    for (uint32_t capacity : {4u, 5u, 7u, 16u}) {
        std::atomic<uint32_t> num_errors{0};
        EmulatedBackend backend(4, 2);
        backend.run_resident("rings", 2, GroupRings::storage_words(capacity), RingKernel{capacity, &num_errors}, nullptr);
        EXPECT_EQ(num_errors.load(), 0u) << "capacity " << capacity;
    }
}

TEST(lanes, ranks_count_lower_lanes) {
    EXPECT_EQ(count_lanes(0u), 0u);
    EXPECT_EQ(count_lanes(0xffffffffu), 32u);
    EXPECT_EQ(count_lanes(0x80000001u), 2u);
    EXPECT_EQ(rank_of_lane(0xffffffffu, 31), 31u);
    EXPECT_EQ(rank_of_lane(0x0000000au, 3), 1u);
    EXPECT_EQ(rank_of_lane(0x0000000au, 0), 0u);
}

}  // namespace
}  // namespace warpath::testing
