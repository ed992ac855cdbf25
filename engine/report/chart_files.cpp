#include "report/chart_files.h"

#include "base/file.h"
#include "charts/chart_table.h"
#include "report/themed_svg.h"
#include "scene/renderer.h"

#include <algorithm>
#include <cctype>

namespace blockloom::report {
namespace {

scene::FrameRequest request_of(const charts::Chart& chart, const charts::PictureOptions& options) {
    auto list = std::make_shared<scene::DisplayList>(charts::picture_of(chart, options));
    scene::FrameRequest request;
    request.width = static_cast<int>(list->world.width);
    request.height = static_cast<int>(list->world.height);
    request.base = std::move(list);
    return request;
}

bool ends_with(const std::string& path, std::string_view ending) {
    return path.size() > ending.size() &&
           std::equal(ending.rbegin(), ending.rend(), path.rbegin(), [](char a, char b) {
               return a == static_cast<char>(std::tolower(static_cast<unsigned char>(b)));
           });
}

} // namespace

std::string chart_svg(const charts::Chart& chart, const charts::PictureOptions& options) {
    return plain_svg(request_of(chart, options), chart.title, chart.summary);
}

Status write_chart(const charts::Chart& chart, const charts::PictureOptions& options,
                   const std::string& path) {
    if (ends_with(path, ".svg")) return write_file(path, as_bytes(chart_svg(chart, options)));
    if (ends_with(path, ".csv"))
        return write_file(path, as_bytes(charts::csv_of(*charts::table_of(chart))));
    return scene::export_view(request_of(chart, options),
                              ends_with(path, ".pdf") ? scene::FileKind::pdf : scene::FileKind::png,
                              path);
}

} // namespace blockloom::report
