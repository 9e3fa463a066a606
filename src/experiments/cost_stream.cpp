#include "experiments/cost_stream.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <string>

#include "warpath/error.h"
#include "warpath/file.h"

namespace warpath::experiments {
namespace {

static_assert(std::endian::native == std::endian::little, "streams are written as they lie in memory");

constexpr char magic[16] = "warpath cost 1\n";

struct Header {
    char magic[16];
    uint64_t num_paths, num_rays;
};

/// Source:  Fowler, Noll and Vo, "The FNV Non-Cryptographic Hash Algorithm", IETF draft; over words instead of bytes.
uint64_t checksum_of(const std::string& bytes, size_t size) {
    uint64_t hash = 0xcbf29ce484222325ull;
    for (size_t i = 0; i + 4 <= size; i += 4) {
        uint32_t word;
        std::memcpy(&word, bytes.data() + i, 4);
        hash = (hash ^ word) * 0x100000001b3ull;
    }
    return hash;
}

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::BadInput, what); }

template <class T>
void append(std::string& bytes, const T* data, size_t n) {
    bytes.append(reinterpret_cast<const char*>(data), n * sizeof(T));
}

}  // namespace

uint64_t CostStream::total_steps() const {
    uint64_t sum = 0;
    for (const uint32_t ray : rays) sum += steps_of_ray(ray);
    return sum;
}

uint64_t CostStream::longest_path_steps() const {
    uint64_t most = 0;
    for (uint64_t path = 0; path < num_paths(); ++path) most = std::max(most, path_steps(path));
    return most;
}

uint32_t CostStream::most_bounces() const {
    uint32_t most = 0;
    for (uint64_t path = 0; path < num_paths(); ++path) {
        uint32_t n = 0;
        for (uint32_t i = first_ray[path]; i < first_ray[path + 1]; ++i) n += is_shadow_ray(rays[i]) ? 0 : 1;
        most = std::max(most, n);
    }
    return most;
}

void check_stream(const CostStream& stream) {
    if (stream.first_ray.empty() || stream.first_ray.front() != 0 || stream.first_ray.back() != stream.rays.size())
        refuse("the cost stream's paths do not cover its rays");
    for (uint64_t path = 0; path < stream.num_paths(); ++path) {
        const uint32_t begin = stream.first_ray[path], end = stream.first_ray[path + 1];
        const std::string name = "path " + std::to_string(path) + " of the cost stream ";
        if (end <= begin || end > stream.rays.size()) refuse(name + "has no rays");
        if (is_shadow_ray(stream.rays[begin])) refuse(name + "begins with a shadow ray");
        for (uint32_t i = begin + 1; i < end; ++i)
            if (is_shadow_ray(stream.rays[i - 1]) && is_shadow_ray(stream.rays[i])) refuse(name + "has two shadow rays in a row");
    }
}

void write_stream(const std::filesystem::path& path, const CostStream& stream) {
    Header header{{}, stream.num_paths(), stream.rays.size()};
    std::memcpy(header.magic, magic, sizeof magic);
    std::string bytes;
    bytes.reserve(sizeof header + 4 * (stream.first_ray.size() + stream.rays.size()) + 8);
    append(bytes, &header, 1);
    append(bytes, stream.first_ray.data(), stream.first_ray.size());
    append(bytes, stream.rays.data(), stream.rays.size());
    const uint64_t checksum = checksum_of(bytes, bytes.size());
    append(bytes, &checksum, 1);
    write_file(path, bytes);
}

CostStream read_stream(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw Error(ErrorCode::Io, "cannot read " + path.string());
    const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (in.bad()) throw Error(ErrorCode::Io, "cannot read " + path.string());
    const std::string file = path.string();
    Header header;
    if (bytes.size() < sizeof header || std::memcmp(bytes.data(), magic, sizeof magic) != 0) refuse(file + " is not a recorded cost stream");
    std::memcpy(&header, bytes.data(), sizeof header);
    constexpr uint64_t most = 1ull << 32;
    const size_t room = (bytes.size() - sizeof header) / 4;
    if (header.num_paths >= most || header.num_rays >= most || header.num_paths + 1 + header.num_rays + 2 != room || bytes.size() % 4 != 0)
        refuse(file + " is cut short, or its numbers of paths and rays are wrong");
    uint64_t checksum;
    std::memcpy(&checksum, bytes.data() + bytes.size() - 8, 8);
    if (checksum != checksum_of(bytes, bytes.size() - 8)) refuse(file + " is damaged: its checksum is wrong");
    CostStream stream;
    stream.first_ray.resize(header.num_paths + 1);
    stream.rays.resize(header.num_rays);
    std::memcpy(stream.first_ray.data(), bytes.data() + sizeof header, 4 * stream.first_ray.size());
    std::memcpy(stream.rays.data(), bytes.data() + sizeof header + 4 * stream.first_ray.size(), 4 * stream.rays.size());
    check_stream(stream);
    return stream;
}

}  // namespace warpath::experiments
