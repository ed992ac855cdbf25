// blockloom-cli render: a view of a block, or the timeline of a run, as a picture.
#include "command.h"
#include "kept_runs.h"
#include "picture_options.h"
#include "report/export.h"
#include "report/timeline_picture.h"
#include "source_options.h"
#include "terminal.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace blockloom::cli {
namespace {

struct RenderOptions {
    std::shared_ptr<SourceOptions> source;
    std::shared_ptr<PictureChoice> picture;
    std::string output, renderer = "auto";
};

/// A PNG by the requested renderer, as the window's canvas would show it.
Status write_with(const scene::FrameRequest& request, const RenderOptions& options) {
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
        if (!why.empty()) spdlog::info("drawing with {}: {}", renderer->name(), why);
    }
    const auto frame = renderer->render(request);
    if (!frame) return frame.error();
    spdlog::info("{} drew {} × {} pixels", renderer->name(), frame->image.width,
                 frame->image.height);
    return scene::write_png(frame->image, options.output);
}

/// All spans of a kept run, as the Timeline panel draws them.
Result<int> render_timeline(const RenderOptions& options, report::Form form,
                            const Context& context) {
    const auto& sources = options.source->range.sources;
    if (sources.size() != 1)
        return Error{
            ErrorCode::wrong_usage,
            "--view timeline: expected one SOURCE: the id of a kept run (runs list) or a file "
            "written by runs export"};
    const auto run = find_whole_run(context, sources.front());
    if (!run) return run.error();
    if (run->spans == nullptr || run->spans->span_count() == 0)
        return Error{
            ErrorCode::bad_input,
            fmt::format("run {}: expected spans, but it was kept without them (replay --no-spans)",
                        run->run.id)};
    const auto size = picture_size(*options.picture);
    if (!size) return size.error();
    const profile::Timeline timeline(*run->spans);
    report::TimelineView view;
    view.shown = report::within_run({0, timeline.duration()}, timeline.duration());
    view.closed = report::closed_at_first(timeline);
    view.width = static_cast<float>(size->first);
    view.height = static_cast<float>(size->second);
    const scene::Theme& theme =
        options.picture->theme == "light" ? scene::light_theme() : scene::dark_theme();
    const scene::FrameRequest request = report::timeline_request(
        timeline, view, {}, theme, "Run " + run->run.id, !options.picture->without_legend);
    const Status written =
        form == report::Form::png
            ? write_with(request, options)
            : scene::export_view(
                  request, form == report::Form::svg ? scene::FileKind::svg : scene::FileKind::pdf,
                  options.output);
    if (!written) return written.error();
    if (!context.quiet)
        print(fmt::format("{}\n{}\n", printable(options.output), printable(request.base->summary)));
    return 0;
}

Result<int> render(const RenderOptions& options, const Context& context) {
    const auto form = report::form_of(options.output);
    if (form != report::Form::png && form != report::Form::svg && form != report::Form::pdf)
        return Error{
            ErrorCode::wrong_usage,
            fmt::format("-o {}: expected a name that ends in .png, .svg or .pdf", options.output)};
    if (form != report::Form::png && options.renderer == "vulkan")
        return Error{ErrorCode::wrong_usage,
                     "--renderer vulkan draws pixels: expected -o with a name that ends in .png"};
    if (options.picture->view == "timeline") return render_timeline(options, *form, context);
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
    auto options = std::make_shared<RenderOptions>();
    CLI::App* command =
        app.add_subcommand("render", "Draw a view of a block, or the timeline of a run");
    options->source = add_source_options(*command);
    options->picture = add_picture_options(*command);
    command->add_option("-o,--output", options->output, "Picture file: .png, .svg or .pdf")
        ->required()
        ->type_name("FILE");
    command->add_option("--renderer", options->renderer, "Renderer of a .png")
        ->check(CLI::IsMember({"auto", "vulkan", "cairo"}))
        ->group("Picture");
    command->footer("Example: blockloom-cli render blocks/ --block 849236 --view layered --select "
                    "867 -o graph.png");
    return {command, [options](const Context& context) { return render(*options, context); }};
}

} // namespace blockloom::cli
