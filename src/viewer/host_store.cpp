#include <epoxy/gl.h>

#include "viewer/picture_store.h"

namespace warpath::viewer {

uint8_t* HostStore::reserve(int slot, size_t size_bytes) {
    std::vector<uint8_t>& buffer = buffers_[static_cast<size_t>(slot)];
    if (buffer.size() < size_bytes) buffer.resize(size_bytes);
    return buffer.data();
}

void HostStore::write(int slot, const std::vector<LiveFrame*>& frames, const DevelopOptions& options, Picture& picture) {
    uint8_t* const bytes = reserve(slot, picture.plane_bytes() * frames.size());
    for (size_t i = 0; i < frames.size(); ++i) frames[i]->develop(options, bytes + i * picture.plane_bytes());
    picture.on_device = false;
}

void HostStore::upload(int slot, const Picture& picture, const std::array<uint32_t, 2>& textures) {
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    for (uint32_t plane = 0; plane < picture.num_planes; ++plane) {
        glBindTexture(GL_TEXTURE_2D, textures[plane]);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, static_cast<GLsizei>(picture.width), static_cast<GLsizei>(picture.height), GL_RGBA,
                        GL_UNSIGNED_BYTE, data(slot) + plane * picture.plane_bytes());
    }
}

}  // namespace warpath::viewer
