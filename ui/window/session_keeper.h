// Keeps the session on disk while one works, and brings it back.
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
/// more than that. One window of the user keeps the session; a second one beside it keeps none.
class SessionKeeper : public QObject {
    Q_OBJECT

public:
    static constexpr int delay_ms = 250;
    static constexpr int look_ms = 50; ///< at whether the first picture stands

    /// `file`: where the session is kept; the folder is made when it is first needed.
    SessionKeeper(Session* session, Runs* runs, GraphDock* graph, QString file,
                  QObject* parent = nullptr);

    /// Opens what was open, with everything that was chosen. False: there is nothing to bring back,
    /// or it must not be (see `problem`).
    bool restore();
    /// The same, though the program ended the last time while it opened this.
    bool restoreAnyway();
    /// What was open is kept but was not opened: the program ended while it was being opened.
    [[nodiscard]] bool heldBack() const { return held_back_; }
    /// `drawn`: whether everything of the open range stands on the screen. Until it did once, the
    /// session stays marked as being opened.
    void watchPicture(std::function<bool()> drawn) { drawn_ = std::move(drawn); }
    void opens(); ///< something is about to be opened, for the first time or again
    /// Why the session was not brought back or cannot be kept, in words; empty: all is well.
    [[nodiscard]] QString problem() const { return problem_; }
    /// Something is being brought back and is not all there yet.
    [[nodiscard]] bool restoring() const { return wanted_.has_value(); }
    void changed();             ///< written soon
    void save();                ///< written now
    void end();                 ///< the window closes: what is there, or was to be there, is kept
    void forget();              ///< nothing is open any more
    void watch(QObject* panel); ///< its size and visibility count as changes
    [[nodiscard]] const QString& file() const { return file_; }

Q_SIGNALS:
    void keeping(); ///< about to write: what belongs to the session may be kept beside it
    void kept();    ///< everything so far survives a kill
    void restored();
    void failed(const QString& message); ///< once, until it works again

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] bool mine(); ///< this window keeps the session
    bool bringBack(bool anyway);
    void look();
    [[nodiscard]] SavedSession now() const;
    void write(const SavedSession& saved);
    void giveUp();
    void takeUp();                 ///< block, task, key and view of what was brought back
    void chooseWhere(bool listed); ///< backend and strategy, as soon as they can be chosen
    void tell(const QString& problem);

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
    bool told_ = false, choosing_ = false;
    bool opens_ = false;  ///< the next range is one that has not been drawn yet
    bool stands_ = true;  ///< what is open has been drawn once
    bool settled_ = true; ///< at the last look
    bool held_back_ = false, damaged_ = false;
};

} // namespace blockloom::ui
