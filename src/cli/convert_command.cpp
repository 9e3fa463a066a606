#include <memory>

#include "cli/command.h"
#include "cli/parse.h"
#include "cli/text_flag.h"
#include "warpath/error.h"
#include "warpath/image.h"

namespace warpath::cli {
namespace {

struct ConvertFlags {
    std::string input, output;
    TextFlag exposure{"--exposure"}, tone{"--tone"}, layer{"--layer"};
    bool half = false;
};

/// Names of the layers, as `--layer` takes them.
std::vector<std::string> layer_names(const Image& image) {
    std::vector<std::string> names;
    for (const Image::Channel& channel : image.channels) {
        const std::string layer = channel.name.substr(0, channel.name.rfind('.'));
        if (layer != channel.name && (names.empty() || names.back() != layer)) names.push_back(layer);
    }
    return names;
}

/// The channels of one layer as R, G, B: three of them in order, or one three times.
Image one_layer(const Image& image, const std::string& layer) {
    Image result;
    result.width = image.width, result.height = image.height;
    for (const char* components : {"RGB", "XYZ", "YYY", "ZZZ"}) {
        const Image::Channel* found[3];
        for (int c = 0; c < 3; ++c) found[c] = image.find(layer + "." + components[c]);
        if (!found[0] || !found[1] || !found[2]) continue;
        for (int c = 0; c < 3; ++c) result.channels.push_back({std::string(1, "RGB"[c]), found[c]->values});
        return result;
    }
    const std::vector<std::string> names = layer_names(image);
    throw Error(ErrorCode::BadInput, "--layer '" + layer + "' is not in the image: " +
                                         (names.empty() ? "it has no layers" : "it has " + list_text(names)));
}

int run_convert(const ConvertFlags& flags) {
    WriteOptions options;
    options.half = flags.half;
    if (flags.exposure.given())
        options.exposure = static_cast<float>(parse_number(flags.exposure.name(), flags.exposure.text(), -64, 64));
    if (flags.tone.given() && parse_choice(flags.tone.name(), flags.tone.text(), {"filmic", "linear"}) == "linear")
        options.tone_curve = ToneCurve::Linear;
    check_writable(flags.output);
    const Image image = read_image(flags.input);
    write_image(flags.layer.given() ? one_layer(image, flags.layer.text()) : image, flags.output, options);
    return 0;
}

}  // namespace

Command add_convert_command(CLI::App& program) {
    CLI::App* app = program.add_subcommand("convert", "write an image in another format, chosen by extension");
    const auto flags = std::make_shared<ConvertFlags>();
    app->add_option("input", flags->input, "image: .png, .hdr, .exr or .pfm")->required()->type_name("IN");
    app->add_option("output", flags->output, "image to write: .png, .hdr, .exr or .pfm")->required()->type_name("OUT");
    flags->exposure.add_to(*app, "STOPS", "brightness of a .png (default: 0)");
    flags->tone.add_to(*app, "CURVE", "tone curve of a .png: filmic (default) or linear");
    flags->layer.add_to(*app, "NAME", "a layer of an .exr instead of its R, G, B");
    app->add_flag("--half", flags->half, "store R, G, B of an .exr as 16-bit half");
    return {app, [flags] { return run_convert(*flags); }};
}

}  // namespace warpath::cli
