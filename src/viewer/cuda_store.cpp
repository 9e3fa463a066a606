// The bridge between CUDA and OpenGL: the one place in the viewer that includes CUDA's headers.
#include "viewer/cuda_store.h"

#include <epoxy/gl.h>
// after epoxy, which stands for GL/gl.h
#include <cuda_gl_interop.h>
#include <cuda_runtime.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "warpath/error.h"

namespace warpath::viewer {
namespace {

void check(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    cudaGetLastError();
    throw Error(ErrorCode::Device, std::string(what).append(" failed: ").append(cudaGetErrorString(status)));
}

/// Nothing may be allocated or mapped on a device that a kernel holds.
void park(const std::vector<LiveFrame*>& frames) {
    for (LiveFrame* frame : frames) frame->park();
}

/// Pixels in pinned memory, to which a device copies at full speed.
class PinnedStore : public HostStore {
  public:
    explicit PinnedStore(uint32_t device) : device_(static_cast<int>(device)) {}
    ~PinnedStore() override {
        for (Buffer& buffer : buffers_)
            if (buffer.bytes && cudaFreeHost(buffer.bytes) != cudaSuccess) std::fprintf(stderr, "warning: pinned memory was not freed\n");
    }
    std::string path(const Picture&) const override { return "copy through pinned memory"; }
    void begin_thread() override { check(cudaSetDevice(device_), "cudaSetDevice"); }
    void write(int slot, const std::vector<LiveFrame*>& frames, const DevelopOptions& options, Picture& picture) override {
        if (buffers_[static_cast<size_t>(slot)].capacity < picture.plane_bytes() * frames.size()) park(frames);
        HostStore::write(slot, frames, options, picture);
    }

  protected:
    uint8_t* reserve(int slot, size_t size_bytes) override {
        Buffer& buffer = buffers_[static_cast<size_t>(slot)];
        if (buffer.capacity >= size_bytes) return buffer.bytes;
        if (buffer.bytes) check(cudaFreeHost(buffer.bytes), "cudaFreeHost");
        buffer = {};
        void* bytes = nullptr;
        check(cudaHostAlloc(&bytes, size_bytes, cudaHostAllocPortable), "cudaHostAlloc");
        buffer = {static_cast<uint8_t*>(bytes), size_bytes};
        return buffer.bytes;
    }
    const uint8_t* data(int slot) const override { return buffers_[static_cast<size_t>(slot)].bytes; }
    int device() const { return device_; }

  private:
    struct Buffer {
        uint8_t* bytes = nullptr;
        size_t capacity = 0;
    };
    int device_;
    std::array<Buffer, SlotExchange::num_slots> buffers_{};
};

/// Pixel buffers of OpenGL into which CUDA writes. The render thread has a context of its own that shares them with the window's: it maps a buffer,
/// develops into it, unmaps it and leaves a fence, behind which the window copies it into its texture and leaves another one. Neither thread waits
/// for the other beyond those fences, and OpenGL's queue alone waits for the first. A slot has one holder at a time, so its fields need no lock; the
/// exchange of slots orders them.
class InteropStore : public PinnedStore {
  public:
    InteropStore(uint32_t device, GLFWwindow* context) : PinnedStore(device), context_(context) {}

    std::string path(const Picture& picture) const override {
        return picture.on_device ? "CUDA-OpenGL interop" : PinnedStore::path(picture);
    }
    void begin_thread() override {
        glfwMakeContextCurrent(context_);
        PinnedStore::begin_thread();
    }
    void end_thread() override {
        for (Shared& shared : shared_) release(shared);
        glfwMakeContextCurrent(nullptr);
    }
    void write(int slot, const std::vector<LiveFrame*>& frames, const DevelopOptions& options, Picture& picture) override;
    void upload(int slot, const Picture& picture, const std::array<uint32_t, 2>& textures) override;

  private:
    struct Shared {
        GLuint buffer = 0;
        cudaGraphicsResource_t resource = nullptr;
        size_t capacity = 0;
        GLsync written = nullptr, read = nullptr;
    };
    static void drop(GLsync& fence) {
        if (fence) glDeleteSync(fence);
        fence = nullptr;
    }
    static void release(Shared& shared) {
        drop(shared.written), drop(shared.read);
        if (shared.resource && cudaGraphicsUnregisterResource(shared.resource) != cudaSuccess) cudaGetLastError();
        if (shared.buffer) glDeleteBuffers(1, &shared.buffer);
        shared = {};
    }
    static void allocate(Shared& shared, size_t size_bytes);

