#include "api/device_team.h"

#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "warpath/error.h"

/// How a frame is shared out, without any device.
namespace warpath::testing {
namespace {

std::vector<uint64_t> sizes_of(const std::vector<PathRange>& tiles) {
    std::vector<uint64_t> sizes;
    for (const PathRange& tile : tiles) sizes.push_back(tile.count);
    return sizes;
}

TEST(tiles, get_smaller_by_rounds_in_whole_neighbourhoods) {
    using Sizes = std::vector<uint64_t>;
    EXPECT_EQ(sizes_of(tiles_of_frame(32 * 128, 2, 1)), (Sizes{48 * 32, 48 * 32, 12 * 32, 12 * 32, 4 * 32, 4 * 32}));
    EXPECT_EQ(sizes_of(tiles_of_frame(1000, 2, 1)), (Sizes{384, 384, 96, 96, 32, 8}));
    EXPECT_EQ(sizes_of(tiles_of_frame(1000, 2, 100)), (Sizes{384, 384, 128, 104})) << "no tile smaller than asked, rounded up";
    EXPECT_EQ(sizes_of(tiles_of_frame(1000, 2, 100000)), (Sizes{512, 488})) << "every device gets a tile";
    EXPECT_EQ(sizes_of(tiles_of_frame(1000, 3, 100000)), (Sizes{352, 352, 296})) << "every device gets a tile";
    EXPECT_EQ(sizes_of(tiles_of_frame(1, 8, 100)), Sizes{1});
}

TEST(tiles, hand_out_each_path_once) {
    for (uint64_t num_paths : {1ull, 31ull, 32ull, 33ull, 10000ull, 1000000ull}) {
        const std::vector<PathRange> tiles = tiles_of_frame(num_paths, 4, 96);
        TileCounter counter(tiles);
        std::vector<std::vector<PathRange>> got(4);
        {
            std::vector<std::jthread> threads;
            for (auto& own : got)
                threads.emplace_back([&] {
                    for (PathRange range = counter.grab(); range.count > 0; range = counter.grab()) own.push_back(range);
                });
        }
        std::map<uint64_t, uint64_t> ranges;
        for (const auto& own : got)
            for (const PathRange& range : own) ranges[range.first] = range.count;
        uint64_t first = 0;
        for (const auto& [begin, count] : ranges) {
            EXPECT_EQ(begin, first);
            EXPECT_LE(count, tiles.front().count) << "the first is the largest: frames have slots for it";
            first = begin + count;
        }
        EXPECT_EQ(first, num_paths);
        EXPECT_EQ(ranges.size(), tiles.size());
    }
}

/// A device of a team under test: renders by counting.
struct CountingFrame : BackendFrame {
    explicit CountingFrame(std::function<void(const PathRange&, const RunHooks&)> body) : body(std::move(body)) {}
    void clear() override {}
    RunOutcome run(const PathRange& range, const RunHooks& hooks) override {
        RunOutcome outcome;
        body(range, hooks);
        outcome.counters[static_cast<size_t>(Counter::FinishedPaths)] = range.count;
        outcome.schedule.aborted = aborts;
        if (aborts) outcome.stall_report = "stalled";
        return outcome;
    }
    double run_passes(uint32_t, const RunHooks&) override { return 0; }
    ServiceTimes time_service(uint32_t) override { return {}; }
    void download(FilmColumns<HostColumn>&) override {}
    void take_film(FilmColumns<HostColumn>&) override {}
    void update(const RenderJob&, const SceneEdit*) override {}
    void develop(DevelopSettings, uint32_t*, bool) override {}
    void park() override {}
    uint64_t allocated_bytes() const override { return 0; }

    std::function<void(const PathRange&, const RunHooks&)> body;
    bool aborts = false;
};
std::unique_ptr<CountingFrame> counting_frame(std::function<void(const PathRange&, const RunHooks&)> body =
                                                  [](auto&, auto&) {}) {
    return std::make_unique<CountingFrame>(std::move(body));
}
/// Of a frame that nobody ends.
const std::vector<PathRange> tiles(1u << 20, {0, 32});
/// Runs until told to stop.
void run_until_stopped(const PathRange&, const RunHooks& hooks) {
    while (!*hooks.stop) std::this_thread::yield();
}

TEST(device_team, reports_the_first_failure_and_ends_the_others) {
    DeviceFrames frames;
    frames.push_back(counting_frame(run_until_stopped));
    frames.push_back(
        counting_frame([](auto&, auto&) { throw Error(ErrorCode::Device, "the device fell off the bus"); }));
    DeviceTeam team(frames, tiles);
    try {
        team.run({});
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "the device fell off the bus");
    }
}

TEST(device_team, ends_when_the_watchdog_of_one_device_gives_up) {
    DeviceFrames frames;
    frames.push_back(counting_frame(run_until_stopped));
    auto stalled = counting_frame();
    stalled->aborts = true;
    frames.push_back(std::move(stalled));
    const RunOutcome outcome = DeviceTeam(frames, tiles).run({});
    EXPECT_TRUE(outcome.schedule.aborted);
    EXPECT_EQ(outcome.stall_report, "device 1 of the list: stalled");
}

TEST(device_team, passes_on_stop_and_adds_up_progress) {
    std::atomic<bool> stop{false};
    DeviceFrames frames;
    for (int i = 0; i < 2; ++i)
        frames.push_back(counting_frame([](const PathRange& range, const RunHooks& hooks) {
            CounterWords words{};
            words[static_cast<size_t>(Counter::FinishedPaths)] = 5;
            hooks.report(words);
            run_until_stopped(range, hooks);
        }));
    uint64_t reported = 0;
    const RunHooks hooks{&stop, [&](const CounterWords& words) {
                             reported = words[static_cast<size_t>(Counter::FinishedPaths)];
                             stop = reported == 10;
                         }};
    const RunOutcome outcome = DeviceTeam(frames, tiles).run(hooks);
    EXPECT_EQ(reported, 10u);
    EXPECT_EQ(outcome.counters[static_cast<size_t>(Counter::FinishedPaths)], 64u) << "one tile each";
}

}  // namespace
}  // namespace warpath::testing
