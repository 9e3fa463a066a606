#pragma once

#include <cstdint>
#include <memory>

#include "viewer/picture_store.h"
#include "viewer/window.h"

namespace warpath::viewer {

/// The store for that CUDA device: buffers that OpenGL and CUDA share, where the window is drawn by the same device, else pinned host memory. Null
/// where no device answers. To be called with the window's context current.
std::unique_ptr<PictureStore> make_cuda_store(uint32_t device, Window& window);

}  // namespace warpath::viewer
