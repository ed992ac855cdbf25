// Saves the session continuously and restores it.
#pragma once

#include "session/saved_session.h"

#include <QLockFile>
#include <QObject>
#include <QTimer>

#include <functional>
#include <optional>
#include <utility>

namespace blockloom::ui {

class GraphDock;
class Runs;

/// Lives on the GUI thread. Every change is written at most `delay_ms` later, so a kill loses no
/// more than that. Only one window of the user saves its session; a second one does not.
class SessionKeeper : public QObject {
    Q_OBJECT

public:
    static constexpr int delay_ms = 250;
    static constexpr int look_ms = 50; ///< interval of the checks for the first complete picture

    /// `file`: where the session is saved; its folder is created when first needed.
    SessionKeeper(Session* session, Runs* runs, GraphDock* graph, QString file,
                  QObject* parent = nullptr);

    /// Opens what was open, with all choices. False: there is nothing to restore, or it must not be
    /// restored (see problem()).
    bool restore();
    /// The same, although the program ended last time while opening this.
    bool restoreAnyway();
    /// The session was not restored because the program ended while restoring it last time.
    [[nodiscard]] bool heldBack() const { return held_back_; }
    /// `drawn`: whether the whole open range has been drawn. Until it has been once, the session
    /// stays marked as being restored.
    void watchPicture(std::function<bool()> drawn) { drawn_ = std::move(drawn); }
    void opens(); ///< call before something is opened or reopened
    /// Why the session was not restored or cannot be saved; empty: no problem.
    [[nodiscard]] QString problem() const { return problem_; }
    /// A session is being restored and is not complete yet.
    [[nodiscard]] bool restoring() const { return wanted_.has_value(); }
    void changed(); ///< written soon
    void save();    ///< written now
    void end();     ///< the window closes: saves the session, or the one still being restored
    void forget();  ///< the range was closed
    void watch(QObject* panel); ///< its size and visibility count as changes
    [[nodiscard]] const QString& file() const { return file_; }

Q_SIGNALS:
    void keeping(); ///< about to write: related settings may be saved, too
    void kept();    ///< everything so far survives a kill
    void restored();
    void failed(const QString& message); ///< emitted once until saving works again

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] bool mine(); ///< whether this window saves the session
    bool bringBack(bool anyway);
    void look();
    [[nodiscard]] SavedSession now() const;
    void write(const SavedSession& saved);
    void giveUp();
    void takeUp();                 ///< restores block, task, key and view
    void chooseWhere(bool listed); ///< restores backend and strategy as soon as they can be chosen
    void report(const QString& problem);

    Session* session_;
    Runs* runs_;
    GraphDock* graph_;
    QString file_;
    QLockFile lock_;
    QTimer soon_, looks_;
    std::function<bool()> drawn_;
    std::optional<SavedSession> wanted_, where_;
    std::pair<QString, QString> compared_; ///< A and B until the runs are listed
    QString problem_;
    bool reported_ = false, choosing_ = false;
    bool opens_ = false;  ///< the next range has not been drawn yet
    bool stands_ = true;  ///< the open range has been drawn once
    bool settled_ = true; ///< at the last check
    bool held_back_ = false, damaged_ = false;
};

} // namespace blockloom::ui
