#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfInputFile.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfStringAttribute.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

#include "api/image_format.h"
#include "warpath/error.h"

namespace warpath {
namespace {

/// Collects the file in memory, so that writing to disk, and its failures, happen in one place for all formats.
class StringStream : public Imf::OStream {
  public:
    StringStream() : Imf::OStream("image") {}
    void write(const char bytes[], int size) override {
        const size_t n = static_cast<size_t>(size);
        if (position_ + n > text_.size()) text_.resize(position_ + n);
        std::copy_n(bytes, n, text_.begin() + static_cast<std::ptrdiff_t>(position_));
        position_ += n;
    }
    uint64_t tellp() override { return position_; }
    void seekp(uint64_t position) override { position_ = position; }
    std::string take() { return std::move(text_); }

  private:
    std::string text_;
    size_t position_ = 0;
};

/// These belong to the file's structure; OpenEXR writes them itself.
bool is_structural(const std::string& name) { return name == "type" || name == "name" || name == "view"; }

bool is_color(const std::string& name) { return name == "R" || name == "G" || name == "B"; }

bool all_whole(const std::vector<float>& values) {
    return std::all_of(values.begin(), values.end(),
                       [](float v) { return v >= 0.0f && v < 0x1p32f && v == std::floor(v); });
}

Imf::PixelType pixel_type(const Image::Channel& channel, bool half) {
    if (is_color(channel.name)) return half ? Imf::HALF : Imf::FLOAT;
    if (channel.name.starts_with("samples.") && all_whole(channel.values)) return Imf::UINT;
    return Imf::FLOAT;
}

/// A channel's values in the form the file wants, and where the frame buffer finds them.
struct EncodedChannel {
    std::vector<Imath::half> halves;
    std::vector<uint32_t> integers;

    char* fill(const Image::Channel& channel, Imf::PixelType type) {
        if (type == Imf::HALF) {
            halves.reserve(channel.values.size());
            // A bright but finite value stays finite: the largest half is 65504.
            for (const float v : channel.values)
                halves.push_back(Imath::half(std::isfinite(v) ? std::clamp(v, -65504.0f, 65504.0f) : v));
            return reinterpret_cast<char*>(halves.data());
        }
        if (type == Imf::UINT) {
            for (const float v : channel.values) integers.push_back(static_cast<uint32_t>(v));
            return reinterpret_cast<char*>(integers.data());
        }
        return reinterpret_cast<char*>(const_cast<float*>(channel.values.data()));  // OpenEXR only reads it
    }
};

size_t bytes_per_value(Imf::PixelType type) { return type == Imf::HALF ? 2 : 4; }

Imf::Header exr_header(const Image& image) {
    Imf::Header header(static_cast<int>(image.width), static_cast<int>(image.height));
    header.compression() = Imf::ZIP_COMPRESSION;
    for (const auto& [name, text] : image.attributes)
        if (!is_structural(name)) header.insert(name, Imf::StringAttribute(text));
    return header;
}

/// Channel names, R, G, B first, then in the file's order.
std::vector<std::string> channel_names(const Imf::Header& header, const std::string& file) {
    std::vector<std::string> names;
    for (const char* color : {"R", "G", "B"})
        if (header.channels().findChannel(color)) names.emplace_back(color);
    for (auto i = header.channels().begin(); i != header.channels().end(); ++i) {
        if (i.channel().xSampling != 1 || i.channel().ySampling != 1)
            throw Error(ErrorCode::BadInput, file + ": channel " + i.name() + " is subsampled, which is not supported");
        if (!is_color(i.name())) names.emplace_back(i.name());
    }
    return names;
}

Image read_opened(Imf::InputFile& file, const std::string& name) {
    const Imf::Header& header = file.header();
    const Imath::Box2i window = header.dataWindow();
    const int64_t width = int64_t{window.max.x} - window.min.x + 1, height = int64_t{window.max.y} - window.min.y + 1;
    Image image =
        make_image(static_cast<uint64_t>(width), static_cast<uint64_t>(height), channel_names(header, name), name);
    Imf::FrameBuffer buffer;
    for (Image::Channel& channel : image.channels)
        buffer.insert(channel.name, Imf::Slice::Make(Imf::FLOAT, channel.values.data(), window));
    file.setFrameBuffer(buffer);
    file.readPixels(window.min.y, window.max.y);
    for (auto i = header.begin(); i != header.end(); ++i) {
        const auto* text = dynamic_cast<const Imf::StringAttribute*>(&i.attribute());
        if (text && !is_structural(i.name())) image.attributes[i.name()] = text->value();
    }
    return image;
}

}  // namespace

std::string encode_exr(const Image& image, const WriteOptions& options) {
    color_channels(image, "the image to write");  // checks sizes
    try {
        Imf::Header header = exr_header(image);
        Imf::FrameBuffer buffer;
        std::vector<EncodedChannel> encoded(image.channels.size());
        for (size_t c = 0; c < image.channels.size(); ++c) {
            const Image::Channel& channel = image.channels[c];
            const Imf::PixelType type = pixel_type(channel, options.half);
            header.channels().insert(channel.name, Imf::Channel(type));
            const size_t stride = bytes_per_value(type);
            buffer.insert(channel.name, Imf::Slice(type, encoded[c].fill(channel, type), stride, stride * image.width));
        }
        StringStream stream;
        {
            Imf::OutputFile file(stream, header);  // its destructor writes the line offsets
            file.setFrameBuffer(buffer);
            file.writePixels(static_cast<int>(image.height));
        }
        return stream.take();
    } catch (const std::exception& e) {
        throw Error(ErrorCode::Internal, std::string("cannot encode the EXR image: ") + e.what());
    }
}

Image read_exr(const std::filesystem::path& path) {
    if (!std::ifstream(path, std::ios::binary))
        throw Error(ErrorCode::Io, "cannot open " + path.string() + ": " + std::strerror(errno));
    try {
        Imf::InputFile file(path.c_str());
        return read_opened(file, path.string());
    } catch (const Error&) {
        throw;
    } catch (const std::exception& e) {
        throw Error(ErrorCode::BadInput, "cannot read " + path.string() + " as an EXR image: " + e.what());
    }
}

}  // namespace warpath
