#pragma once

#include <sys/mman.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace warpath {

/// Sizes an empty column and asks for large pages under it, before its first touch. Traversal jumps about in it, and
/// with 4 KiB pages spends about a tenth of its time on address translation. Where the kernel declines, nothing is
/// lost. Pages are touched by several threads, since the kernel clears each at its first touch, which one thread may do
/// at less than 0.3 GB/s.
template <class T>
void resize_on_huge_pages(std::vector<T>& column, size_t size) {
    constexpr uintptr_t page = uintptr_t(2) << 20;
    column.reserve(size);
    const uintptr_t begin = reinterpret_cast<uintptr_t>(column.data()), end = begin + size * sizeof(T);
    const uintptr_t first = (begin + page - 1) / page * page, last = end / page * page;
    if (last > first) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
    tbb::parallel_for(first, std::max(first, last), page, [](uintptr_t large) {
        constexpr uintptr_t small = 4096;
        for (uintptr_t at = large; at < large + page; at += small) *reinterpret_cast<volatile char*>(at) = 0;
    });
    column.resize(size);
}

}  // namespace warpath
