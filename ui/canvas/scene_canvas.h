// The widget that shows a view: an image drawn by a RenderThread, with pan, zoom, picking and marks
// for the selection.
#pragma once

#include "canvas/frame_feed.h"
#include "scene/render_thread.h"
#include "scene/views.h"

#include <QMargins>
#include <QRectF>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace blockloom::ui {

/// Draws nothing while nothing changes. The wheel zooms at the cursor (Ctrl: finer), a drag pans, a
/// click picks, WASD and the arrow keys move, + and − zoom, F or Home fits; Alt and an arrow key
/// emit `stepRequested`. Works without a Vulkan device and under the offscreen platform. The
/// accessible description is the list's summary. While a new picture is being drawn, the old one is
/// shown at the place of the current camera.
class SceneCanvas : public QWidget {
    Q_OBJECT

public:
    /// Horizontal: zoom and pan in x only (Gantt).
    enum class Axes { both, horizontal };
    /// What a tooltip says about a target; empty: none.
    using TooltipText = std::function<QString(std::optional<quint32>, std::optional<quint32>)>;

    explicit SceneCanvas(Axes axes, QWidget* parent = nullptr);
    /// With the caller's renderer: for tests.
    SceneCanvas(Axes axes, RendererFactory factory, QWidget* parent = nullptr);
    ~SceneCanvas() override;

    void setList(std::shared_ptr<const scene::DisplayList> list, bool keepCamera = false);
    void setMarks(std::vector<scene::Layer> marks);
    void setOverlay(std::optional<scene::OverlayPanel> panel); ///< head-up display; none: not drawn
    void setDrawn(const scene::DrawnKinds& drawn);             ///< all, by default
    void setTooltip(TooltipText text);
    void fit();
    void zoomBy(double factor); ///< around the middle
    /// Horizontal axes: the run's range on the world's x axis, and the margins kept free around it.
    void setRun(double from, double to, const QMargins& free);
    /// Part of the world's x axis, shown between the free margins.
    void showSpan(double from, double to);
    [[nodiscard]] std::pair<double, double> shownSpan() const;
    void bringIntoView(const scene::Rect& r); ///< pans, if `r` is outside

    [[nodiscard]] std::shared_ptr<const scene::DisplayList> list() const;
    [[nodiscard]] scene::FrameRequest currentRequest() const; ///< what is on screen: for exports
    [[nodiscard]] int zoomPercent() const;                    ///< 100: fitted
    [[nodiscard]] QRectF visibleWorld() const;
    [[nodiscard]] QPointF toWorld(QPointF position) const; ///< canvas → world
    [[nodiscard]] QPointF toCanvas(QPointF world) const;   ///< world → canvas
    [[nodiscard]] quint64 framesDrawn() const;
    [[nodiscard]] bool hasFrame() const; ///< an image of the current list has arrived
    [[nodiscard]] bool upToDate() const; ///< the image shows the current state
    [[nodiscard]] QString rendererName() const;
    [[nodiscard]] QString fallbackReason() const; ///< why Cairo draws; empty where it was requested

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void picked(std::optional<quint32> task, std::optional<quint32> key);
    void hovered(std::optional<quint32> task, std::optional<quint32> key, QPoint globalPosition);
    void overlayChanged(const QString& id, int value);
    void zoomChanged(int percent);
    void viewChanged(); ///< the camera or the list changed
    void frameShown(qint64 renderNs);
    void renderFailed(const QString& message);
    void stepRequested(int across, int along); ///< Alt + arrow keys: −1, 0, 1 each

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct State;
    void changed();     ///< requests a picture soon
    void askForFrame(); ///< requests one now, if needed
    void cameraMoved();
    void showFrame(const ShownFrame& frame);
    void judgePress(bool overlayOwnsIt);
    void pickAt(QPointF position);
    void hoverAt();
    const scene::PickTarget* targetAt(QPointF position) const;

    std::unique_ptr<State> state_;
};

} // namespace blockloom::ui