    GLFWwindow* context_;
    std::array<Shared, SlotExchange::num_slots> shared_{};
};

void InteropStore::allocate(Shared& shared, size_t size_bytes) {
    release(shared);
    glGenBuffers(1, &shared.buffer);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, shared.buffer);
    glBufferData(GL_PIXEL_UNPACK_BUFFER, static_cast<GLsizeiptr>(size_bytes), nullptr, GL_STREAM_DRAW);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    if (glGetError() != GL_NO_ERROR) throw Error(ErrorCode::OutOfMemory, "OpenGL has no room for a picture of " + std::to_string(size_bytes) + " bytes");
    check(cudaGraphicsGLRegisterBuffer(&shared.resource, shared.buffer, cudaGraphicsRegisterFlagsWriteDiscard), "cudaGraphicsGLRegisterBuffer");
    shared.capacity = size_bytes;
}

void InteropStore::write(int slot, const std::vector<LiveFrame*>& frames, const DevelopOptions& options, Picture& picture) {
    // A kernel that stays forbids mapping; its pixels come by the host.
    if (picture.scheduler == "resident" && frames.size() == 1) return PinnedStore::write(slot, frames, options, picture);
    Shared& shared = shared_[static_cast<size_t>(slot)];
    const size_t size_bytes = picture.plane_bytes() * frames.size();
    if (shared.capacity < size_bytes) park(frames), allocate(shared, size_bytes);
    if (shared.read) glClientWaitSync(shared.read, 0, 1000000000);  // long since over, as a rule
    drop(shared.read), drop(shared.written);
    check(cudaGraphicsMapResources(1, &shared.resource, nullptr), "cudaGraphicsMapResources");
    try {
        void* pixels = nullptr;
        size_t mapped_bytes = 0;
        check(cudaGraphicsResourceGetMappedPointer(&pixels, &mapped_bytes, shared.resource), "cudaGraphicsResourceGetMappedPointer");
        for (size_t i = 0; i < frames.size(); ++i)
            frames[i]->develop_on_device(options, static_cast<uint8_t*>(pixels) + i * picture.plane_bytes());
    } catch (...) {
        cudaGraphicsUnmapResources(1, &shared.resource, nullptr);
        throw;
    }
    check(cudaGraphicsUnmapResources(1, &shared.resource, nullptr), "cudaGraphicsUnmapResources");
    shared.written = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();
    picture.on_device = true;
}

void InteropStore::upload(int slot, const Picture& picture, const std::array<uint32_t, 2>& textures) {
    if (!picture.on_device) return PinnedStore::upload(slot, picture, textures);
    Shared& shared = shared_[static_cast<size_t>(slot)];
    glWaitSync(shared.written, 0, GL_TIMEOUT_IGNORED);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, shared.buffer);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    for (uint32_t plane = 0; plane < picture.num_planes; ++plane) {
        glBindTexture(GL_TEXTURE_2D, textures[plane]);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, static_cast<GLsizei>(picture.width), static_cast<GLsizei>(picture.height), GL_RGBA,
                        GL_UNSIGNED_BYTE, reinterpret_cast<const void*>(plane * picture.plane_bytes()));
    }
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    drop(shared.read);
    shared.read = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();
}

/// Whether that device draws the window.
bool draws_window(uint32_t device) {
    std::array<int, 16> devices{};
    unsigned count = 0;
    if (cudaGLGetDevices(&count, devices.data(), static_cast<unsigned>(devices.size()), cudaGLDeviceListAll) != cudaSuccess) {
        cudaGetLastError();  // OpenGL is not of an NVIDIA device
        return false;
    }
    return std::find(devices.begin(), devices.begin() + count, static_cast<int>(device)) != devices.begin() + count;
}

}  // namespace

std::unique_ptr<PictureStore> make_cuda_store(uint32_t device, Window& window) {
    int num_devices = 0;
    if (cudaGetDeviceCount(&num_devices) != cudaSuccess) cudaGetLastError();
    if (static_cast<int>(device) >= num_devices) return nullptr;
    check(cudaSetDevice(static_cast<int>(device)), "cudaSetDevice");
    GLFWwindow* const context = draws_window(device) ? window.make_shared_context() : nullptr;
    if (context) return std::make_unique<InteropStore>(device, context);
    return std::make_unique<PinnedStore>(device);
}

}  // namespace warpath::viewer
