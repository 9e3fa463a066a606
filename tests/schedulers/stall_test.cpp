#include <gtest/gtest.h>

#include <chrono>

#include "schedulers/parts/slot_ring.h"
#include "support/fake_frame.h"

/// Waits that nothing would end: they end by their limit, and the report says what was waited for.
namespace warpath::testing {
namespace {

using Ring = SlotRing<Scope::Device, uint32_t>;

struct PopOne {
    Ring ring;
    std::atomic<uint32_t>* num_got;
    template <class Ctx>
    void operator()(Ctx& ctx) const {
        uint32_t entry = 0;
        if (ring.pop(ctx, true, 1, 1, entry)) num_got->fetch_add(1, std::memory_order_relaxed);
    }
};
struct PushOne {
    Ring ring;
    template <class Ctx>
    void operator()(Ctx& ctx) const { ring.push(ctx, 0, ctx.lane() == 0); }
};

TEST(stall, a_place_that_nobody_writes_is_reported) {
    uint32_t ends[3] = {0, 1, 1};  // a push reserved the place and never wrote it
    uint32_t places[2];
    const Ring ring{ends, places, 1};
    for (uint32_t i = 0; i < 2; ++i) places[i] = ring.unwritten(i);
    EmulatedBackend backend(4, 2);
    backend.state.wait_limit_ns = 100'000;
    std::atomic<uint32_t> num_got{0};
    backend.launch("pop", PopOne{ring, &num_got});
    EXPECT_EQ(num_got, 0u);
    EXPECT_EQ(describe_wait(backend.state.stall), "a wait for the writer of a ring's place passed its limit; ");
    EXPECT_EQ(backend.poll(0), StopLevel::Abort);
}

TEST(stall, a_place_that_nobody_reads_is_reported) {
    uint32_t ends[3] = {1, 1, 0};  // a pop reserved the place and never read it
    uint32_t places[1];
    const Ring ring{ends, places, 0};
    places[0] = ring.written(0, 0);
    EmulatedBackend backend(4, 1);
    backend.state.wait_limit_ns = 100'000;
    backend.launch("push", PushOne{ring});
    EXPECT_EQ(describe_wait(backend.state.stall), "a wait for the reader of a ring's place passed its limit; ");
}

/// A stage that loses its slot. Schedulers with rings wait for it, up to the limit; the others have nobody who waits.
TEST(stall, a_lost_slot_ends_the_frame) {
    for_each_portable_scheduler([]<class Scheduler>() {
        for (FakeFrame c : {FakeFrame{1, 1, 1, 1, 20}, FakeFrame{4, 4, 9, 4, 100, 2}, FakeFrame{1, 6, 4, 2, 100, 3}}) {
            c.lost_path = 11;
            c.wait_limit_ns = 1'000'000;
            SCOPED_TRACE(std::string(Scheduler::name) + ": " + describe(c));
            const FakeOutcome f = run_fake_frame<Scheduler>(c);
            EXPECT_EQ(f.errors, 0u);
            EXPECT_EQ(f.more, 0u);
            EXPECT_GE(f.never, 1u);
            if (std::string(Scheduler::name).starts_with("persistent")) {
                EXPECT_TRUE(f.aborted);
                EXPECT_NE(f.stall_report.find("a wait for work passed its limit; "), std::string::npos) << f.stall_report;
                EXPECT_NE(f.stall_report.find(": trace head "), std::string::npos) << f.stall_report;
                EXPECT_NE(f.stall_report.find("last grabs by warp"), std::string::npos) << f.stall_report;
            }
        }
    });
}

/// On threads, by the clock of the machine.
TEST(stall, ends_soon_after_the_limit) {
    for (double limit_s : {0.2, 0.5}) {
        FakeFrame c{2, 4, 16, 4, 100, 2, {true, 1}};
        c.lost_path = 11;
        c.wait_limit_ns = static_cast<uint64_t>(limit_s * 1e9);
        const auto start = std::chrono::steady_clock::now();
        EXPECT_TRUE(run_fake_frame<PersistentScheduler>(c).aborted);
        EXPECT_TRUE(run_fake_frame<PersistentGlobalScheduler>(c).aborted);
        EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 2 * limit_s + 10)
            << "seconds, on a machine that may be busy";
    }
}

}  // namespace
}  // namespace warpath::testing
