#pragma once

#include <string>
#include <vector>

namespace warpath::experiments {

class ExperimentContext;

/// One drawing of the report, made of the result rows of an experiment. Fields are named by their path in a row: "cell.sigma",
/// "variant.scheduler", "median", "data.p99". docs/experiments.md says what each kind draws.
struct Plot {
    std::string kind{};   ///< "line", "heat", "bar", "stack", "cdf", "steps" or "interval"
    std::string title{};
    std::string x{}, y{};  ///< of "heat": the two axes; of "stack", "cdf" and "steps": y is the field that holds the object to be drawn
    std::string value{};   ///< of "heat": what the colour shows
    std::string series{};  ///< one line, bar or colour for each of its values
    std::string facet{};   ///< one panel for each of its values; "cell" for each cell
    std::string relative_to{};  ///< a value of `series`: draws its median over the others', so that above 1 is faster
    std::string bound{};   ///< field with a bound that no measurement can beat, drawn as a line
    std::string x_label{}, y_label{};
    bool log_x = false, log_y = false;
};

/// A question, asked by measurement. One file each in this folder and one line in list.h.
struct Experiment {
    const char* name;        ///< of --experiment: lower case, with dashes
    const char* hypothesis;  ///< what is thought to be so, in a sentence
    const char* refutation;  ///< the outcome that would show it to be wrong
    double weight;           ///< its share of the time, relative to others
    void (*run)(ExperimentContext& context);
    std::vector<Plot> plots;
    std::vector<std::string> options{};  ///< keys that "options": {"<name>": {...}} of a plan may hold
};

}  // namespace warpath::experiments
