#include "docks/graph/graph_overlay.h"

#include "canvas/legend_strip.h"
#include "models/view_words.h"
#include "text/words.h"

#include <algorithm>

namespace blockloom::ui {
namespace {

template <typename Values, typename Value>
scene::OverlayChoice choice(const char* id, const QString& label, const Values& values,
                            Value current) {
    scene::OverlayChoice made;
    made.id = id;
    made.label = label.toStdString();
    for (const auto& value : values) made.options.push_back(title_of(value).toStdString());
    made.current =
        static_cast<int>(std::find(values.begin(), values.end(), current) - values.begin());
    return made;
}

} // namespace

scene::OverlayPanel graph_overlay(const schedule::BlockAnalysis& analysis,
                                  const scene::ViewOptions& options, const scene::DisplayList& list,
                                  bool collapsed) {
    scene::OverlayPanel panel;
    panel.title = words("View").toStdString();
    panel.choices.push_back(choice("view", words("View"), graph_views, options.view));
    panel.choices.push_back(choice("colour", words("Colour"), colours_by, options.colour_by));
    if (options.view == scene::View::matrix)
        panel.choices.push_back(choice("order", words("Order"), matrix_orders, options.order));
    panel.choices.push_back(
        choice("model", words("Model"), conflict_models, analysis.options.model));
    panel.toggles.push_back(
        {"chain", words("Critical path").toStdString(), options.critical_chain});
    panel.legend = scene::make_legend(analysis, options);
    panel.coverage = coverage_text(list.coverage).toStdString();
    panel.collapsed = collapsed;
    return panel;
}

} // namespace blockloom::ui
