// One view of the current block with everything that belongs to it: canvas, legend, table twin,
// marks for the selection, export. Graph and Schedule differ only in what they show in it.
#pragma once

#include "canvas/legend_strip.h"
#include "canvas/scene_canvas.h"
#include "canvas/view_maker.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <vector>

namespace blockloom::ui {

class Session;
class TableTwin;

/// Asks the session to select what the user picks, and marks what is selected. A ViewMaker makes
/// its lists; the list on the canvas stays until the newer one is ready.
class ViewPane : public QWidget {
    Q_OBJECT

public:
    ViewPane(Session* session, SceneCanvas::Axes axes, RendererFactory factory,
             QWidget* parent = nullptr);
    ~ViewPane() override;

    /// The latest call wins; the camera is kept if block and layout are the same.
    void show(ViewJob job);
    void clear();

    [[nodiscard]] SceneCanvas* canvas() const;
    [[nodiscard]] LegendStrip* legend() const;
    [[nodiscard]] TableTwin* table() const;
    [[nodiscard]] const ViewJob& shown() const; ///< the job that made the list on the canvas
    [[nodiscard]] bool hasList() const;
    [[nodiscard]] bool settled() const; ///< the list shown is the one requested last

    /// Layers over the marks that depend on the camera, such as axes.
    using Furniture = std::function<std::vector<scene::Layer>(const scene::Camera&, QSize)>;
    void setFurniture(Furniture furniture);

    void showTable(bool table);
    [[nodiscard]] bool showsTable() const;

    /// Writes what is on the canvas with its legend below; format by extension: png, svg, pdf; dot
    /// and graphml write the block's dependencies.
    Status exportTo(const QString& path) const;

Q_SIGNALS:
    void listShown(); ///< a new list is on the canvas
    void renderFailed(const QString& message);

private:
    struct State;
    void take(const ViewJob& job, const MadeList& list);
    void mark();
    void pick(std::optional<quint32> task, std::optional<quint32> key);
    void step(int across, int along);
    void follow(); ///< scrolls to the selection if it is out of sight

    std::unique_ptr<State> state_;
};

} // namespace blockloom::ui
