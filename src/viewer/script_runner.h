#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "viewer/app.h"
#include "viewer/script.h"

namespace warpath::viewer {

/// Plays a script on a window: input takes the same way as that of mouse and keyboard.
class ScriptRunner {
  public:
    /// `place` begins the messages.
    ScriptRunner(App& app, std::vector<Step> steps, std::string place);

    bool is_done() const { return tasks_.empty() && next_ == steps_.size(); }
    /// Before each frame of the window: does what can be done before it.
    /// Errors:  BadInput where a step cannot be done, was waited for too long, or found what it did not expect; names the step.
    void advance();

  private:
    /// Part of a step: true once it is done, false to be asked again after the next frame.
    using Task = std::function<bool()>;
    void begin(const Step& step);
    void begin_wait(const Step& step);
    void begin_input(const Step& step);
    void begin_change(const Step& step);
    void begin_file(const Step& step);
    void then(Task task) { tasks_.push_back(std::move(task)); }
    /// Something, and then a frame.
    void then_frame(std::function<void()> action);
    void wait_until(const Step& step, std::function<bool()> condition);
    void press(int button, bool is_down);
    void move_to(double x, double y);
    std::pair<double, double> place_of(const nlohmann::json& point) const;
    void set_parameters(const nlohmann::json& values);
    void edit_material(const nlohmann::json& values);
    void set_mode(const nlohmann::json& json);
    void flip(const Step& step);
    [[noreturn]] void fail(const std::string& what) const;
    bool picture_has(uint32_t num_samples) const;

    App& app_;
    std::vector<Step> steps_;
    std::string place_;
    size_t next_ = 0;
    std::deque<Task> tasks_;
};

}  // namespace warpath::viewer
