#include "canvas/renderer_hud.h"

#include "base/number_text.h"
#include "canvas/scene_canvas.h"

#include <array>

namespace blockloom::ui {
namespace {

struct DrawnKind {
    const char* id;
    const char* label;
    bool scene::DrawnKinds::*member;
};

constexpr std::array drawn_kinds{
    DrawnKind{"lines", QT_TRANSLATE_NOOP("blockloom::ui::RendererHud", "Lines: %1"),
              &scene::DrawnKinds::lines},
    DrawnKind{"boxes", QT_TRANSLATE_NOOP("blockloom::ui::RendererHud", "Boxes: %1"),
              &scene::DrawnKinds::boxes},
    DrawnKind{"texts", QT_TRANSLATE_NOOP("blockloom::ui::RendererHud", "Texts: %1"),
              &scene::DrawnKinds::texts},
    DrawnKind{"marks", QT_TRANSLATE_NOOP("blockloom::ui::RendererHud", "Selection and hover"),
              &scene::DrawnKinds::marks}};

} // namespace

RendererHud::RendererHud(SceneCanvas* canvas) : QObject(canvas), canvas_(canvas) {
    connect(canvas, &SceneCanvas::overlayChanged, this, &RendererHud::changed);
    connect(canvas, &SceneCanvas::viewChanged, this, [this] {
        if (shown_ && counted_.lock() != canvas_->list()) refresh();
    });
}

void RendererHud::setShown(bool shown) {
    if (shown == shown_) return;
    shown_ = shown;
    drawn_ = {};
    canvas_->setDrawn(drawn_);
    refresh();
}

void RendererHud::refresh() {
    const auto list = canvas_->list();
    counted_ = list;
    if (!shown_ || !list) return canvas_->setOverlay(std::nullopt);
    std::array<std::size_t, 3> counts{};
    for (const scene::Layer& layer : list->layers) {
        counts[0] += layer.lines.size();
        counts[1] += layer.boxes.size();
        counts[2] += layer.texts.size();
    }
    scene::OverlayPanel panel;
    panel.title = tr("Renderer").toStdString();
    panel.collapsed = collapsed_;
    for (std::size_t i = 0; i < drawn_kinds.size(); ++i) {
        QString label = tr(drawn_kinds[i].label);
        if (i < counts.size()) label = label.arg(QString::fromStdString(count_text(counts[i])));
        panel.toggles.push_back(
            {drawn_kinds[i].id, label.toStdString(), drawn_.*drawn_kinds[i].member});
    }
    canvas_->setOverlay(std::move(panel));
}

void RendererHud::changed(const QString& id, int value) {
    if (!shown_) return;
    if (id == QLatin1StringView("collapsed")) collapsed_ = value != 0;
    for (const DrawnKind& kind : drawn_kinds)
        if (id == QLatin1StringView(kind.id)) drawn_.*kind.member = value != 0;
    canvas_->setDrawn(drawn_);
    refresh();
}

} // namespace blockloom::ui
