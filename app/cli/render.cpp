// blockloom-cli render: one view of one block as a picture.
#include "command.h"
#include "picture_options.h"
#include "report/export.h"
#include "source_options.h"
#include "terminal.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace blockloom::cli {
namespace {

struct Options {
    std::shared_ptr<SourceOptions> source;
    std::shared_ptr<PictureChoice> picture;
    std::string output, renderer = "auto";
};

/// A PNG by the renderer that was asked for: what the window's canvas would show.
Status write_with(const scene::FrameRequest& request, const Options& options) {
    std::unique_ptr<scene::Renderer> renderer;
    std::string why;
    if (options.renderer == "vulkan") {
        auto made = scene::make_vulkan_renderer();
        if (!made) return Error{ErrorCode::unavailable, made.error().message};
        renderer = *std::move(made);
    } else if (options.renderer == "cairo") {
        renderer = scene::make_cairo_renderer();
    } else {
        renderer = scene::make_renderer(why);
        if (!why.empty()) spdlog::info("draws with {}: {}", renderer->name(), why);
    }
    const auto frame = renderer->render(request);
    if (!frame) return frame.error();
    spdlog::info("{} drew {} × {} pixels", renderer->name(), frame->image.width,
                 frame->image.height);
    return scene::write_png(frame->image, options.output);
}

Result<int> render(const Options& options, const Context& context) {
    const auto form = report::form_of(options.output);
    if (form != report::Form::png && form != report::Form::svg && form != report::Form::pdf)
        return Error{
            ErrorCode::wrong_usage,
            fmt::format("-o {}: expected a name that ends in .png, .svg or .pdf", options.output)};
    if (form != report::Form::png && options.renderer == "vulkan")
        return Error{ErrorCode::wrong_usage,
                     "--renderer vulkan draws pixels: give -o a name that ends in .png"};
    const auto range = open_sources(*options.source, context);
    if (!range) return range.error();
    const auto block = find_block(**range, options.picture->block, context);
    if (!block) return block.error();
    auto chosen = picture_options(*options.picture, **block, options.source->chart_workers());
    if (!chosen) return chosen.error();
    const auto picture = report::make_picture(**block, *chosen, context.stop);
    if (!picture) return picture.error();

    Status written;
    if (form == report::Form::png)
        written = write_with(picture->request, options);
    else {
        const auto kind = form == report::Form::svg ? scene::FileKind::svg : scene::FileKind::pdf;
        written = scene::export_view(picture->request, kind, options.output);
    }
    if (!written) return written.error();
    if (!context.quiet)
        print(fmt::format("{}\n{}{}{}\n", printable(options.output), printable(picture->summary),
                          picture->coverage.empty() ? "" : "\n", printable(picture->coverage)));
    return 0;
}

} // namespace

Command add_render(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("render", "One view of one block as a picture");
    options->source = add_source_options(*command);
    options->picture = add_picture_options(*command);
    command->add_option("-o,--output", options->output, "Picture: .png, .svg or .pdf")
        ->required()
        ->type_name("FILE");
    command->add_option("--renderer", options->renderer, "What draws a .png")
        ->check(CLI::IsMember({"auto", "vulkan", "cairo"}))
        ->group("Picture");
    command->footer("Example: blockloom-cli render blocks/ --block 849236 --view layered --select "
                    "867 -o graph.png");
    return {command, [options](const Context& context) { return render(*options, context); }};
}

} // namespace blockloom::cli
