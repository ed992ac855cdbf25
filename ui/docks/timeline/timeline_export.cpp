#include "docks/timeline/timeline_export.h"

#include "base/file.h"
#include "look/theme_style.h"

namespace blockloom::ui {

Status export_timeline(const TimelineCanvas& canvas, int legend_height, const QString& title,
                       const QString& path) {
    const auto timeline = canvas.timeline();
    if (!timeline) return Error{ErrorCode::wrong_usage, "there is no timeline to export"};
    const std::string file = path.toStdString();
    const report::TimelineMarks& marks = canvas.marks();
    if (path.endsWith(QLatin1String(".csv")))
        return write_file(file, as_bytes(report::timeline_csv(
                                    *timeline, marks.selected.value_or(canvas.shown()))));
    report::TimelineView view = canvas.view();
    view.height += static_cast<float>(legend_height);
    const scene::FrameRequest request =
        report::timeline_request(*timeline, view, marks, current_theme(), title.toStdString());
    const auto kind = path.endsWith(QLatin1String(".svg"))   ? scene::FileKind::svg
                      : path.endsWith(QLatin1String(".pdf")) ? scene::FileKind::pdf
                                                             : scene::FileKind::png;
    return scene::export_view(request, kind, file);
}

} // namespace blockloom::ui
