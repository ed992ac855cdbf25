#include "report/profile_report.h"

#include "base/file.h"
#include "base/number_text.h"
#include "report/document_html.h"
#include "report/html_style.h"
#include "report/markup.h"
#include "report/themed_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace blockloom::report {
namespace {

constexpr int page_width = 1080, margin = 16;

std::string share_text(std::uint64_t part, std::uint64_t whole) {
    return percent_text(whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole));
}

scene::FrameRequest request_of(const scene::DisplayList& list, int width) {
    scene::FrameRequest request;
    request.base = std::make_shared<const scene::DisplayList>(list);
    request.width = width;
    request.height = static_cast<int>(list.world.height) + 2 * margin;
    request.camera = scene::Camera::fit(list.world, width, request.height, false, margin);
    return request;
}

/// "mix: 12.0 % of the fuel, 204,437 with callees, 204,437 without, 17,000 calls".
std::string words_of(const Profile& profile, const scene::FlameBox& box) {
    if (box.folded > 0)
        return fmt::format("{} merged: {} of the fuel, {}", counted(box.folded, "frame"),
                           share_text(box.total, profile.fuel), count_text(box.total));
    const ProfileStack& stack = profile.stacks[box.frame];
    return fmt::format("{}: {} of the fuel, {} with callees, {} without, {}",
                       profile.functions[stack.function].name, share_text(box.total, profile.fuel),
                       count_text(box.total), count_text(stack.self), counted(stack.calls, "call"));
}

std::string flame_svg(const Profile& profile) {
    const scene::FlameGraph graph = flame_graph(profile);
    scene::FlameOptions options;
    options.width = page_width - 2 * margin;
    options.theme = &scene::light_theme();
    const scene::FlameView light = make_flame(graph, options);
    options.theme = &scene::dark_theme();
    const scene::FlameView dark = make_flame(graph, options);
    std::vector<SvgTip> tips;
    for (const scene::FlameBox& box : light.boxes)
        tips.push_back({box.rect, words_of(profile, box)});
    std::string html =
        "<figure>" +
        themed_svg(request_of(light.list, page_width), request_of(dark.list, page_width),
                   light.list.summary, {}, tips) +
        "<figcaption>Each box is a function on the call stack, above its caller; its width is its "
        "fuel with callees, and the free part above it is its own fuel. ";
    html += light.list.coverage.folded.empty()
                ? std::string()
                : fmt::format("Drawing {} of {}, {}. ", count_text(light.list.coverage.drawn_edges),
                              counted(light.list.coverage.all_edges, "frame"),
                              light.list.coverage.folded);
    return html + "Hover over a box for its figures; the tables below have them too."
                  "</figcaption></figure>";
}

std::string functions_table(const Profile& profile) {
    std::string html =
        "<div class=\"scroll\"><table><thead><tr><th class=\"left\" scope=\"col\">Function</th>"
        "<th scope=\"col\">Index</th><th scope=\"col\">Calls</th><th scope=\"col\">Own fuel</th>"
        "<th scope=\"col\">Own</th><th scope=\"col\">Total fuel</th><th scope=\"col\">Total</th>"
        "</tr></thead><tbody>";
    for (std::uint32_t i = 0; i < profile.functions.size(); ++i) {
        const ProfileFunction& function = profile.functions[i];
        html += fmt::format(
            "<tr><td class=\"left wide mono\"><span class=\"swatch\" style=\"--l:{};--d:{}\">"
            "</span>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            css_colour(flame_colour(scene::light_theme(), i)),
            css_colour(flame_colour(scene::dark_theme(), i)), escaped(function.name),
            function.index, count_text(function.calls), count_text(function.self),
            share_text(function.self, profile.fuel), count_text(function.total),
            share_text(function.total, profile.fuel));
    }
    return html + "</tbody></table></div>";
}

/// "work › sort_range ×9 › compare": direct recursion is written once.
std::string path_text(const Profile& profile, std::uint32_t stack) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> runs; // function, times; the top first
    for (std::optional<std::uint32_t> at = stack; at; at = profile.stacks[*at].parent) {
        const std::uint32_t function = profile.stacks[*at].function;
        if (runs.empty() || runs.back().first != function) runs.emplace_back(function, 0);
        ++runs.back().second;
    }
    std::string text;
    const std::size_t most = 24, size = runs.size();
    for (std::size_t i = size; i-- > 0;) {
        if (size > most && i == size - 3) text += " › …";
        if (size > most && i < size - 2 && i >= most - 4) continue;
        text += (text.empty() ? "" : " › ") + profile.functions[runs[i].first].name;
        if (runs[i].second > 1) text += fmt::format(" ×{}", runs[i].second);
    }
    return text;
}

