#include <gtest/gtest.h>

#include "experiments/contention_probe.h"

namespace warpath::experiments {
namespace {

TEST(contention, every_item_is_handed_out_once_on_threads) {
    const auto probe = make_cpu_contention_probe();
    for (const GrabSource source : {GrabSource::OneCounter, GrabSource::PerSm})
        for (const uint32_t batch : {1u, 7u, 1024u})
            for (const uint32_t threads : {1u, 3u})
                for (const uint64_t items : {0u, 1u, 31u, 1000u, 100'000u}) {
                    const GrabResult result = probe->hand_out({GrabLevel::Lane, source}, batch, threads, items);
                    EXPECT_TRUE(result.correct(items)) << batch << ", " << threads << ", " << items << ": " << result.num_items;
                    if (source == GrabSource::OneCounter) {
                        EXPECT_EQ(result.num_grabs, (items + batch - 1) / batch);
                    }
                }
}

TEST(contention, lost_or_repeated_items_are_noticed) {
    GrabResult result;
    result.num_items = 4, result.sum = 0 + 1 + 2 + 3;
    EXPECT_TRUE(result.correct(4));
    result.sum = 0 + 1 + 1 + 3;
    EXPECT_FALSE(result.correct(4));
    result.num_items = 3, result.sum = 0 + 1 + 2;
    EXPECT_FALSE(result.correct(4));
    result.num_items = 4, result.sum = 6, result.in_time = false;
    EXPECT_FALSE(result.correct(4));
}

}  // namespace
}  // namespace warpath::experiments
