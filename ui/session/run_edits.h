// Changes of kept runs, one after the other, off the GUI thread.
#pragma once

#include "runs/run_notes.h"

#include <QObject>
#include <QString>
#include <QUndoCommand>

#include <deque>
#include <functional>

namespace blockloom::ui {

class BackgroundWork;

/// Edits are never dropped for newer ones: each is done in the order in which it was asked for.
class RunEdits : public QObject {
    Q_OBJECT

public:
    using Change = std::function<Status(const std::filesystem::path& folder)>; ///< a workspace's

    explicit RunEdits(QObject* parent = nullptr);
    ~RunEdits() override; ///< does what is left first: nothing that was asked for is lost
    void enqueue(const QString& folder, Change change);
    [[nodiscard]] bool busy() const;

Q_SIGNALS:
    void done(); ///< nothing is left to do
    void failed(const QString& message);

private:
    struct Edit {
        QString folder;
        Change change;
    };
    static Status perform(const Edit& edit);
    void next();

    BackgroundWork* work_;
    std::deque<Edit> waiting_;
};

/// An undo step of two functions.
class EditCommand : public QUndoCommand {
public:
    EditCommand(const QString& text, std::function<void()> act, std::function<void()> take_back)
        : QUndoCommand(text), act_(std::move(act)), take_back_(std::move(take_back)) {}
    void redo() override { act_(); }
    void undo() override { take_back_(); }

private:
    std::function<void()> act_, take_back_;
};

} // namespace blockloom::ui
