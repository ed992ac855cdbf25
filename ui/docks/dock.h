// A dock of the window: a 28 px title with tabs and buttons, an error bar, the body, and an empty
// page that says what will be shown here.
#pragma once

#include <QDockWidget>
#include <QKeySequence>

#include <functional>
#include <memory>

class QToolButton;

namespace blockloom::ui {

/// A panel has the same small minimum size whatever it shows, so that neither the window nor its
/// neighbours change size with its body; a larger body scrolls. A floating panel has the window
/// manager's frame.
///
/// Derive, build a body, call setBody(). Title buttons appear only for what the dock can do, in the
/// order table twin, export, "?", float, close; each has a name, a tooltip and a key that works
/// while the focus is in the dock.
class Dock : public QDockWidget {
    Q_OBJECT

public:
    /// `name`: the fixed object name ("blocks"), which saved layouts refer to.
    Dock(const QString& name, const QString& title, QWidget* parent = nullptr);
    ~Dock() override;

    void setBody(QWidget* body); ///< takes ownership
    /// What takes the focus when the panel does, wherever it can be seen; by default the largest.
    void setMain(QWidget* canvas);

    /// The page shown instead of the body: one sentence and, if there is something to do, one
    /// button.
    void setEmptyPage(const QString& sentence, const QString& button = {},
                      std::function<void()> act = {});
    void showEmpty(bool empty);
    /// Where the panel's keys go: the visible canvas or table; null: nothing here takes the focus.
    [[nodiscard]] QWidget* focusTarget() const;
    [[nodiscard]] bool isShowingEmpty() const;

    /// An additional button at the left of the fixed ones.
    QToolButton* addTitleButton(const char* icon, const QString& name, const QKeySequence& key,
                                std::function<void()> act);
    /// The table equivalent of the canvas (Ctrl+T): `show` is called with the new state.
    void setTableTwin(std::function<void(bool)> show);
    /// Writes what the dock shows to a file (Ctrl+E); the handler asks for the path. `name`: of the
    /// button; empty: "Export" and the dock's title.
    void setExport(std::function<void()> act, const QString& name = {});
    [[nodiscard]] bool canExport() const;
    void exportView(); ///< what the button does
    /// What question the dock answers and how to read it, in a few sentences. "?" (F1) opens the
    /// guide at `anchor` if the signal is connected; otherwise it shows these sentences.
    void setHelp(const QString& text);
    [[nodiscard]] QString help() const;
    /// The anchor of its section in docs/guide.md: the dock's object name.
    [[nodiscard]] QString anchor() const { return objectName(); }

    /// While new results are computed, the old ones stay and are labelled "out of date".
    void setBefore(bool before);

public Q_SLOTS:
    void showError(const QString& message); ///< a bar with "Copy details"; never a modal
    void clearError();
    void showHelp();

Q_SIGNALS:
    void helpRequested(const QString& anchor);

protected:
    void changeEvent(QEvent* event) override;

private:
    void giveFrame();
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace blockloom::ui
