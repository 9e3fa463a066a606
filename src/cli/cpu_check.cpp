#include <cstdio>
#include <cstdlib>

namespace {

/// Runs before everything else: code built for x86-64-v3 would end with "illegal instruction" on an older processor.
/// This file alone is compiled for any x86-64 (see CMakeLists.txt), so that the sentence can be printed there.
__attribute__((constructor(101))) void check_cpu() {
#ifdef WARPATH_NEEDS_X86_64_V3
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v3")) return;
    std::fputs(
        "error: this warpath is built for x86-64-v3 (AVX2, FMA), which this processor lacks; build with "
        "-DWARPATH_CPU_ARCH=x86-64\n",
        stderr);
    std::_Exit(1);
#endif
}

}  // namespace
