#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfInputFile.h>
#include <ImfRgbaFile.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "importers/image_formats.h"
#include "warpath/error.h"

namespace warpath {

namespace {

class MemoryStream : public Imf::IStream {
  public:
    MemoryStream(const uint8_t* bytes, size_t size, const std::string& name)
        : Imf::IStream(name.c_str()), bytes_(bytes), size_(size) {}

    bool read(char c[], int n) override {
        if (n < 0 || static_cast<size_t>(n) > size_ - std::min(position_, size_))
            throw std::runtime_error("it ends too early; it may have been cut short");
        std::memcpy(c, bytes_ + position_, static_cast<size_t>(n));
        position_ += static_cast<size_t>(n);
        return position_ < size_;
    }
    uint64_t tellg() override { return position_; }
    void seekg(uint64_t position) override { position_ = position; }

  private:
    const uint8_t* bytes_;
    size_t size_, position_ = 0;
};

/// Names of the file's channels that become R, G, B, A; an empty name is absent.
struct ChannelNames {
    std::array<std::string, 4> rgba;
    int count = 0;
};

/// Prefers R, G, B, A; then luminance Y; then the first layer that has an R; then a file's only channel.
ChannelNames choose_channels(const Imf::ChannelList& channels, const std::string& name) {
    std::string prefix;
    const auto has = [&](const std::string& channel) {
        return channels.findChannel((prefix + channel).c_str()) != nullptr;
    };
    std::string all, first;
    size_t num_channels = 0;
    for (auto it = channels.begin(); it != channels.end(); ++it, ++num_channels) {
        all += (all.empty() ? "" : ", ") + std::string(it.name());
        if (first.empty()) first = it.name();
    }
    const bool top_level = has("R") || has("G") || has("B") || has("Y");
    for (auto it = channels.begin(); it != channels.end() && !top_level && prefix.empty(); ++it)
        if (const std::string n = it.name(); n.size() > 2 && n.ends_with(".R")) prefix = n.substr(0, n.size() - 1);

    ChannelNames names;
    const std::string alpha = has("A") ? prefix + "A" : "";
    const auto grey = [&](const std::string& channel) {
        names.rgba = {channel, channel, channel, alpha};
        names.count = alpha.empty() ? 1 : 2;
    };
    if (has("R") || has("G") || has("B")) {
        names.rgba = {has("R") ? prefix + "R" : "", has("G") ? prefix + "G" : "", has("B") ? prefix + "B" : "", alpha};
        names.count = alpha.empty() ? 3 : 4;
    } else if (has("Y")) {
        grey("Y");
    } else if (num_channels == 1) {
        grey(first);
    } else {
        fail_image(name, "has none of the channels R, G, B, Y; it has: " + (all.empty() ? "none" : all));
    }
    for (const std::string& n : names.rgba)
        if (const Imf::Channel* c = n.empty() ? nullptr : channels.findChannel(n.c_str());
            c && (c->xSampling != 1 || c->ySampling != 1))
            fail_image(name, "has the subsampled channel '" + n + "', which is not supported");
    return names;
}

/// A picture's texels over its data window.
struct DataWindow {
    Imath::Box2i window;
    std::vector<Vec4> texels;
    int num_channels = 0;
    int width() const { return window.max.x - window.min.x + 1; }
};

DataWindow read_channels(Imf::InputFile& file, const std::string& name) {
    DataWindow data;
    data.window = file.header().dataWindow();
    const ChannelNames names = choose_channels(file.header().channels(), name);
    data.num_channels = names.count;
    const auto width = static_cast<size_t>(data.width());
    const auto height = static_cast<size_t>(data.window.max.y - data.window.min.y + 1);
    data.texels.assign(width * height, Vec4(0.0f, 0.0f, 0.0f, 1.0f));
    // OpenEXR addresses pixel (0,0), which may lie outside the window; integers keep that arithmetic defined.
    const auto base = reinterpret_cast<uintptr_t>(data.texels.data());
    const auto origin =
        static_cast<int64_t>(data.window.min.x) + static_cast<int64_t>(data.window.min.y) * static_cast<int64_t>(width);
    Imf::FrameBuffer frame;
    for (size_t c = 0; c < 4; ++c) {
        if (names.rgba[c].empty() || (c > 0 && c < 3 && names.rgba[c] == names.rgba[0])) continue;
        const uintptr_t at = base + c * sizeof(float) - static_cast<uintptr_t>(origin) * sizeof(Vec4);
        frame.insert(names.rgba[c],
                     Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(at), sizeof(Vec4), sizeof(Vec4) * width));
    }
    file.setFrameBuffer(frame);
    file.readPixels(data.window.min.y, data.window.max.y);
    if (names.count <= 2)
        for (Vec4& t : data.texels) t.y = t.z = t.x;
    return data;
}

/// Luminance with subsampled chroma; OpenEXR's own reader turns it into half RGBA.
DataWindow read_luminance_chroma(Imf::IStream& stream) {
    stream.seekg(0);
    Imf::RgbaInputFile file(stream);
    DataWindow data;
    data.window = file.dataWindow();
    data.num_channels = (file.channels() & Imf::WRITE_A) ? 4 : 3;
    const auto width = static_cast<size_t>(data.width());
    std::vector<Imf::Rgba> row(width);
    for (int y = data.window.min.y; y <= data.window.max.y; ++y) {
        file.setFrameBuffer(row.data() - data.window.min.x - static_cast<int64_t>(y) * static_cast<int64_t>(width), 1,
                            width);
        file.readPixels(y);
        for (const Imf::Rgba& p : row) data.texels.emplace_back(p.r, p.g, p.b, p.a);
    }
    return data;
}

/// The display window is the picture; the data window is the part of it that is stored (renderers crop black borders).
/// Where the two do not meet, the data window alone is taken.
ImageFile place(DataWindow&& data, const Imath::Box2i& display, const std::string& name) {
    const Imath::Box2i& stored = data.window;
    const bool meet = display.max.x >= stored.min.x && stored.max.x >= display.min.x && display.max.y >= stored.min.y &&
                      stored.max.y >= display.min.y;
    const Imath::Box2i shown = meet && !display.isEmpty() ? display : stored;
    const auto width = int64_t{shown.max.x} - shown.min.x + 1, height = int64_t{shown.max.y} - shown.min.y + 1;
    check_image_size(static_cast<uint64_t>(width), static_cast<uint64_t>(height), name);
    ImageFile image;
    image.width = static_cast<uint32_t>(width), image.height = static_cast<uint32_t>(height);
    image.num_channels = data.num_channels;
    image.is_hdr = true;
    if (shown == stored) {
        image.texels32 = std::move(data.texels);
        return image;
    }
    const bool has_alpha = image.has_alpha();
    image.texels32.assign(static_cast<size_t>(width * height), Vec4(0.0f, 0.0f, 0.0f, has_alpha ? 0.0f : 1.0f));
    const int x0 = std::max(shown.min.x, stored.min.x), x1 = std::min(shown.max.x, stored.max.x);
    for (int y = std::max(shown.min.y, stored.min.y); y <= std::min(shown.max.y, stored.max.y); ++y)
        for (int x = x0; x <= x1; ++x)
            image.texels32[static_cast<size_t>((y - shown.min.y) * width + x - shown.min.x)] =
                data.texels[static_cast<size_t>(int64_t{y - stored.min.y} * data.width() + x - stored.min.x)];
    return image;
}

}  // namespace

bool is_openexr(const uint8_t* bytes, size_t size) {
    return size >= 4 && std::memcmp(bytes, "\x76\x2f\x31\x01", 4) == 0;
}

ImageFile read_openexr(const uint8_t* bytes, size_t size, const std::string& name) {
    try {
        MemoryStream stream(bytes, size, name);
        Imf::InputFile file(stream);
        const Imath::Box2i window = file.header().dataWindow();
        const auto width = int64_t{window.max.x} - window.min.x + 1, height = int64_t{window.max.y} - window.min.y + 1;
        check_image_size(static_cast<uint64_t>(std::max<int64_t>(width, 0)),
                         static_cast<uint64_t>(std::max<int64_t>(height, 0)), name);
        const bool chroma = file.header().channels().findChannel("RY") != nullptr;
        DataWindow data = chroma ? read_luminance_chroma(stream) : read_channels(file, name);
        return place(std::move(data), file.header().displayWindow(), name);
    } catch (const Error&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& e) {
        fail_image(name, std::string("cannot be decoded: ") + e.what());
    }
}

}  // namespace warpath
