#include <gtest/gtest.h>

#include <set>

#include "schedulers/parts/drain.h"
#include "schedulers/parts/slot_list.h"
#include "schedulers/parts/slot_ring.h"
#include "support/emulated_backend.h"

namespace warpath::testing {
namespace {

/// Marks items; every item must end with exactly one mark.
struct MarkItem {
    std::vector<std::atomic<uint32_t>>* marks;
    template <class Ctx>
    void operator()(Ctx&, uint64_t item, bool active) const {
        if (active) (*marks)[item].fetch_add(1, std::memory_order_relaxed);
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

template <class Body>
struct StrideKernel {
    uint32_t batch;
    uint64_t num_items;
    Body body;
    template <class Ctx>
    void operator()(Ctx& ctx) const { drain(ctx, GroupStride::for_group(ctx, batch), num_items, body); }
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
        backend.launch("drain", DrainKernel<SharedCounter>{{&head, batch}, GetParam(), {&marks}}, 3);
        expect_each_once(marks, "batch " + std::to_string(batch));
    }
}

TEST_P(ItemCounts, own_batches_and_then_a_counter_hand_out_each_item_once) {
    for (uint32_t batch : {1u, 3u, 4u, 32u})
        for (uint32_t groups_per_block : {1u, 2u, 3u})
            for (uint32_t num_groups : {3u, 6u}) {
                std::vector<std::atomic<uint32_t>> marks(GetParam());
                uint64_t head = 0;
                EmulatedBackend backend(4, num_groups, groups_per_block);
                backend.launch("drain", DrainKernel<OwnThenShared>{{&head, batch}, GetParam(), {&marks}}, num_groups);
                const std::string what = "batch " + std::to_string(batch) + ", " + std::to_string(num_groups) + " groups by " + std::to_string(groups_per_block);
                expect_each_once(marks, what);
                EXPECT_TRUE(head == 0 || GetParam() > uint64_t{num_groups} * batch) << what << ": the counter is left alone where every item is a group's own";
            }
}

TEST_P(ItemCounts, group_stride_hands_out_each_item_once) {
    for (uint32_t batch : {4u, 8u, 32u}) {
        std::vector<std::atomic<uint32_t>> marks(GetParam());
        EmulatedBackend backend(4, 3);
        backend.launch("drain", StrideKernel<MarkItem>{batch, GetParam(), {&marks}});
        expect_each_once(marks, "batch " + std::to_string(batch));
    }
}

struct TogetherKernel {
    uint32_t batch;
    uint64_t num_items;
    MarkItem body;
    template <class Ctx>
    void operator()(Ctx& ctx) const { drain_together(ctx, batch, num_items, body); }
};

TEST_P(ItemCounts, blocks_that_drain_together_take_each_item_once) {
    for (uint32_t batch : {1u, 3u, 4u, 32u})
        for (uint32_t groups_per_block : {1u, 2u, 3u}) {
            std::vector<std::atomic<uint32_t>> marks(GetParam());
            EmulatedBackend backend(4, 6, groups_per_block);
            backend.launch("drain", TogetherKernel{batch, GetParam(), {&marks}}, 6);
            expect_each_once(marks, "batch " + std::to_string(batch) + ", blocks of " + std::to_string(groups_per_block));
        }
}
INSTANTIATE_TEST_SUITE_P(borders, ItemCounts, ::testing::Values(0, 1, 3, 4, 5, 31, 32, 33, 1000));

struct PushOdd {
    SlotList list;
    template <class Ctx>
    void operator()(Ctx& ctx, uint64_t item, bool active) const { list.push(ctx, static_cast<uint32_t>(item), active && item % 2 == 1); }
};

TEST(slot_list, holds_every_pushed_slot_once) {
    for (uint64_t n : {1ull, 7ull, 8ull, 9ull, 100ull}) {
        std::vector<uint32_t> slots(n, 0xffffffffu);
        uint64_t count = 0;
        EmulatedBackend backend(8, 4);
        backend.launch("push", StrideKernel<PushOdd>{8, n, {{slots.data(), &count}}});
        ASSERT_EQ(count, n / 2);
        const std::set<uint32_t> held(slots.begin(), slots.begin() + static_cast<std::ptrdiff_t>(count));
        EXPECT_EQ(held.size(), n / 2);
        for (uint32_t slot : held) EXPECT_TRUE(slot % 2 == 1 && slot < n);
    }
}

/// One group alone: pushes and pops in odd amounts, so that heads wrap at every position; entries come out in the order in which they went in.
struct OneGroupRing {
    SlotRing<Scope::Block, uint16_t> ring;
    std::atomic<uint32_t>* num_errors;
    template <class Ctx>
    void operator()(Ctx& ctx) const {
        uint32_t pushed = 0, popped = 0;
        for (uint32_t round = 0; round < 200; ++round) {
            const uint32_t room = ring.mask + 1 - ring.size(ctx);
            const uint32_t in = std::min(round % (ctx.group_size() + 1), room);
            ring.push(ctx, (pushed + ctx.lane()) & ring.mask, ctx.lane() < in);
            pushed += in;
            ctx.sync_group();
            const uint32_t out = std::min((round * 7) % (ctx.group_size() + 1), ring.size(ctx));
            uint32_t entry = 0;
            const bool got = ring.pop(ctx, ctx.lane() < out, 1, ctx.group_size(), entry);
            if (got != (ctx.lane() < out) || (got && entry != ((popped + ctx.lane()) & ring.mask))) num_errors->fetch_add(1, std::memory_order_relaxed);
            popped += out;
            if (ring.size(ctx) != pushed - popped) num_errors->fetch_add(1, std::memory_order_relaxed);
            ctx.sync_group();
        }
    }
};

TEST(slot_ring, is_first_in_first_out_for_one_group) {
    for (uint32_t capacity : {2u, 4u, 8u, 16u}) {
        std::atomic<uint32_t> num_errors{0};
        uint32_t ends[3] = {0xfffffff0u, 0xfffffff0u, 0};  // counts wrap soon
        std::vector<uint16_t> places(capacity);
        const SlotRing<Scope::Block, uint16_t> ring{ends, places.data(), capacity - 1};
        for (uint32_t i = 0; i < capacity; ++i) places[i] = ring.unwritten(0xfffffff0u + i);
        EmulatedBackend backend(4, 1);
        backend.launch("ring", OneGroupRing{ring, &num_errors}, 1);
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
