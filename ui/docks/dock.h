// A dock of the window: a 28 px title with tabs and buttons, an error bar, the body, and a page
// that says what belongs here while there is nothing.
#pragma once

#include <QDockWidget>
#include <QKeySequence>

#include <functional>
#include <memory>

class QToolButton;

namespace blockloom::ui {

/// A panel asks for the same small minimum whatever it shows, so that neither the window nor its
/// neighbours change size when its body does; a body that needs more scrolls. Floating, it has the
/// frame of the window manager.
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

    void setBody(QWidget* body); ///< takes it over

    /// The page instead of the body: one sentence and, where something can be done, one button.
    void setEmptyPage(const QString& sentence, const QString& button = {},
                      std::function<void()> act = {});
    void showEmpty(bool empty);
    /// What the panel's keys are meant for: the canvas or table that is shown; null: nothing here
    /// takes the focus.
    [[nodiscard]] QWidget* focusTarget() const;
    [[nodiscard]] bool isShowingEmpty() const;

    /// A button of one's own at the left of the fixed ones.
    QToolButton* addTitleButton(const char* icon, const QString& name, const QKeySequence& key,
                                std::function<void()> act);
    /// The table that says the same as the canvas: `show` is called with the new state. Ctrl+T.
    void setTableTwin(std::function<void(bool)> show);
    /// Writes what the dock shows to a file; the handler asks for the place. Ctrl+E.
    void setExport(std::function<void()> act);
    [[nodiscard]] bool canExport() const;
    void exportView(); ///< what the button does
    /// What the dock answers and how to read it, in a few sentences. "?" (F1) opens its part of the
    /// guide, which `anchor` names, where somebody listens; else it shows these sentences.
    void setHelp(const QString& text);
    [[nodiscard]] QString help() const;
    /// Of its section in docs/guide.md; the same as long as the dock has its name.
    [[nodiscard]] QString anchor() const { return objectName(); }

    /// While new results are made the old ones stay and are labelled "before".
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
