#include <cstdio>
#include <limits>
#include <memory>

#include "cli/command.h"
#include "cli/parse.h"
#include "cli/text_flag.h"
#include "warpath/image.h"

namespace warpath::cli {
namespace {

struct CompareFlags {
    std::string first, second;
    TextFlag tolerance{"--tolerance"};
};

void print_difference(const ImageDifference& d) {
    const bool only_layers = !d.identical && d.max_difference == 0;
    std::printf("identical: %s\n", d.identical   ? "yes"
                                   : only_layers ? "no (R, G and B are, other layers or signs of zero are not)"
                                                 : "no");
    std::printf("MSE: %.9g\nrelative MSE: %.9g\nPSNR: %.6g dB\n", d.mse, d.relative_mse, d.psnr_db);
    std::printf("maximum difference: %.9g\nSSIM: %.9g\n", d.max_difference, d.ssim);
    std::printf("NaN: %llu %llu\n", static_cast<unsigned long long>(d.nan_a), static_cast<unsigned long long>(d.nan_b));
    std::printf("Inf: %llu %llu\n", static_cast<unsigned long long>(d.inf_a), static_cast<unsigned long long>(d.inf_b));
}

int run_compare(const CompareFlags& flags) {
    const bool has_tolerance = flags.tolerance.given();
    const double tolerance = has_tolerance ? parse_number(flags.tolerance.name(), flags.tolerance.text(), 0,
                                                          std::numeric_limits<double>::max())
                                           : 0;
    const ImageDifference difference = compare_images(read_image(flags.first), read_image(flags.second));
    print_difference(difference);
    return difference.identical || (has_tolerance && difference.max_difference <= tolerance) ? 0 : 1;
}

}  // namespace

Command add_compare_command(CLI::App& program) {
    CLI::App* app =
        program.add_subcommand("compare",
                               "compare two images of one size; exit status 0 identical or within tolerance, "
                               "1 different, 2 error");
    const auto flags = std::make_shared<CompareFlags>();
    app->add_option("first", flags->first, "image")->required()->type_name("FILE");
    app->add_option("second", flags->second, "reference image")->required()->type_name("FILE");
    flags->tolerance.add_to(*app, "T", "largest difference of R, G or B that still counts as equal");
    return {app, [flags] { return run_compare(*flags); }, exit_usage};
}

}  // namespace warpath::cli
