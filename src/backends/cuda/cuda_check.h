#pragma once

#include <cuda_runtime.h>

#include <source_location>
#include <string>

#include "warpath/error.h"

namespace warpath {

/// Turns a failed CUDA call into an Error{Device} that says which call it was. `what` names it in the project's words.
inline void cuda_check(cudaError_t result, const std::string& what,
                       std::source_location where = std::source_location::current()) {
    if (result == cudaSuccess) return;
    const std::string file = where.file_name();
    throw Error(ErrorCode::Device, what + " failed: " + cudaGetErrorString(result) + " (" + cudaGetErrorName(result) + ", " +
                                       file.substr(file.find_last_of('/') + 1) + ":" + std::to_string(where.line()) + ")");
}

}  // namespace warpath
