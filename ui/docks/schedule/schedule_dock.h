// The dock "Schedule": the predicted Gantt of the current block on equal workers, and below it the
// one that a kept run measured.
#pragma once

#include "canvas/frame_feed.h"
#include "docks/dock.h"
#include "scene/renderer.h"
#include "scene/views.h"

#include <memory>
#include <vector>

namespace blockloom::ui {

class MeasuredRun;
class Runs;
class SceneCanvas;
class Session;
class ViewPane;
struct MeasuredView;

/// What is simulated is hollow and says "predicted"; what a run measured is filled and names it.
/// With a run, costs are the measured times, so that both lie on one axis. Arrows lead from what
/// the selected task waited for to it.
class ScheduleDock : public Dock {
    Q_OBJECT

public:
    explicit ScheduleDock(Session* session, QWidget* parent = nullptr);
    ScheduleDock(Session* session, Runs* runs, QWidget* parent = nullptr);
    /// With a renderer of the caller's: tests.
    ScheduleDock(Session* session, RendererFactory factory, QWidget* parent = nullptr);
    ~ScheduleDock() override;

    [[nodiscard]] ViewPane* pane() const;
    [[nodiscard]] SceneCanvas* canvas() const;
    void setColourBy(scene::ColourBy colour);
    /// Whose run is shown below; not owned.
    void setMeasured(MeasuredRun* measured);

Q_SIGNALS:
    void rendererNote(const QString& note);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct State;
    QWidget* makeBar();
    void build();
    void remake();
    void listShown();
    [[nodiscard]] std::vector<scene::Layer> axes(const scene::Camera& camera, QSize size) const;
    void showWindow(); ///< in the minimap, as the canvas is
    void showRuns();   ///< in their box
    void showFigures();
    void frameBoth(const MeasuredView& measured);

    std::unique_ptr<State> state_;
};

} // namespace blockloom::ui
