#include "report/chart_html.h"

#include "charts/picture.h"
#include "report/markup.h"
#include "report/themed_svg.h"

#include <fmt/format.h>

namespace blockloom::report {
namespace {

scene::FrameRequest framed(scene::DisplayList list) {
    scene::FrameRequest request;
    request.width = static_cast<int>(list.world.width);
    request.height = static_cast<int>(list.world.height);
    request.camera = {list.world.width / 2.0, list.world.height / 2.0, 1, 1};
    request.base = std::make_shared<const scene::DisplayList>(std::move(list));
    return request;
}

} // namespace

std::string chart_figure(const charts::Chart& chart, const std::string& caption, float width,
                         float height) {
    charts::PictureOptions options;
    options.width = width;
    options.height = height;
    options.theme = &scene::light_theme();
    const scene::FrameRequest light = framed(charts::picture_of(chart, options));
    options.theme = &scene::dark_theme();
    const scene::FrameRequest dark = framed(charts::picture_of(chart, options));
    std::vector<SvgTip> tips;
    for (charts::Spot& spot : charts::spots_of(chart, options))
        tips.push_back({spot.rect, std::move(spot.words)});
    std::string html;
    if (!chart.empty()) {
        html = "<figure>" + themed_svg(light, dark, chart.title, chart.summary, tips);
        if (!caption.empty()) html += "<figcaption>" + escaped(caption) + "</figcaption>";
        html += "</figure>";
    }
    for (const std::string& why : chart.left_out)
        html += fmt::format("<p class=\"quiet\">{}.</p>", escaped(why));
    return html;
}

} // namespace blockloom::report
