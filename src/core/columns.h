#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/platform.h"

/// Structures of arrays are declared once as `template <template <class> class Column> struct X`, with a static
/// `for_each_column(f, structs...)` that calls f(name, column of each struct...) for every column. `Column` is one of
/// these, or a backend's device array; sizes, allocation, upload and comparison follow from that one list.
namespace warpath {

/// Read-only view of an array; copies are cheap and may travel to a device as a kernel argument.
template <class T>
struct ArrayView {
    const T* data = nullptr;
    uint32_t size = 0;
    WARPATH_HD const T& operator[](size_t i) const { return data[i]; }
    WARPATH_HD bool empty() const { return size == 0; }
    WARPATH_HD const T* begin() const { return data; }
    WARPATH_HD const T* end() const { return data + size; }
};

template <class T>
using HostColumn = std::vector<T>;  ///< owned by the host
template <class T>
using ViewColumn = ArrayView<T>;    ///< read-only, sized
template <class T>
using PointerColumn = T*;           ///< writable; the size is known elsewhere

}  // namespace warpath
