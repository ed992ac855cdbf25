#include "report/picture.h"

#include "base/number_text.h"
#include "range/message_rows.h"
#include "scene/legend_signs.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::report {
namespace {

std::string coverage_text(const scene::Coverage& coverage) {
    std::string text;
    if (coverage.all_edges != 0)
        text = fmt::format("Drawing {} of {} {}", count_text(coverage.drawn_edges),
                           count_text(coverage.all_edges), coverage.unit);
    if (!coverage.folded.empty()) text += (text.empty() ? "" : ", ") + coverage.folded;
    return text;
}

int natural_height(const scene::DisplayList& list, int width) {
    const float wide = std::max(list.world.width, 1.0F);
    const float high = static_cast<float>(width) * list.world.height / wide;
    return static_cast<int>(std::clamp(high, 280.0F, 640.0F));
}

/// A task's id in the analysis, which differs if the policy left tasks out.
Result<conflict::TaskId> analysed_task(const conflict::ConflictIndex& index,
                                       conflict::TaskId in_block) {
    const auto& original = index.trace->original_task;
    if (original.empty()) {
        if (in_block < index.tasks()) return in_block;
    } else if (const auto at = std::find(original.begin(), original.end(), in_block);
               at != original.end()) {
        return static_cast<conflict::TaskId>(at - original.begin());
    }
    return Error{ErrorCode::wrong_usage,
                 fmt::format("task {}: the block has {}, counted from 0{}", in_block,
                             counted(index.trace->original->tasks(), "task"),
                             original.empty() ? "" : ", and the policy leaves out some")};
}

/// Puts the legend below the view, unless the picture is too small; returns the height left for the
/// view.
int add_legend(Picture& picture, const range::BlockRecord& record, const scene::Theme& theme) {
    const std::string title = fmt::format("Block {}", record.trace->block.label);
    const auto rows = [&](int top) {
        return scene::legend_rows(picture.legend, title, picture.coverage, theme,
                                  static_cast<float>(picture.request.width),
                                  static_cast<float>(top));
    };
    const int left = picture.request.height - static_cast<int>(rows(0).height);
    if (5 * left < 3 * picture.request.height) return picture.request.height;
    scene::LegendRows legend = rows(left);
    picture.request.marks.push_back(std::move(legend.ground));
    picture.request.marks.push_back(std::move(legend.signs));
    return left;
}

} // namespace

Result<Picture> make_picture(const range::BlockRecord& record, const PictureOptions& options,
                             std::stop_token stop) {
    const schedule::BlockAnalysis& analysis = record.analysis;
    scene::Selection selection;
    if (options.select) {
        const auto task = analysed_task(*analysis.index, *options.select);
        if (!task) return task.error();
        selection.task = *task;
    }
    scene::ViewOptions view = options.view;
    if (view.colour_by == scene::ColourBy::status && !view.failed)
        view.failed = range::failed_tasks(record);
    auto list = std::make_shared<const scene::DisplayList>(scene::make_view(analysis, view, stop));
    if (stop.stop_requested()) return cancelled_error();

    Picture picture;
    picture.legend = scene::make_legend(analysis, view);
    if (!selection.task) // without a selection, no legend entry for it
        std::erase_if(picture.legend,
                      [](const auto& sign) { return sign.label.starts_with("selected"); });
    picture.summary = list->summary;
    picture.coverage = coverage_text(list->coverage);
    if (selection.task)
        picture.request.marks = scene::selection_marks(*list, analysis, view, selection);
    picture.request.base = list;
    picture.request.width = options.width;
    picture.request.height =
        options.height > 0 ? options.height : natural_height(*list, options.width);
    int height = picture.request.height; // of the view
    if (options.legend) height = add_legend(picture, record, *options.view.theme);
    picture.request.camera =
        scene::Camera::fit(list->world, options.width, height, list->keep_aspect);
    picture.request.camera.centre_y +=
        (picture.request.height - height) / 2.0 / picture.request.camera.scale_y;
    return picture;
}

} // namespace blockloom::report
