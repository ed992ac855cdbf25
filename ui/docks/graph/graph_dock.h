// The dock "Graph": tasks and dependencies of the current block in four views, one selection.
#pragma once

#include "canvas/frame_feed.h"
#include "docks/dock.h"
#include "scene/views.h"

#include <memory>
#include <optional>

namespace blockloom::ui {

class SceneCanvas;
class Session;
class ViewPane;

/// Until the user chooses a view, each block gets the one that suits it. Key O shows the renderer's
/// statistics in the picture.
class GraphDock : public Dock {
    Q_OBJECT

public:
    explicit GraphDock(Session* session, QWidget* parent = nullptr);
    /// With the caller's renderer: for tests.
    GraphDock(Session* session, RendererFactory factory, QWidget* parent = nullptr);
    ~GraphDock() override;

    [[nodiscard]] ViewPane* pane() const;
    [[nodiscard]] SceneCanvas* canvas() const;
    [[nodiscard]] const scene::ViewOptions& viewOptions() const;

    void setView(scene::View view);                              ///< the user's choice from now on
    [[nodiscard]] std::optional<scene::View> chosenView() const; ///< nothing: the block's own
    void setColourBy(scene::ColourBy colour);
    void setOrder(scene::MatrixOrder order);
    void setCriticalChain(bool shown);
    void setHudShown(bool shown);
    [[nodiscard]] bool hudShown() const;

Q_SIGNALS:
    void viewChosen();
    void rendererNote(const QString& note); ///< which renderer draws, and why

protected:
    void changeEvent(QEvent* event) override;

private:
    struct State;
    void build();
    void sessionBlock(); ///< another block, or the same one under other rules
    void remake();       ///< the display list from the current options
    void listShown();    ///< coverage, legend, badge
    void showOptions();  ///< sets the controls to the options

    std::unique_ptr<State> state_;
};

} // namespace blockloom::ui
