#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "warpath/statistics.h"

/// docs/counters.md lists every counter and figure as the headers have them, in order.
namespace warpath {
namespace {

std::string table(const CounterInfo* infos, size_t n) {
    std::string text;
    for (size_t i = 0; i < n; ++i) {
        text += std::string("| `").append(infos[i].name).append("` | ").append(infos[i].unit).append(" | ").append(infos[i].meaning).append(" |\n");
    }
    return text;
}

TEST(counters_doc, has_the_tables_that_the_headers_say) {
    std::ifstream file(std::string(WARPATH_SOURCE_DIR) + "/docs/counters.md");
    std::stringstream text;
    text << file.rdbuf();
    const std::string expected[] = {table(counter_infos.data(), num_kernel_counters),
                                    table(counter_infos.data() + num_kernel_counters, num_counters - num_kernel_counters),
                                    table(figure_infos.data(), num_figures)};
    for (const std::string& lines : expected) EXPECT_NE(text.str().find(lines), std::string::npos) << "docs/counters.md lacks\n" << lines;
}

}  // namespace
}  // namespace warpath
