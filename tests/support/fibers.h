#pragma once

#include <ucontext.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <vector>

#if defined(__SANITIZE_THREAD__)
extern "C" {
void* __tsan_get_current_fiber();
void* __tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void* fiber);
void __tsan_switch_to_fiber(void* fiber, unsigned flags);
}
#elif defined(__SANITIZE_ADDRESS__)
extern "C" {
void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom, size_t size);
void __sanitizer_finish_switch_fiber(void* fake_stack, const void** bottom, size_t* size);
}
#endif

/// Functions that take turns on one thread, each on a stack of its own. They run until they ask for something, and what runs next follows from
/// what they ask, so a run can be repeated exactly. Time is the number of turns so far.
/// Under the thread sanitizer a fiber counts as a thread, and a turn orders nothing: only atomics that the fibers share do.
/// Threads: run() and the fibers' calls belong to one thread.
namespace warpath::testing {

class Fibers {
  public:
    /// Fibers that wait for each other.
    struct Barrier {
        explicit Barrier(uint32_t n) : size(n) {}
        const uint32_t size;
        std::vector<uint32_t> waiting;         ///< run()'s own
        std::atomic<uint64_t> ordering{0};     ///< orders what members did before the barrier before what they do after it
    };

    /// What a function that runs as a fiber may ask for.
    class Fiber {
      public:
        /// Others run, then this one again.
        void yield() { ask(Yield); }
        /// Others run for so many turns, or until all sleep.
        void sleep(uint64_t turns) {
            turns_.store(turns, std::memory_order_relaxed);
            ask(Sleep);
        }
        void wait(Barrier& barrier) {
            barrier_.store(&barrier, std::memory_order_relaxed);
            barrier.ordering.fetch_add(1, std::memory_order_acq_rel);
            if (barrier.size > 1) ask(Wait);
            (void)barrier.ordering.load(std::memory_order_acquire);
        }
        uint64_t now() const { return home_->now_.load(std::memory_order_relaxed); }

      private:
        friend class Fibers;
        enum Request : uint32_t { Yield, Sleep, Wait, End };

        void ask(Request request) {
            request_.store(request, std::memory_order_relaxed);
            home_->switch_to_main(*this);
        }

        Fibers* home_ = nullptr;
        std::function<void(Fiber&)> body_;
        std::unique_ptr<char[]> stack_;
        ucontext_t context_{};
        void* sanitizer_ = nullptr;
        std::atomic<uint32_t> request_{Yield};
        std::atomic<uint64_t> turns_{0};
        std::atomic<Barrier*> barrier_{nullptr};
    };

    Fibers() = default;
    Fibers(const Fibers&) = delete;
    Fibers& operator=(const Fibers&) = delete;
    ~Fibers() {
        for (auto& fiber : fibers_) release(*fiber);
    }

    /// A function for the next run(). Fibers are made once and used by every run.
    void add(std::function<void(Fiber&)> body) {
        if (num_used_ == fibers_.size()) fibers_.push_back(std::make_unique<Fiber>());
        Fiber& fiber = *fibers_[num_used_];
        fiber.home_ = this;
        fiber.body_ = std::move(body);
        ready_.push_back(num_used_++);
    }
    /// Gives turns until all have returned. False, and never to be used again, if some wait at a barrier that the others never came to.
    bool run() {
        enter_main();
        for (uint32_t i = 0; i < num_used_; ++i) turn(*fibers_[i], true);
        uint32_t num_left = num_used_;
        while (next()) {
            Fiber& fiber = *fibers_[current_];
            turn(fiber, false);
            switch (fiber.request_.load(std::memory_order_relaxed)) {
                case Fiber::Yield: ready_.push_back(current_); break;
                case Fiber::Sleep: sleeping_.push({now_.load(std::memory_order_relaxed) + fiber.turns_.load(std::memory_order_relaxed), current_}); break;
                case Fiber::Wait: arrive(*fiber.barrier_.load(std::memory_order_relaxed)); break;
                case Fiber::End: --num_left; break;
            }
        }
        num_used_ = 0;
        return num_left == 0;
    }

  private:
    static constexpr size_t stack_bytes = 128 * 1024;

    struct Sleeper {
        uint64_t until;
        uint32_t fiber;
        bool operator<(const Sleeper& other) const { return until > other.until; }  // the earliest on top
    };

