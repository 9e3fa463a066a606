#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "viewer/picture_store.h"
#include "viewer/render_events.h"

namespace warpath::viewer {

/// Whether a picture for `a` is none for `b`: the film has to begin anew.
bool changes_picture(const ViewRequest& a, const ViewRequest& b);

/// Renders on a thread of its own, which alone touches renderer and frames. The window posts what it wants to see, takes pictures and events, and never
/// waits.
class RenderThread {
  public:
    /// `wake` is called from the thread whenever there is something to take.
    RenderThread(std::unique_ptr<PictureStore> store, std::function<void()> wake);
    ~RenderThread();  ///< asks it to stop and waits

    void post(const ViewRequest& request);
    void order(RenderOrder order);
    /// To be called now and then: ends a pass that has gone on for long while something else is wanted.
    void tick();
    /// Asks the thread to end; is_done() says when it has.
    void stop();
    bool is_done() const { return done_; }

    std::vector<RenderEvent> take_events();
    std::optional<Schedule> take_schedule();
    SlotExchange& pictures() { return exchange_; }
    PictureStore& store() { return *store_; }
    /// Changes posted by the window that no pass has begun with yet.
    bool is_behind() const;

  private:
    using Clock = std::chrono::steady_clock;
    struct Side;
    struct Frames;

    void run();
    void turn();
    void wait_for_work();
    void carry_out(InstallScene& order);
    void carry_out(PickAt& order);
    void carry_out(SaveImage& order);
    bool update();
    void apply(Side& side, const std::string& scheduler);
    std::vector<Side*> sides();
    std::string scheduler_of_a() const;
    bool has_room() const;
    bool is_worth_showing() const;
    void render_pass();
    void run_pass(Side& side, char name);
    void report(LivePass& pass, LiveFrame& frame, char side);
    void show();
    void compare(Picture& picture);
    void say(RenderEvent event);
    void lose_frames(const std::string& text);

    std::unique_ptr<PictureStore> store_;
    std::function<void()> wake_;
    SlotExchange exchange_;

    mutable std::mutex mutex_;  ///< of what both threads touch: the next five
    std::condition_variable changed_;
    ViewRequest wanted_;
    std::vector<RenderOrder> orders_;
    std::vector<RenderEvent> events_;
    std::optional<Schedule> schedule_;

    std::atomic<bool> stop_{false}, interrupt_{false}, done_{false};
    std::atomic<bool> in_pass_{false}, pass_only_refines_{false}, last_was_interrupted_{false}, visible_change_{false};
    std::atomic<int64_t> pass_began_ns_{0};
    std::atomic<uint64_t> applied_serial_{0};

    // The thread's own.
    std::unique_ptr<Frames> frames_;
    ViewRequest request_;       ///< that the frames follow
    uint64_t num_passes_ = 0;
    bool turn_of_b_ = false;
    bool needs_picture_ = false;
    uint64_t shown_serial_ = 0;  ///< of the last picture, with its samples and when it came
    uint32_t shown_samples_ = 0;
    Clock::time_point shown_at_{};
    Clock::time_point start_ = Clock::now();
    std::thread thread_;        ///< last: it uses all the others
};

}  // namespace warpath::viewer
