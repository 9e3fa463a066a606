#include "experiments/result_table.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace warpath::experiments {
namespace {

/// The last result of each variant, in the order in which cells came.
struct CellResults {
    std::string experiment, cell;
    std::vector<Json> results;
};

std::vector<CellResults> by_cell(const std::vector<Json>& rows) {
    std::vector<CellResults> cells;
    std::map<std::string, size_t> index;
    for (const Json& row : rows) {
        if (row["kind"] != "result") continue;
        const std::string id = row["experiment"].get<std::string>() + row["cell"].dump();
        const auto [found, is_new] = index.emplace(id, cells.size());
        if (is_new) cells.push_back({row["experiment"], key_text(row["cell"]), {}});
        std::vector<Json>& results = cells[found->second].results;
        const auto same = std::find_if(results.begin(), results.end(), [&](const Json& other) { return other["variant"] == row["variant"]; });
        if (same == results.end())
            results.push_back(row);
        else
            *same = row;
    }
    return cells;
}

void print_cell(CellResults& cell) {
    std::stable_sort(cell.results.begin(), cell.results.end(), [](const Json& a, const Json& b) {
        return a["better"] == "more" ? a["median"] > b["median"] : a["median"] < b["median"];
    });
    std::printf("\n%s: %s\n", cell.experiment.c_str(), cell.cell.c_str());
    for (const Json& row : cell.results) {
        std::printf("  %-40s %12.4g %s", key_text(row["variant"]).c_str(), row["median"].get<double>(), row["unit"].get<std::string>().c_str());
        if (row["repeats"] > 1)
            std::printf("  [%.4g, %.4g]  %zu runs", row["low"].get<double>(), row["high"].get<double>(), row["repeats"].get<size_t>());
        std::printf("%s\n", row["complete"].get<bool>() ? "" : ", fewer than planned");
    }
}

}  // namespace

std::string key_text(const Json& key) {
    std::string text;
    if (!key.is_object()) return text;
    for (const auto& [name, value] : key.items())
        text.append(text.empty() ? "" : " ").append(name).append("=").append(value.is_string() ? value.get<std::string>() : value.dump());
    return text;
}

void print_results(const std::vector<Json>& rows) {
    for (CellResults& cell : by_cell(rows)) print_cell(cell);
    std::printf("\n");
    for (const Json& row : rows) {
        const std::string kind = row["kind"];
        if (kind == "skipped") std::printf("%s skipped: %s\n", row["experiment"].get<std::string>().c_str(), row["reason"].get<std::string>().c_str());
        if (kind == "failure")
            std::printf("FAILURE in %s, %s %s: %s\n", row["experiment"].get<std::string>().c_str(), key_text(row["cell"]).c_str(),
                        key_text(row["variant"]).c_str(), row["what"].get<std::string>().c_str());
    }
    std::fflush(stdout);
}

}  // namespace warpath::experiments
