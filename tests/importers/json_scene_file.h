#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "importers/json_scene.h"
#include "warpath/error.h"

namespace warpath {

/// A folder that vanishes with the object, for scenes and the files that they name.
class SceneFolder {
  public:
    SceneFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "warpath-json-XXXXXX").string();
        if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a temporary folder");
        path_ = name;
    }
    ~SceneFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    SceneFolder(const SceneFolder&) = delete;
    SceneFolder& operator=(const SceneFolder&) = delete;

    std::filesystem::path write(const std::string& name, const std::string& text) const {
        std::ofstream(path_ / name, std::ios::binary) << text;
        return path_ / name;
    }
    Scene load(const std::string& text) const { return import_json(write("scene.json", text)); }

    /// The message of the Error that loading throws, with this folder's path taken out.
    std::string error_of(const std::string& text) const {
        try {
            load(text);
        } catch (const Error& error) {
            std::string message = error.what();
            for (size_t at; (at = message.find(path_.string() + "/")) != std::string::npos;)
                message.erase(at, path_.string().size() + 1);
            return message;
        }
        return "(no error)";
    }
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace warpath
