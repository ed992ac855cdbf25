// The dock "Schedule": the predicted Gantt of the current block on equal workers, and below it the
// one that a kept run measured.
#pragma once

#include "canvas/frame_feed.h"
#include "docks/dock.h"
#include "scene/renderer.h"
#include "scene/views.h"
#include "session/measured_run.h"

#include <memory>
#include <vector>

namespace blockloom::ui {

class Runs;
class SceneCanvas;
class Session;
class ViewPane;

/// Simulated bars are hollow and labelled "predicted"; measured bars are filled and labelled with
/// their run. With a run, the measured times are the costs, so that both share one axis. Arrows
/// point to the selected task from what it waited for.
class ScheduleDock : public Dock {
    Q_OBJECT

public:
    explicit ScheduleDock(Session* session, QWidget* parent = nullptr);
    ScheduleDock(Session* session, Runs* runs, QWidget* parent = nullptr);
    /// With the caller's renderer: for tests.
    ScheduleDock(Session* session, RendererFactory factory, QWidget* parent = nullptr);
    ~ScheduleDock() override;

    [[nodiscard]] ViewPane* pane() const;
    [[nodiscard]] SceneCanvas* canvas() const;
    void setColourBy(scene::ColourBy colour);
    /// The run that is shown below; not owned.
    void setMeasured(MeasuredRun* measured);

Q_SIGNALS:
    void rendererNote(const QString& note);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct State;
    QWidget* makeBar();
    void build();
    void remake();
    void listShown();
    [[nodiscard]] std::vector<scene::Layer> axes(const scene::Camera& camera, QSize size) const;
    void fitHeight();
    void showWindow(); ///< the canvas's visible part in the minimap
    void showRuns();   ///< fills the box of runs
    void showBeside(const std::vector<MeasuredRun::Choice>& choices);
    void showFigures();
    void frameBoth(const MeasuredView& measured);

    std::unique_ptr<State> state_;
};

} // namespace blockloom::ui
