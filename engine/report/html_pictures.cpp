#include "report/html_pictures.h"

#include "report/html_style.h"
#include "report/markup.h"
#include "report/picture.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace blockloom::report {
namespace {

/// Reports are read as a whole: a picture that is drawn fine enough to study belongs to the window.
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

/// The view for both themes; the style sheet shows one of them.
std::string figure(const range::BlockRecord& record, PictureOptions options,
                   const std::string& prefix, const std::string& caption,
                   const std::stop_token& stop) {
    std::string html = "<figure>", words, coverage;
    for (const scene::Theme* theme : {&scene::light_theme(), &scene::dark_theme()}) {
        options.view.theme = theme;
        auto picture = make_picture(record, options, stop);
        if (!picture)
            return fmt::format("<p class=\"quiet\">No picture: {}.</p>",
                               escaped(picture.error().message));
        const auto svg = scene::svg_text(picture->request);
        if (!svg)
            return fmt::format("<p class=\"quiet\">No picture: {}.</p>",
                               escaped(svg.error().message));
        const char* side = theme->is_dark ? "dark" : "light";
        html += fmt::format("<div class=\"on-{}\" role=\"img\" aria-label=\"{}\">{}</div>", side,
                            escaped(picture->summary),
                            with_unique_ids(*svg, fmt::format("{}-{}-", prefix, side)));
        words = legend_html(picture->legend);
        coverage = picture->coverage;
    }
    return fmt::format("{}<figcaption>{} {}.{}</figcaption></figure>", html, caption, words,
                       coverage.empty() ? "" : " " + escaped(coverage) + ".");
}

} // namespace

std::string with_unique_ids(const std::string& svg, const std::string& prefix) {
    static constexpr std::array<std::string_view, 4> before{" id=\"", "href=\"#", "url(#",
                                                            "url('#"};
    std::string out;
    out.reserve(svg.size() + svg.size() / 16);
    for (std::size_t at = 0; at < svg.size();) {
        std::size_t matched = 0;
        for (const std::string_view mark : before)
            if (svg.compare(at, mark.size(), mark) == 0) matched = mark.size();
        if (matched == 0) {
            out += svg[at++];
            continue;
        }
        out.append(svg, at, matched);
        out += prefix;
        at += matched;
    }
    return out;
}

std::string block_pictures(const range::BlockRecord& record, std::size_t number,
                           std::uint32_t workers, const std::stop_token& stop) {
    PictureOptions options;
    options.view.view = scene::suggested_view(record.analysis);
    options.view.edge_limit = most_edges;
    options.view.workers = workers;
    options.width = picture_width;
    options.height = options.view.view == scene::View::matrix ? 640 : 420;
    options.legend = false;
    const bool matrix = options.view.view == scene::View::matrix;
    std::string html = fmt::format("<h3>{}</h3>", matrix ? "Conflict matrix" : "Dependency graph");
    html += figure(
        record, options, fmt::format("g{}", number),
        matrix
            ? "Tasks against tasks, ordered by level; a mark is a conflict pair."
            : "Tasks by level, left to right; a line leads from a task to one that waits for it.",
        stop);
    options.view.view = scene::View::schedule;
    options.height = 40 + 22 * static_cast<int>(workers);
    html += fmt::format("<h3>List schedule on {} workers, predicted</h3>", workers);
    return html + figure(record, options, fmt::format("s{}", number),
                         "Workers from top to bottom, simulated time to the right; hollow boxes "
                         "are predicted runs.",
                         stop);
}

} // namespace blockloom::report
