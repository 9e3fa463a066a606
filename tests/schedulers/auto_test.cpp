#include <gtest/gtest.h>

#include <string>

#include "schedulers/auto.h"
#include "schedulers/list.h"

namespace warpath::testing {
namespace {

TEST(auto_choice, names_a_scheduler_that_the_backend_runs) {
    for (const bool on_cuda : {false, true})
        for (const uint64_t num_paths : {1ull, 65536ull, 2073600ull, 8294400ull, 33177600ull})
            for (const uint32_t depth : {0u, 4u, 16u, 64u})
                for (const double hit_share : {0.0, 0.01, 1.0}) {
                    const std::string name = choose_scheduler({on_cuda, num_paths, depth, hit_share, 20.0});
                    EXPECT_TRUE(SchedulerList::with_name(name, [&]<class Scheduler>() {
                        if (!on_cuda) {
                            EXPECT_TRUE(PortableScheduler<Scheduler>) << name;
                        }
                    })) << name;
                }
}

TEST(auto_choice, is_what_was_measured_to_be_fast) {
    EXPECT_STREQ(choose_scheduler({true, 65536, 16, 1.0, 20.0}), "persistent");
    EXPECT_STREQ(choose_scheduler({true, 65536, 16, 0.66, 20.0}), "megakernel") << "fewer paths than lanes go on";
    EXPECT_STREQ(choose_scheduler({true, 65536, 4, 1.0, 20.0}), "megakernel");
    EXPECT_STREQ(choose_scheduler({true, 65536, 4, 1.0, 60.0}), "persistent") << "rays that differ much are worth refilling for";
    EXPECT_STREQ(choose_scheduler({true, 2073600, 4, 1.0}), "hybrid");
    EXPECT_STREQ(choose_scheduler({true, 2073600, 64, 0.5}), "hybrid");
    EXPECT_STREQ(choose_scheduler({true, 33177600, 16, 1.0}), "hybrid");
    EXPECT_STREQ(choose_scheduler({true, 2073600, 16, 0.03}), "megakernel");
    EXPECT_STREQ(choose_scheduler({false, 65536, 16, 1.0}), "persistent");
    EXPECT_STREQ(choose_scheduler({false, 65536, 16, 0.1}), "megakernel-persistent") << "paths that end at once";
}

}  // namespace
}  // namespace warpath::testing
