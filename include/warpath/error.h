#pragma once

#include <stdexcept>
#include <string>

namespace warpath {

/// What kind of failure an Error reports. The command line maps each kind to an exit status.
enum class ErrorCode {
    BadInput,        ///< a scene, image or other file is wrong; the message names file and line or object
    BadOption,       ///< an option's value is wrong; the message names the option
    Unavailable,     ///< something asked for is not here: a backend, device or scheduler
    OutOfMemory,     ///< the memory plan does not fit; the message names bytes asked for and bytes there
    Io,              ///< a file cannot be read or written
    Device,          ///< the GPU or its driver reported a failure
    Stopped,         ///< the caller's stop flag ended it
    Internal,        ///< a broken invariant of warpath itself
};

/// The one exception type that warpath's public API throws.
/// The message is one sentence: what failed, on which input (file, line, object), and what to try.
class Error : public std::runtime_error {
  public:
    Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    ErrorCode code() const noexcept { return code_; }

  private:
    ErrorCode code_;
};

/// Thrown by an importer that is handed another format, so that the registry can try the next one.
class FormatNotSupported : public Error {
  public:
    explicit FormatNotSupported(const std::string& message) : Error(ErrorCode::BadInput, message) {}
};

}  // namespace warpath
