#include "viewer/recording.h"

#include <array>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "viewer/rolling.h"
#include "warpath/error.h"
#include "warpath/file.h"

namespace warpath::viewer {
namespace {

using Json = nlohmann::ordered_json;

std::string number(double value) {
    std::array<char, 40> text;
    std::snprintf(text.data(), text.size(), "%.9g", value);
    return text.data();
}

std::string side_text(const PassSample& sample) { return sample.side == ' ' ? std::string() : std::string(1, sample.side); }

Json medians(const std::vector<PassSample>& samples) {
    std::map<std::string, std::vector<const PassSample*>> by_scheduler;
    for (const PassSample& sample : samples) by_scheduler[sample.scheduler].push_back(&sample);
    Json all = Json::object();
    for (const auto& [name, passes] : by_scheduler) {
        Json& entry = all[name] = {{"passes", passes.size()}};
        for (const SampleColumn& column : sample_columns) {
            std::vector<double> values;
            for (const PassSample* pass : passes) values.push_back(pass->*column.value);
            const Band band = median_band(values);
            entry[column.name] = {{"median", band.median}};
            if (band.has_interval) entry[column.name].update({{"lo95", band.lo}, {"hi95", band.hi}});
        }
    }
    return all;
}

}  // namespace

std::string Recording::csv() const {
    std::string text = "time_s,scheduler,side,width,height,samples,max_depth";
    for (const SampleColumn& column : sample_columns) text.append(",").append(column.name);
    text.append("\n");
    for (const PassSample& s : samples_) {
        text.append(number(s.time_s)).append(",").append(s.scheduler).append(",").append(side_text(s));
        for (const uint32_t value : {s.width, s.height, s.num_samples, s.max_depth}) text.append(",").append(std::to_string(value));
        for (const SampleColumn& column : sample_columns) text.append(",").append(number(s.*column.value));
        text.append("\n");
    }
    return text;
}

std::string Recording::json(const std::string& scene, const std::string& device) const {
    Json document = {{"version", version()},   {"build", build_description()},   {"scene", scene},
                     {"device", device},       {"by_scheduler", medians(samples_)}, {"passes", Json::array()}};
    for (const PassSample& s : samples_) {
        Json& pass = document["passes"].emplace_back(Json{{"time_s", s.time_s},
                                                          {"scheduler", s.scheduler},
                                                          {"side", side_text(s)},
                                                          {"width", s.width},
                                                          {"height", s.height},
                                                          {"samples", s.num_samples},
                                                          {"max_depth", s.max_depth}});
        for (const SampleColumn& column : sample_columns) pass[column.name] = s.*column.value;
    }
    return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void Recording::write(const std::filesystem::path& path, const std::string& scene, const std::string& device) const {
    if (path.extension() == ".csv")
        write_file(path, csv());
    else if (path.extension() == ".json")
        write_file(path, json(scene, device));
    else
        throw Error(ErrorCode::BadOption, "cannot record to " + path.string() + ": the name must end in .csv or .json");
}

}  // namespace warpath::viewer
