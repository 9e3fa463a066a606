#include "backends/cpu/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <stdexcept>

namespace warpath::testing {
namespace {

using namespace std::chrono_literals;

TEST(thread_pool, runs_each_task_once_and_again) {
    ThreadPool pool(3);
    std::atomic<uint32_t> runs[3]{};
    for (uint32_t round = 0; round < 100; ++round) {
        pool.start(3, [&](uint32_t i) { runs[i] += 1; });
        while (!pool.wait(1000ms)) {
        }
    }
    for (const auto& n : runs) EXPECT_EQ(n.load(), 100u);
}

TEST(thread_pool, runs_fewer_tasks_than_threads) {
    ThreadPool pool(4);
    std::atomic<uint32_t> num_runs{0};
    pool.start(1, [&](uint32_t) { num_runs += 1; });
    while (!pool.wait(1000ms)) {
    }
    EXPECT_EQ(num_runs.load(), 1u);
}

TEST(thread_pool, runs_all_tasks_side_by_side) {
    ThreadPool pool(4);
    std::barrier meeting(4);
    pool.start(4, [&](uint32_t) { meeting.arrive_and_wait(); });
    EXPECT_TRUE(pool.wait(10s)) << "tasks that wait for each other must all be running";
}

TEST(thread_pool, passes_on_an_exception_and_stays_usable) {
    ThreadPool pool(2);
    pool.start(2, [](uint32_t i) {
        if (i == 1) throw std::runtime_error("task 1");
    });
    EXPECT_THROW(while (!pool.wait(1000ms)){}, std::runtime_error);
    std::atomic<uint32_t> num_runs{0};
    pool.start(2, [&](uint32_t) { num_runs += 1; });
    while (!pool.wait(1000ms)) {
    }
    EXPECT_EQ(num_runs.load(), 2u);
}

}  // namespace
}  // namespace warpath::testing
