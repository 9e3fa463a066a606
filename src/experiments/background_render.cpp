#include "experiments/background_render.h"

namespace warpath::experiments {

namespace {

RenderOptions one_path(RenderOptions options) {
    options.width = options.height = options.spp = 1;
    options.scheduler = "launch";
    return options;
}

}  // namespace

BackgroundRender::BackgroundRender(const Renderer& renderer, const RenderOptions& options, bool parks)
    : frame_(renderer.prepare(options)), parking_frame_(std::make_unique<PreparedFrame>(renderer.prepare(one_path(options)))), parks_(parks) {
    parking_frame_->run();
    for (int i = 0; i < 2; ++i) frame_.run();
    start_ = std::chrono::steady_clock::now();
    thread_ = std::thread([this] { render(); });
}

BackgroundRender::~BackgroundRender() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
}

void BackgroundRender::render() {
    try {
        while (!stop_) {
            frame_.run();
            if (parks_) parking_frame_->run();
            ++num_frames_;
        }
        parking_frame_->run();
    } catch (...) {
        failure_ = std::current_exception();
    }
}

double BackgroundRender::stop() {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const auto frames = static_cast<double>(num_frames_);
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    if (failure_) std::rethrow_exception(failure_);
    return seconds > 0 ? frames / seconds : 0;
}

}  // namespace warpath::experiments
