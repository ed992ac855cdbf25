// The kept runs of a workspace: the list, its notes, and deleting.
#pragma once

#include "runs/kept_runs.h"
#include "session/background_work.h"
#include "session/run_edits.h"
#include "session/workspace_watch.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace blockloom::ui {

class RunTraces;
class Session;

/// Lives on the GUI thread; reads and writes in the background. Changes are undo steps of the
/// session, its log receives what could not be read or changed. What Runs says of the list holds
/// here as well.
class KeptRunList : public QObject {
    Q_OBJECT

public:
    explicit KeptRunList(Session* session, QObject* parent = nullptr);
    ~KeptRunList() override;

    void setFolder(const QString& workspace);
    [[nodiscard]] QString folder() const;
    void reload();
    /// Reads again what another process wrote; if it still has the workspace open, the list stays.
    void refresh();
    void readOlder();
    [[nodiscard]] bool busy() const; ///< the list is being read or changed

    [[nodiscard]] const std::vector<runs::KeptRun>& kept() const { return kept_; }
    [[nodiscard]] std::size_t inAll() const { return in_all_; }
    [[nodiscard]] const runs::KeptRun* find(const QString& id) const; ///< null: not listed
    [[nodiscard]] const std::shared_ptr<RunTraces>& traces() const { return traces_; }

    void annotate(const QString& id, const runs::RunNotes& notes, const QString& description);
    void setNote(const QString& id, const QString& note);
    void pin(const QString& id, const QString& name);
    void remove(const QString& id);
    void changeFolder(RunEdits::Change change);

Q_SIGNALS:
    void changed();        ///< the list was read
    void changedOutside(); ///< another process wrote into the workspace

private:
    enum class Asked { here, by_watch };
    void read(Asked asked);

    Session* session_;
    WorkspaceWatch watch_;
    BackgroundWork reading_;
    RunEdits edits_;
    std::shared_ptr<RunTraces> traces_;
    QString own_folder_; ///< instead of the user's own workspace
    std::vector<runs::KeptRun> kept_;
    std::size_t most_, in_all_ = 0; ///< runs that are read, that are kept
};

} // namespace blockloom::ui
