#include "viewer/slot_exchange.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

namespace warpath::viewer {
namespace {

Picture numbered(uint64_t serial) {
    Picture picture;
    picture.serial = serial;
    return picture;
}

TEST(SlotExchange, gives_the_newest_picture_once) {
    SlotExchange exchange;
    EXPECT_FALSE(exchange.take());
    EXPECT_TRUE(exchange.is_wanted());
    for (uint64_t serial = 1; serial <= 10; ++serial) exchange.publish(exchange.begin_write(), numbered(serial));
    EXPECT_FALSE(exchange.is_wanted());
    EXPECT_EQ(exchange.take()->second.serial, 10u);
    EXPECT_FALSE(exchange.take());
}

TEST(SlotExchange, what_is_shown_is_never_written_to) {
    SlotExchange exchange;
    exchange.publish(exchange.begin_write(), numbered(1));
    const int shown = exchange.take()->first;
    for (uint64_t serial = 2; serial <= 10; ++serial) {
        const int slot = exchange.begin_write();
        EXPECT_NE(slot, shown);
        if (serial % 3 == 0) exchange.abandon(slot);
        else exchange.publish(slot, numbered(serial));
    }
    EXPECT_NE(exchange.take()->first, shown);
}

TEST(SlotExchange, two_threads_never_share_a_slot) {
    SlotExchange exchange;
    std::array<std::atomic<int>, SlotExchange::num_slots> holders{};
    std::atomic<bool> failed{false};
    std::thread writer([&] {
        for (uint64_t serial = 1; serial <= 100000; ++serial) {
            const int slot = exchange.begin_write();
            if (holders[static_cast<size_t>(slot)].exchange(1) != 0) failed = true;
            holders[static_cast<size_t>(slot)] = 0;
            exchange.publish(slot, numbered(serial));
        }
    });
    uint64_t last = 0;
    int held = -1;
    while (last < 100000 && !failed) {
        if (held >= 0) holders[static_cast<size_t>(held)] = 0;  // give the old one back before the next take frees it
        held = -1;
        if (const auto next = exchange.take()) {
            if (next->second.serial <= last) failed = true;
            last = next->second.serial;
            held = next->first;
            if (holders[static_cast<size_t>(held)].exchange(2) != 0) failed = true;
        }
    }
    writer.join();
    EXPECT_FALSE(failed);
    EXPECT_EQ(last, 100000u);
}

}  // namespace
}  // namespace warpath::viewer
