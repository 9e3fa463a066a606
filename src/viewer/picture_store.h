#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "viewer/slot_exchange.h"

namespace warpath::viewer {

/// Where the pixels of pictures lie between developing and drawing: a buffer for each slot of a SlotExchange. Whoever holds a slot may use its buffer.
class PictureStore {
  public:
    virtual ~PictureStore() = default;
    /// Ways of pixels from the film to the window, as the title bar names them.
    virtual std::string path(const Picture& picture) const = 0;

    /// Render thread: before its first picture, and when it ends.
    virtual void begin_thread() {}
    virtual void end_thread() {}
    /// Render thread: develops `frames` (one, or A and B), one plane each, and sets picture.on_device.
    /// Errors:  those of LiveFrame::develop.
    virtual void write(int slot, const std::vector<LiveFrame*>& frames, const DevelopOptions& options, Picture& picture) = 0;

    /// Thread of the window, its context current: copies the planes into textures of the picture's size. Returns before the copy is done.
    virtual void upload(int slot, const Picture& picture, const std::array<uint32_t, 2>& textures) = 0;
};

/// Pixels in ordinary memory: the CPU's film.
class HostStore : public PictureStore {
  public:
    std::string path(const Picture&) const override { return "CPU film"; }
    void write(int slot, const std::vector<LiveFrame*>& frames, const DevelopOptions& options, Picture& picture) override;
    void upload(int slot, const Picture& picture, const std::array<uint32_t, 2>& textures) override;

  protected:
    /// Memory of at least that size for the slot.
    virtual uint8_t* reserve(int slot, size_t size_bytes);
    virtual const uint8_t* data(int slot) const { return buffers_[static_cast<size_t>(slot)].data(); }

  private:
    std::array<std::vector<uint8_t>, SlotExchange::num_slots> buffers_;
};

}  // namespace warpath::viewer
