#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace warpath {

/// Appends a key or index to a JSON pointer (RFC 6901).
std::string pointer_to(const std::string& pointer, const std::string& key);
std::string pointer_to(const std::string& pointer, size_t index);

/// Throws BadInput: "FILE: POINTER MESSAGE".
[[noreturn]] void fail_at(const std::string& file, const std::string& pointer, const std::string& message);

/// `; did you mean "X"?` for the name nearest to `name`, or a list of all when none is near, or "" without any.
std::string suggestion(const std::string& name, const std::vector<std::string>& known);

/// "a", "a or b", "a, b or c" with last_word "or".
std::string listed(const std::vector<std::string>& names, const std::string& last_word);

}  // namespace warpath
