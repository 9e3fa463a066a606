#include "viewer/slot_exchange.h"

#include <algorithm>
#include <cassert>

namespace warpath::viewer {

int SlotExchange::begin_write() {
    const std::lock_guard lock(mutex_);
    auto slot = std::find(states_.begin(), states_.end(), State::Free);
    if (slot == states_.end()) slot = std::find(states_.begin(), states_.end(), State::Ready);
    assert(slot != states_.end());
    *slot = State::Writing;
    return static_cast<int>(slot - states_.begin());
}

void SlotExchange::publish(int slot, Picture picture) {
    const std::lock_guard lock(mutex_);
    std::replace(states_.begin(), states_.end(), State::Ready, State::Free);
    states_[static_cast<size_t>(slot)] = State::Ready;
    ready_ = std::move(picture);
}

void SlotExchange::abandon(int slot) {
    const std::lock_guard lock(mutex_);
    states_[static_cast<size_t>(slot)] = State::Free;
}

bool SlotExchange::is_wanted() const {
    const std::lock_guard lock(mutex_);
    return std::find(states_.begin(), states_.end(), State::Ready) == states_.end();
}

std::optional<std::pair<int, Picture>> SlotExchange::take() {
    const std::lock_guard lock(mutex_);
    const auto ready = std::find(states_.begin(), states_.end(), State::Ready);
    if (ready == states_.end()) return std::nullopt;
    std::replace(states_.begin(), states_.end(), State::Shown, State::Free);
    *ready = State::Shown;
    return std::pair{static_cast<int>(ready - states_.begin()), ready_};
}

}  // namespace warpath::viewer
