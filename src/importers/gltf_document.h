#pragma once

#include <tiny_gltf.h>

#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "scene/load_watch.h"

namespace warpath {

/// A glTF file whose references, types and ranges have all been checked, so that the code that reads it may trust them.
/// tinygltf holds the structure only. Files are opened here, not there: its path expansion would run shell commands
/// written in a URI, it refuses buffers longer than they say they are, and it decodes images that nobody uses.
struct GltfDocument {
    std::filesystem::path path;
    tinygltf::Model model;                  ///< `buffers` is empty; images are undecoded (uri or bufferView)
    std::vector<std::string_view> buffers;  ///< byteLength bytes each, into `storage`
    std::deque<std::string> storage;        ///< the bytes of the file, of external buffers and of data URIs
    std::vector<std::string> warnings;      ///< one sentence each; added by `warn`
    const LoadWatch* watch = nullptr;       ///< who waits for the scene; may be null

    /// Adds a warning about this file, unless it is there already.
    void warn(const std::string& what);

    /// The bytes of a buffer view.
    std::string_view view_bytes(int view) const {
        const tinygltf::BufferView& v = model.bufferViews[static_cast<size_t>(view)];
        return buffers[static_cast<size_t>(v.buffer)].substr(v.byteOffset, v.byteLength);
    }

  private:
    std::unordered_set<std::string> warned_;
};

/// Reads and checks a .gltf or .glb file with its buffers.
/// Errors:  FormatNotSupported when the content is not glTF and the name does not claim it; Io for a missing file or
///          buffer; BadInput, naming kind and index of the object, for anything broken.
GltfDocument load_gltf_document(const std::filesystem::path& path);

/// Throws BadInput: "cannot load 'PATH': WHAT".
[[noreturn]] void fail_gltf(const std::filesystem::path& path, const std::string& what);

}  // namespace warpath
