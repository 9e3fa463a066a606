#include <gtest/gtest.h>

#include <set>

#include "schedulers/parts/slot_ring.h"
#include "support/emulated_backend.h"
#include "support/stress.h"

/// Rings that many groups use at once, whoever is held up wherever.
namespace warpath::testing {
namespace {

/// Two rings, the storage of both, and who holds which slot.
template <Scope scope, class Entry>
struct RingPair {
    using Ring = SlotRing<scope, Entry>;

    /// All slots in `from`; positions start at `first`.
    RingPair(uint32_t num_slots, uint32_t first)
        : capacity(ring_capacity(num_slots)), places(2 * capacity), holders(num_slots), visits(num_slots) {
        for (uint32_t r = 0; r < 2; ++r) {
            for (uint32_t i = 0; i < capacity; ++i) places[r * capacity + ((first + i) & (capacity - 1))] = ring(r).unwritten(first + i);
            ends[3 * r] = ends[3 * r + 1] = first;
        }
        for (uint32_t slot = 0; slot < num_slots; ++slot) places[(first + slot) & (capacity - 1)] = ring(0).written(first + slot, slot);
        ends[1] = first + num_slots;
        ends[2] = num_slots;
    }
    Ring ring(uint32_t r) { return {ends + 3 * r, places.data() + r * capacity, capacity - 1}; }

    uint32_t ends[6] = {};
    uint32_t capacity;
    std::vector<Entry> places;
    std::vector<std::atomic<uint32_t>> holders;  ///< lanes that have the slot: never more than one
    std::vector<uint32_t> visits;                ///< plain memory, so that a thread sanitizer sees a slot held twice
    std::atomic<uint64_t> num_errors{0}, num_pops{0};
};

/// Groups move slots from one ring to the other and back.
template <class Pair>
struct MoveSlots {
    Pair* pair;
    uint32_t rounds;

    template <class Ctx>
    void operator()(Ctx& ctx) const {
        for (uint32_t round = 0; round < rounds; ++round) {
            const uint32_t from = (round + ctx.group()) % 2;
            uint32_t slot = 0;
            const bool got = pair->ring(from).pop(ctx, (round + ctx.lane()) % 3 != 0, 1 + round % 2, ctx.group_size(), slot);
            if (got) visit(slot);
            pair->ring(1 - from).push(ctx, slot, got);
        }
    }
    void visit(uint32_t slot) const {
        if (slot >= pair->visits.size() || pair->holders[slot].fetch_add(1, std::memory_order_relaxed) != 0) {
            pair->num_errors.fetch_add(1, std::memory_order_relaxed);
            return;
        }
        pair->visits[slot] += 1;
        pair->num_pops.fetch_add(1, std::memory_order_relaxed);
        pair->holders[slot].fetch_sub(1, std::memory_order_relaxed);
    }
};

struct RingCase {
    uint32_t num_slots, num_lanes, num_groups, rounds;
    bool threads = false;
};

/// Every slot is in one ring once, and none was ever held twice.
template <Scope scope, class Entry>
void move_slots(const RingCase& c, uint64_t seed) {
    using Pair = RingPair<scope, Entry>;
    Pair pair(c.num_slots, static_cast<uint32_t>(0u - seed * 7));  // positions wrap soon
    EmulatedBackend backend(c.num_lanes, c.num_groups, scope == Scope::Block ? c.num_groups : 1, {c.threads, seed});
    backend.launch("move", MoveSlots<Pair>{&pair, c.rounds}, c.num_groups);
    const std::string what = std::to_string(c.num_slots) + " slots, " + std::to_string(c.num_groups) + " groups of " + std::to_string(c.num_lanes);
    std::multiset<uint32_t> held;
    for (uint32_t r = 0; r < 2; ++r)
        for (uint32_t i = pair.ends[3 * r]; i != pair.ends[3 * r + 1]; ++i)
            held.insert(pair.places[r * pair.capacity + (i & (pair.capacity - 1))] & pair.ring(r).entry_mask());
    EXPECT_EQ(pair.num_errors, 0u) << what << ": held twice, or no slot at all";
    EXPECT_EQ(held.size(), c.num_slots) << what;
    for (uint32_t slot = 0; slot < c.num_slots; ++slot) EXPECT_EQ(held.count(slot), 1u) << what << ", slot " << slot;
    EXPECT_EQ(pair.ends[2] + pair.ends[5], c.num_slots) << what;
    EXPECT_EQ(backend.state.stall, 0u) << what;
    EXPECT_GT(pair.num_pops, 0u) << what;
}

const RingCase ring_cases[] = {{1, 1, 1, 50},  {1, 1, 4, 100}, {1, 4, 3, 50},  {2, 1, 3, 200}, {3, 1, 4, 400}, {3, 2, 8, 100}, {7, 1, 5, 400},
                               {7, 4, 4, 60},  {8, 1, 8, 300}, {8, 32, 2, 20}, {40, 2, 4, 60}, {5, 1, 32, 60}, {100, 8, 6, 20}};

TEST(ring_stress, block_rings_lose_and_double_nothing) {
    for_seeds(40, [](uint64_t seed) {
        for (const RingCase& c : ring_cases) move_slots<Scope::Block, uint16_t>(c, seed);
    });
}
TEST(ring_stress, device_rings_lose_and_double_nothing) {
    for_seeds(40, [](uint64_t seed) {
        for (const RingCase& c : ring_cases) move_slots<Scope::Device, uint32_t>(c, seed);
    });
}
/// Few laps can be told apart in a byte: as few as the number of groups allows.
TEST(ring_stress, laps_are_told_apart_with_as_few_bits_as_the_bound_says) {
    EXPECT_EQ((SlotRing<Scope::Block, uint8_t>::max_slots(8)), 31u);
    EXPECT_EQ((SlotRing<Scope::Block, uint8_t>::max_slots(64)), 3u);
    EXPECT_EQ((SlotRing<Scope::Block, uint16_t>::max_slots(32)), 2047u);
    EXPECT_EQ((SlotRing<Scope::Device, uint32_t>::max_slots(4224)), (1u << 19) - 1);
    for_seeds(40, [](uint64_t seed) {
        move_slots<Scope::Block, uint8_t>({31, 1, 8, 300}, seed);
        move_slots<Scope::Block, uint8_t>({3, 1, 64, 50}, seed);
        move_slots<Scope::Block, uint8_t>({7, 2, 32, 50}, seed);
    });
}
TEST(ring_stress, threads_lose_and_double_nothing) {
    for_seeds(2, [](uint64_t seed) {
        move_slots<Scope::Device, uint32_t>({7, 1, 5, 20000, true}, seed);
        move_slots<Scope::Block, uint16_t>({3, 1, 4, 20000, true}, seed);
        move_slots<Scope::Device, uint32_t>({12, 4, 3, 1000, true}, seed);
    });
}
TEST(ring_stress, a_million_pops) { move_slots<Scope::Device, uint32_t>({64, 1, 4, 400'000}, 3); }

}  // namespace
}  // namespace warpath::testing
