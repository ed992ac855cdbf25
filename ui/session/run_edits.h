// Changes to kept runs, made one after another off the GUI thread.
#pragma once

#include "runs/run_notes.h"

#include <QObject>
#include <QString>
#include <QUndoCommand>

#include <deque>
#include <functional>

namespace blockloom::ui {

class BackgroundWork;

/// Edits are never replaced by newer ones: all are made, in the order requested.
class RunEdits : public QObject {
    Q_OBJECT

public:
    /// `folder`: the workspace.
    using Change = std::function<Status(const std::filesystem::path& folder)>;

    explicit RunEdits(QObject* parent = nullptr);
    ~RunEdits() override; ///< makes the remaining edits first, so none is lost
    void enqueue(const QString& folder, Change change);
    [[nodiscard]] bool busy() const;

Q_SIGNALS:
    void done(); ///< all edits are made
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

/// An undo step made of two functions.
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
