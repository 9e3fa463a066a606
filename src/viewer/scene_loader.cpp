#include "viewer/scene_loader.h"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "warpath/error.h"

namespace warpath::viewer {

SceneLoader::~SceneLoader() {
    cancel();
    for (const auto& load : loads_) load->thread.join();
}

void SceneLoader::start(const std::filesystem::path& path, LoadOptions options) {
    cancel();
    collect();
    const auto load = std::make_shared<Load>();
    load->result.path = path;
    options.stop = &load->stop;
    options.progress = [state = load.get()](const LoadProgress& progress) {
        const std::lock_guard lock(state->mutex);
        state->progress = progress;
    };
    path_ = path;
    current_ = load;
    loads_.push_back(load);
    load->thread = std::thread([state = load.get(), options = std::move(options)] {
        try {
            state->result.scene = LoadedScene::load(state->result.path, options);
        } catch (const std::bad_alloc&) {
            state->result.error = "out of memory while loading " + state->result.path.string();
        } catch (const std::exception& e) {
            state->result.error = e.what();
        }
        state->done = true;
    });
}

void SceneLoader::cancel() {
    if (current_) current_->stop = true;
    current_.reset();
}

LoadProgress SceneLoader::progress() const {
    if (!current_) return {};
    const std::lock_guard lock(current_->mutex);
    return current_->progress;
}

std::optional<SceneLoader::Result> SceneLoader::take() {
    std::optional<Result> result;
    if (current_ && current_->done) result = std::move(current_->result), current_.reset();
    collect();
    return result;
}

size_t SceneLoader::num_running() {
    collect();
    return loads_.size();
}

void SceneLoader::collect() {
    std::erase_if(loads_, [this](const std::shared_ptr<Load>& load) {
        if (!load->done || load == current_) return false;
        load->thread.join();
        return true;
    });
}

}  // namespace warpath::viewer
