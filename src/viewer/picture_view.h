#pragma once

#include <array>
#include <cstdint>

#include "viewer/picture_store.h"

namespace warpath::viewer {

/// A rectangle of the window, in pixels from the upper left corner.
struct Rectangle {
    float left = 0, top = 0, width = 0, height = 0;
    bool contains(float x, float y) const { return x >= left && y >= top && x < left + width && y < top + height; }
};

/// Draws pictures. Needs the window's context, current, all its life.
class PictureView {
  public:
    /// Errors:  Internal where the driver refuses the shaders.
    PictureView();
    ~PictureView();
    PictureView(const PictureView&) = delete;
    PictureView& operator=(const PictureView&) = delete;

    /// Takes over the pixels of a picture.
    void take(PictureStore& store, int slot, const Picture& picture);
    /// `wipe`: how much of a picture of two planes shows A, 0..1.
    void draw(const Rectangle& where, int framebuffer_width, int framebuffer_height, float wipe) const;

  private:
    uint32_t program_ = 0, vertices_ = 0;
    std::array<uint32_t, 2> textures_{};
    Picture picture_;                ///< no pixels yet: width 0
    std::array<uint32_t, 2> size_{};  ///< of the textures
};

}  // namespace warpath::viewer