    /// Chooses whose turn it is; false when nobody is left. Where all sleep, time jumps.
    bool next() {
        uint64_t time = now_.load(std::memory_order_relaxed) + 1;
        if (ready_.empty() && !sleeping_.empty() && sleeping_.top().until > time) time = sleeping_.top().until;
        now_.store(time, std::memory_order_relaxed);
        for (; !sleeping_.empty() && sleeping_.top().until <= time; sleeping_.pop()) ready_.push_back(sleeping_.top().fiber);
        if (ready_.empty()) return false;
        current_ = ready_.front();
        ready_.pop_front();
        return true;
    }
    void arrive(Barrier& barrier) {
        barrier.waiting.push_back(current_);
        if (barrier.waiting.size() < barrier.size) return;
        ready_.insert(ready_.end(), barrier.waiting.begin(), barrier.waiting.end());
        barrier.waiting.clear();
    }
    /// first: the fiber sees all that run() saw before, and only comes to where its function begins.
    void turn(Fiber& fiber, bool first) {
        if (!fiber.stack_) start(fiber);
        switch_to_fiber(fiber, first);
    }
    void start(Fiber& fiber) {
        fiber.stack_.reset(new char[stack_bytes]);
        getcontext(&fiber.context_);
        fiber.context_.uc_stack.ss_sp = fiber.stack_.get();
        fiber.context_.uc_stack.ss_size = stack_bytes;
        const auto self = reinterpret_cast<uintptr_t>(&fiber);
        makecontext(&fiber.context_, reinterpret_cast<void (*)()>(&Fibers::enter), 2, static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
        create(fiber);
    }
    static void enter(unsigned high, unsigned low) {
        Fiber& self = *reinterpret_cast<Fiber*>(static_cast<uintptr_t>(high) << 32 | low);
        self.home_->arrived_in_fiber(nullptr);
        while (true) {
            self.ask(Fiber::Yield);
            self.body_(self);
            self.ask(Fiber::End);
        }
    }

#if defined(__SANITIZE_THREAD__)
    static constexpr unsigned orders_nothing = 1;  // __tsan_switch_to_fiber_no_sync
    void* main_fiber_ = nullptr;
    void enter_main() { main_fiber_ = __tsan_get_current_fiber(); }
    void create(Fiber& fiber) { fiber.sanitizer_ = __tsan_create_fiber(0); }
    void switch_to_fiber(Fiber& fiber, bool first) {
        __tsan_switch_to_fiber(fiber.sanitizer_, first ? 0 : orders_nothing);
        swapcontext(&main_, &fiber.context_);
    }
    void switch_to_main(Fiber& self) {
        __tsan_switch_to_fiber(main_fiber_, 0);
        swapcontext(&self.context_, &main_);
    }
    void arrived_in_fiber(void*) {}
    void release(Fiber& fiber) {
        if (fiber.sanitizer_) __tsan_destroy_fiber(fiber.sanitizer_);
    }
#elif defined(__SANITIZE_ADDRESS__)
    const void* main_bottom_ = nullptr;
    size_t main_size_ = 0;
    void enter_main() {}
    void switch_to_fiber(Fiber& fiber, bool) {
        void* fake = nullptr;
        __sanitizer_start_switch_fiber(&fake, fiber.stack_.get(), stack_bytes);
        swapcontext(&main_, &fiber.context_);
        __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
    }
    void switch_to_main(Fiber& self) {
        void* fake = nullptr;
        __sanitizer_start_switch_fiber(&fake, main_bottom_, main_size_);
        swapcontext(&self.context_, &main_);
        arrived_in_fiber(fake);
    }
    void arrived_in_fiber(void* fake) { __sanitizer_finish_switch_fiber(fake, &main_bottom_, &main_size_); }
    void create(Fiber&) {}
    void release(Fiber&) {}
#else
    void enter_main() {}
    void switch_to_fiber(Fiber& fiber, bool) { swapcontext(&main_, &fiber.context_); }
    void switch_to_main(Fiber& self) { swapcontext(&self.context_, &main_); }
    void arrived_in_fiber(void*) {}
    void create(Fiber&) {}
    void release(Fiber&) {}
#endif

    std::vector<std::unique_ptr<Fiber>> fibers_;
    std::deque<uint32_t> ready_;
    std::priority_queue<Sleeper> sleeping_;
    ucontext_t main_{};
    uint32_t current_ = 0, num_used_ = 0;
    std::atomic<uint64_t> now_{0};
};

}  // namespace warpath::testing
