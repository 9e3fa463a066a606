// What the window wants and knows, without a window.
#include "viewer/session.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

#include "warpath/error.h"

namespace warpath::viewer {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

class SessionTest : public testing::Test {
  protected:
    static ViewOptions options() {
        ViewOptions options;
        options.render.backend = "cpu";
        options.render.num_threads = 2;
        options.film = Size{16, 12};
        options.max_depth = 3;
        return options;
    }
    /// Turns the session until something holds; false after twenty seconds.
    bool run_until(const std::function<bool()>& holds) {
        const Clock::time_point limit = Clock::now() + std::chrono::seconds(20);
        while (Clock::now() < limit) {
            session.update(seconds_since(start), {16, 12});
            if (const auto next = session.render.pictures().take()) session.picture = next->second;
            if (holds()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return false;
    }
    bool run_until_samples(uint32_t n) {
        run_until([] { return true; });  // posts what was changed
        return run_until([&] { return session.is_settled() && session.picture.num_samples >= n; });
    }
    void open_triangle() {
        session.open(WARPATH_SOURCE_DIR "/scenes/triangle.obj");
        ASSERT_TRUE(run_until_samples(1));
    }

    Clock::time_point start = Clock::now();
    Session session{options(), std::make_unique<HostStore>(), [] {}};
};

TEST_F(SessionTest, only_what_is_visible_begins_the_picture_anew) {
    open_triangle();
    ASSERT_TRUE(run_until_samples(50));
    session.perform(Action::FlipScheduler);
    session.perform(Action::Brighter);
    session.schedule.batch = 7;
    session.samples_per_pass = 3;
    ASSERT_TRUE(run_until_samples(1));
    EXPECT_GE(session.picture.num_samples, 50u);
    EXPECT_NE(session.scheduler, "auto");
    session.paused = true;
    session.scene.camera.orbit(0.3f, 0);
    ASSERT_TRUE(run_until_samples(1));
    EXPECT_LT(session.picture.num_samples, 50u);
}

TEST_F(SessionTest, a_scheduler_runs_with_the_next_frame) {
    open_triangle();
    for (const SchedulerInfo& info : session.schedulers) {
        session.choose_scheduler(info.name);
        run_until([] { return true; });
        EXPECT_TRUE(run_until([&] { return session.is_settled() && session.picture.scheduler == info.name; })) << info.name;
    }
    EXPECT_GE(session.schedulers.size(), 5u);
    EXPECT_THROW(session.choose_scheduler("fastest"), Error);
}

TEST_F(SessionTest, a_limit_of_samples_is_kept) {
    open_triangle();
    ++session.restarts;
    session.sample_limit = 10, session.samples_per_pass = 4;
    ASSERT_TRUE(run_until_samples(10));
    EXPECT_EQ(session.picture.num_samples, 10u);
}

TEST_F(SessionTest, a_scene_that_fails_leaves_the_one_before) {
    open_triangle();
    session.open("missing.obj");
    ASSERT_TRUE(run_until([&] { return !session.messages.empty() && session.messages.back().is_error; }));
    EXPECT_NE(session.messages.back().text.find("missing.obj"), std::string::npos);
    EXPECT_EQ(session.scene.path.filename(), "triangle.obj");
    EXPECT_TRUE(run_until_samples(1));
}

TEST_F(SessionTest, picking_names_the_surface) {
    open_triangle();
    session.pick(0.5f, 0.5f, PickPurpose::Material);
    ASSERT_TRUE(run_until([&] { return session.selection.has_value() || !session.messages.empty(); }));
    if (session.selection) EXPECT_LT(session.selection->material, session.scene.materials.size());
}

TEST_F(SessionTest, closing_takes_less_than_a_second_while_a_pass_renders) {
    open_triangle();
    session.options.film = Size{3000, 3000};
    run_until([] { return true; });
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_TRUE(session.close(5));  // a second on a machine that does nothing else
}

TEST_F(SessionTest, no_place_for_the_picture_is_no_pixel) {
    session.options.film.reset();
    open_triangle();
    run_until([&] { return session.update(seconds_since(start), {0, 0}), true; });
    session.update(seconds_since(start), {0, 0});
    EXPECT_TRUE(run_until([&] { return session.picture.width > 0; }));
}

}  // namespace
}  // namespace warpath::viewer
