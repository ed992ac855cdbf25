// The widget that shows a view: an image drawn by a RenderThread, pan and zoom, picking, marks for
// the selection.
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

/// Draws nothing while nothing changes. Wheel zooms at the cursor (Ctrl: finer), drag pans, click
/// picks, WASD and arrows move, + − and F or Home (fit) by key; the cursor keys with Alt ask to
/// step (`stepRequested`). Works without a Vulkan device and under the offscreen platform. The
/// accessible description is the list's summary. While a newer picture is in the making the old one
/// is shown where the camera is now.
class SceneCanvas : public QWidget {
    Q_OBJECT

public:
    enum class Axes { both, horizontal }; ///< horizontal: zoom and pan in x only (Gantt)
    /// What a tooltip says about a target; empty: none.
    using TooltipText = std::function<QString(std::optional<quint32>, std::optional<quint32>)>;

    explicit SceneCanvas(Axes axes, QWidget* parent = nullptr);
    /// With a renderer of the caller's: tests.
    SceneCanvas(Axes axes, RendererFactory factory, QWidget* parent = nullptr);
    ~SceneCanvas() override;

    void setList(std::shared_ptr<const scene::DisplayList> list, bool keepCamera = false);
    void setMarks(std::vector<scene::Layer> marks);
    void
    setOverlay(std::optional<scene::OverlayPanel> panel); ///< Dear ImGui panel; none: not drawn
    void setTooltip(TooltipText text);
    void fit();
    void zoomBy(double factor); ///< about the middle
    /// Horizontal axes: where the run lies in the world's x, and the pixels kept free around it.
    void setRun(double from, double to, const QMargins& free);
    void showSpan(double from, double to); ///< of the world's x axis, between the free sides
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
    [[nodiscard]] bool upToDate() const; ///< the image shows everything as it is now
    [[nodiscard]] QString rendererName() const;
    [[nodiscard]] QString fallbackReason() const; ///< why Cairo draws; empty where it was wanted

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void picked(std::optional<quint32> task, std::optional<quint32> key);
    void hovered(std::optional<quint32> task, std::optional<quint32> key, QPoint globalPosition);
    void overlayChanged(const QString& id, int value);
    void zoomChanged(int percent);
    void viewChanged(); ///< camera or list: what is visible
    void frameShown(qint64 renderNs);
    void renderFailed(const QString& message);
    void stepRequested(int across, int along); ///< Alt + cursor keys: −1, 0, 1 each

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
    void changed();     ///< asks for a picture, soon
    void askForFrame(); ///< now, if there is need
    void cameraMoved();
    void showFrame(const ShownFrame& frame);
    void judgePress(bool overlayOwnsIt);
    void pickAt(QPointF position);
    void hoverAt();
    const scene::PickTarget* targetAt(QPointF position) const;

    std::unique_ptr<State> state_;
};

} // namespace blockloom::ui
