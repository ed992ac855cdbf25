#include "picture_options.h"

#include <fmt/format.h>

#include <charconv>

namespace blockloom::cli {
namespace {

/// "1280x800" with 16 to 16384 pixels a side.
std::optional<std::pair<int, int>> parse_size(const std::string& text) {
    const auto x = text.find_first_of("xX");
    if (x == std::string::npos) return std::nullopt;
    const auto number = [](const char* begin, const char* end) -> std::optional<int> {
        int value = 0;
        const auto [stopped, error] = std::from_chars(begin, end, value);
        if (error != std::errc() || stopped != end || value < 16 || value > 16384)
            return std::nullopt;
        return value;
    };
    const auto width = number(text.data(), text.data() + x),
               height = number(text.data() + x + 1, text.data() + text.size());
    if (!width || !height) return std::nullopt;
    return std::pair(*width, *height);
}

schedule::Strategy strategy_named(const std::string& name) {
    if (name == "levels") return schedule::Strategy::levels;
    return name == "optimistic" ? schedule::Strategy::optimistic : schedule::Strategy::list;
}

scene::MatrixOrder order_named(const std::string& name) {
    if (name == "index") return scene::MatrixOrder::index;
    return name == "batch" ? scene::MatrixOrder::batch : scene::MatrixOrder::level;
}

scene::ColourBy colour_named(const std::string& name) {
    if (name == "group") return scene::ColourBy::group;
    if (name == "cost") return scene::ColourBy::cost;
    if (name == "status") return scene::ColourBy::status;
    return name == "plain" ? scene::ColourBy::plain : scene::ColourBy::batch;
}

} // namespace

std::shared_ptr<PictureChoice> add_picture_options(CLI::App& command) {
    auto choice = std::make_shared<PictureChoice>();
    const auto add = [&](const char* name, auto& value, const char* text) {
        return command.add_option(name, value, text)->group("Picture");
    };
    add("--view", choice->view, "View to draw [the one that suits the block]")
        ->check(CLI::IsMember(
            {"graph", "layered", "matrix", "arc", "schedule", "bipartite", "timeline"}));
    choice->size_given = add("--size", choice->size, "Size in pixels")->type_name("WxH");
    add("--theme", choice->theme, "Colour theme")->check(CLI::IsMember({"dark", "light"}));
    add("--block", choice->block,
        "Block: height, label, hash or the beginning of a hash [the first]")
        ->type_name("HEIGHT");
    choice->select_given = add("--select", choice->select,
                               "Outline a task and its neighbours; tasks are counted from 0")
                               ->type_name("TASK")
                               ->default_str("");
    add("--strategy", choice->strategy, "Simulated schedule for --view schedule")
        ->check(CLI::IsMember({"levels", "list", "optimistic"}));
    add("--order", choice->order, "Order of tasks in --view matrix")
        ->check(CLI::IsMember({"index", "level", "batch"}));
    add("--colour", choice->colour,
        "What colours show; status: whether messages of an executed block succeeded")
        ->check(CLI::IsMember({"batch", "group", "cost", "status", "plain"}));
    add("--edges", choice->edges,
        "Maximum number of edges to draw; the picture says if there are more");
    command.add_flag("--no-legend", choice->without_legend, "Leave the legend out of the picture")
        ->group("Picture");
    return choice;
}

Result<std::pair<int, int>> picture_size(const PictureChoice& choice) {
    if (const auto size = parse_size(choice.size)) return *size;
    return Error{
        ErrorCode::wrong_usage,
        fmt::format("--size {}: expected WIDTHxHEIGHT with 16 to 16384 pixels each", choice.size)};
}

Result<report::PictureOptions> picture_options(const PictureChoice& choice,
                                               const range::BlockRecord& record,
                                               std::uint32_t workers) {
    const auto size = picture_size(choice);
    if (!size) return size.error();
    if (choice.view == "timeline")
        return Error{ErrorCode::wrong_usage,
                     "--view timeline: expected a kept run, not a block: render RUN --view "
                     "timeline -o FILE"};
    report::PictureOptions options;
    options.width = size->first;
    options.height = size->second;
    options.view.view = choice.view.empty()
                            ? scene::suggested_view(record.analysis)
                            : scene::view_named(choice.view).value_or(scene::View::layered);
    options.view.theme = choice.theme == "dark" ? &scene::dark_theme() : &scene::light_theme();
    options.view.strategy = strategy_named(choice.strategy);
    options.view.workers = workers;
    options.view.order = order_named(choice.order);
    options.view.colour_by = colour_named(choice.colour);
    if (options.view.colour_by == scene::ColourBy::status && !record.replayed)
        return Error{ErrorCode::wrong_usage,
                     fmt::format("--colour status: expected a block whose messages were executed "
                                 "(--chain alkanes), found block {}, which was only decoded",
                                 record.trace->block.label)};
    options.view.edge_limit = choice.edges;
    options.legend = !choice.without_legend;
    if (choice.select_given->count() != 0) options.select = choice.select;
    return options;
}

} // namespace blockloom::cli
