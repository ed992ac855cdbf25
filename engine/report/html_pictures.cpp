#include "report/html_pictures.h"

#include "report/markup.h"
#include "report/picture.h"
#include "report/themed_svg.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::report {
namespace {

/// Reports give an overview; pictures detailed enough to study are for the window.
constexpr std::uint64_t most_edges = 1500;
constexpr int picture_width = 1080;

std::string legend_html(const std::vector<scene::OverlayLegend>& legend) {
    std::string text;
    for (const scene::OverlayLegend& sign : legend) {
        if (!text.empty()) text += " · ";
        text += escaped(sign.label);
        if (sign.sign == scene::OverlayLegend::Sign::ramp)
            text += fmt::format(" {}–{}", escaped(sign.first), escaped(sign.last));
    }
    return text;
}

/// The view with its caption, laid out once per theme, since colours are part of a layout.
std::string figure(const range::BlockRecord& record, PictureOptions options,
                   const std::string& caption, const std::stop_token& stop) {
    options.view.theme = &scene::light_theme();
    const auto light = make_picture(record, options, stop);
    options.view.theme = &scene::dark_theme();
    const auto dark = make_picture(record, options, stop);
    if (!light || !dark)
        return fmt::format("<p class=\"quiet\">No picture: {}.</p>",
                           escaped(light ? dark.error().message : light.error().message));
    const std::string coverage =
        light->coverage.empty() ? "" : fmt::format(" {}.", escaped(light->coverage));
    return fmt::format("<figure>{}<figcaption>{} {}.{}</figcaption></figure>",
                       themed_svg(light->request, dark->request, light->summary), caption,
                       legend_html(light->legend), coverage);
}

std::string graph_html(const range::BlockRecord& record, PictureOptions options,
                       const std::stop_token& stop) {
    options.view.view = scene::suggested_view(record.analysis);
    const bool matrix = options.view.view == scene::View::matrix;
    const std::string heading = matrix ? "<h3>Conflict matrix</h3>" : "<h3>Dependency graph</h3>";
    if (record.analysis.index->edges() == 0)
        return heading +
               "<p class=\"quiet\">No task of this block depends on another, so there is no "
               "edge to draw.</p>";
    options.height = matrix ? 640 : 0;
    return heading +
           figure(record, options,
                  matrix ? "Tasks against tasks, ordered by level; each mark is a conflict pair."
                         : "Tasks by level, left to right; a line leads from a task to one that "
                           "depends on it.",
                  stop);
}

} // namespace

std::string block_pictures(const range::BlockRecord& record, std::uint32_t workers,
                           const std::stop_token& stop) {
    PictureOptions options;
    options.view.edge_limit = most_edges;
    options.view.workers = workers;
    options.width = picture_width;
    options.legend = false;
    std::string html = graph_html(record, options, stop);
    if (record.analysis.index->tasks() == 0) return html;
    options.view.view = scene::View::schedule;
    // Above 24 workers lanes grow thin instead of the picture tall.
    options.height = 64 + 22 * static_cast<int>(std::min<std::uint32_t>(workers, 24));
    html += fmt::format("<h3>List schedule on {} {}, predicted</h3>", workers,
                        workers == 1 ? "worker" : "workers");
    return html + figure(record, options,
                         "Workers from top to bottom, simulated time to the right; hollow boxes "
                         "are predicted executions.",
                         stop);
}

} // namespace blockloom::report