/// The stacks of the flame graph as a table, the most own fuel first.
std::string stacks_table(const Profile& profile) {
    constexpr std::size_t most_rows = 100;
    std::vector<std::uint32_t> order(profile.stacks.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return profile.stacks[a].self > profile.stacks[b].self;
    });
    const std::vector<std::uint64_t> totals = flame_totals(flame_graph(profile));
    std::string html;
    if (order.size() > most_rows) {
        html = fmt::format("<p class=\"quiet\">The {} stacks with the most own fuel of {}.</p>",
                           most_rows, count_text(order.size()));
        order.resize(most_rows);
    }
    html += "<div class=\"scroll\"><table><thead><tr><th class=\"left\" scope=\"col\">Stack</th>"
            "<th scope=\"col\">Calls</th><th scope=\"col\">Own fuel</th><th scope=\"col\">Own</th>"
            "<th scope=\"col\">With callees</th></tr></thead><tbody>";
    for (const std::uint32_t i : order)
        html +=
            fmt::format("<tr><td class=\"left wide mono\">{}</td><td>{}</td><td>{}</td>"
                        "<td>{}</td><td>{}</td></tr>",
                        escaped(path_text(profile, i)), count_text(profile.stacks[i].calls),
                        count_text(profile.stacks[i].self),
                        share_text(profile.stacks[i].self, profile.fuel), count_text(totals[i]));
    return html + "</tbody></table></div>";
}

std::string facts(const Profile& profile, const ProfileOptions& options) {
    const auto term = [](const char* name, const std::string& value) {
        return fmt::format("<dt>{}</dt><dd>{}</dd>", name, escaped(value));
    };
    std::string html = "<section id=\"provenance\"><h2>Provenance</h2>"
                       "<dl class=\"terms\">";
    html += term("Program", "Blockloom " + options.version) + term("Made", options.date) +
            term("Module", profile.file) + term("SHA-256", profile.sha256) +
            term("Function", profile.invoked) + term("Outcome", profile.outcome);
    return html +
           "<dt>Fuel</dt><dd>1 per WebAssembly instruction, charged by basic block, plus fees; the "
           "same on every machine. It is not time.</dd>"
           "<dt>Own, total</dt><dd>Own fuel excludes callees. Total fuel includes them; for a "
           "recursive function it counts only the outermost calls.</dd></dl></section>";
}

} // namespace

scene::FlameGraph flame_graph(const Profile& profile) {
    scene::FlameGraph graph;
    for (const ProfileFunction& function : profile.functions)
        graph.functions.push_back(function.name);
    for (const ProfileStack& stack : profile.stacks)
        graph.frames.push_back(
            {stack.parent.value_or(scene::FlameFrame::no_parent), stack.function, stack.self});
    return graph;
}

scene::FrameRequest flame_picture(const Profile& profile, const ProfileOptions& options) {
    scene::FlameOptions flame;
    flame.theme = options.theme;
    flame.width = static_cast<float>(std::max(options.width - 2 * margin, 64));
    flame.height = static_cast<float>(std::max(options.height - 2 * margin, 0));
    flame.title =
        fmt::format("{} of {}: {} fuel in {}", profile.invoked, profile.file,
                    count_text(profile.fuel), counted(profile.functions.size(), "function"));
    if (profile.merged_calls > 0)
        flame.title += fmt::format("; too many stacks, {} counted for their callers",
                                   counted(profile.merged_calls, "call"));
    return request_of(make_flame(flame_graph(profile), flame).list, options.width);
}

std::string profile_html(const Profile& profile, const ProfileOptions& options) {
    std::string html = html_head(profile.invoked + " of " + profile.file, options.version);
    html +=
        fmt::format("<h1>{} <span class=\"quiet\">of {}</span></h1>"
                    "<p class=\"quiet\">Blockloom profile · {} · fuel of one WebAssembly call</p>",
                    escaped(profile.invoked), escaped(profile.file), escaped(options.date));
    const auto card = [](const std::string& value, const char* name) {
        return fmt::format("<div><b>{}</b><span>{}</span></div>", value, name);
    };
    std::uint64_t calls = 0;
    for (const ProfileFunction& function : profile.functions) calls += function.calls;
    html += "<div class=\"cards\">" + card(count_text(profile.fuel), "fuel") +
            card(count_text(profile.steps), "steps") + card(count_text(calls), "calls") +
            card(count_text(profile.functions.size()), "functions that ran") + "</div>";
    if (profile.outcome != "returned")
        html += fmt::format("<section><h2 class=\"wrong\">The call {}</h2></section>",
                            escaped(profile.outcome));
    html += "<section id=\"flame\"><h2>Flame graph</h2>" + flame_svg(profile) + "</section>\n";
    html += "<section id=\"functions\"><h2>Functions</h2>" + functions_table(profile);
    if (profile.merged_calls > 0)
        html += fmt::format(
            "<p class=\"quiet\">Too many different stacks: in the flame graph, {} count "
            "for their callers. The table is exact.</p>",
            counted(profile.merged_calls, "call"));
    html += "</section>\n<section id=\"stacks\"><h2>Call stacks</h2>" + stacks_table(profile);
    return html + "</section>\n" + facts(profile, options) + "</main></body></html>\n";
}

Status export_profile(const Profile& profile, const std::filesystem::path& path,
                      const ProfileOptions& options) {
    const auto form = form_of(path);
    if (form == Form::html) return write_file(path, as_bytes(profile_html(profile, options)));
    if (form == Form::json) return write_file(path, as_bytes(profile_json(profile)));
    if (form != Form::svg && form != Form::png && form != Form::pdf)
        return Error{ErrorCode::wrong_usage,
                     fmt::format("{}: a profile can be written as .html, .json, .svg, .png or .pdf",
                                 path.string())};
    return scene::export_view(flame_picture(profile, options),
                              form == Form::svg   ? scene::FileKind::svg
                              : form == Form::png ? scene::FileKind::png
                                                  : scene::FileKind::pdf,
                              path.string());
}

} // namespace blockloom::report
