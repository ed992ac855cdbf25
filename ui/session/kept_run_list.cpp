#include "session/kept_run_list.h"

#include "runs/run_notes.h"
#include "session/run_traces.h"
#include "session/session.h"
#include "store/kept_folders.h"
#include "store/location.h"
#include "text/to_qt.h"

#include <algorithm>
#include <array>
#include <utility>

namespace blockloom::ui {
namespace {

constexpr std::size_t first_runs = 200, older_runs = 5;

} // namespace

KeptRunList::KeptRunList(Session* session, QObject* parent)
    : QObject(parent), session_(session), watch_([this] { return folder(); }),
      traces_(std::make_shared<RunTraces>()), most_(first_runs) {
    connect(&watch_, &WorkspaceWatch::changed, this, &KeptRunList::changedOutside);
    connect(&edits_, &RunEdits::done, this, &KeptRunList::reload);
    connect(&edits_, &RunEdits::failed, this, [this](const QString& message) {
        Q_EMIT session_->logged(QStringLiteral("error"), message);
        Q_EMIT session_->failed(message);
    });
}

KeptRunList::~KeptRunList() = default;

void KeptRunList::setFolder(const QString& workspace) {
    own_folder_ = workspace;
    reload();
}

QString KeptRunList::folder() const {
    if (!session_->choices().workspace.isEmpty()) return session_->choices().workspace;
    if (!own_folder_.isEmpty()) return own_folder_;
    const auto own = store::default_folder();
    return own ? to_qt(own->string()) : QString();
}

void KeptRunList::reload() {
    read(Asked::here);
}

void KeptRunList::refresh() {
    read(Asked::by_watch);
}

void KeptRunList::read(Asked asked) {
    const QString where = folder();
    if (where.isEmpty()) return;
    reading_.start([this, where, asked, most = most_](const BackgroundWork::Delivery& deliver,
                                                      ProgressSink&, const std::stop_token&) {
        std::vector<std::string> unreadable;
        std::size_t in_all = 0;
        const QString mark = workspace_mark(where); // what is written from here on is news
        auto kept = runs::kept_runs(where.toStdString(), most, unreadable, &in_all);
        deliver([this, asked, mark, kept = std::move(kept), unreadable, in_all] {
            // A writer has it open: the list stays, and the next refresh tries again.
            if (!kept && asked == Asked::by_watch) return;
            watch_.knows(kept ? mark : QString());
            in_all_ = in_all;
            for (const std::string& line : unreadable)
                Q_EMIT session_->logged(QStringLiteral("warning"), to_qt(line));
            if (kept)
                kept_ = *kept;
            else
                Q_EMIT session_->logged(QStringLiteral("warning"), to_qt(kept.error().message));
            Q_EMIT changed();
        });
    });
}

bool KeptRunList::busy() const {
    return reading_.running() || edits_.busy();
}

void KeptRunList::readOlder() {
    most_ *= older_runs;
    reload();
}

const runs::KeptRun* KeptRunList::find(const QString& id) const {
    const std::string wanted = id.toStdString();
    const auto at =
        std::find_if(kept_.begin(), kept_.end(), [&](const auto& run) { return run.id == wanted; });
    return id.isEmpty() || at == kept_.end() ? nullptr : &*at;
}

void KeptRunList::annotate(const QString& id, const runs::RunNotes& notes,
                           const QString& description) {
    const runs::KeptRun* run = find(id);
    if (run == nullptr || run->notes == notes) return;
    const auto set = [this, id, where = folder()](const runs::RunNotes& to) {
        return [this, id, where, to] {
            edits_.enqueue(where, [id = id.toStdString(), to](const std::filesystem::path& folder) {
                const auto runs = store::open_runs(folder);
                return runs ? runs::set_notes(*runs, id, to) : Status(runs.error());
            });
        };
    };
    session_->undoStack().push(new EditCommand(description, set(notes), set(run->notes)));
}

void KeptRunList::setNote(const QString& id, const QString& note) {
    const runs::KeptRun* run = find(id);
    if (run == nullptr) return;
    runs::RunNotes notes = run->notes;
    notes.note = note.trimmed().toStdString();
    annotate(id, notes,
             notes.note.empty() ? tr("remove the note of a run") : tr("edit the note of a run"));
}

void KeptRunList::pin(const QString& id, const QString& name) {
    const runs::KeptRun* run = find(id);
    if (run == nullptr) return;
    runs::RunNotes notes = run->notes;
    notes.baseline = name.trimmed().toStdString();
    std::array<unsigned, runs::baseline_colours> used{};
    for (const runs::KeptRun& other : kept_)
        if (!other.notes.baseline.empty() && &other != run)
            ++used[other.notes.colour % runs::baseline_colours];
    notes.colour =
        notes.baseline.empty()
            ? 0
            : static_cast<unsigned>(std::min_element(used.begin(), used.end()) - used.begin());
    annotate(id, notes,
             notes.baseline.empty() ? tr("clear baseline %1").arg(to_qt(run->notes.baseline))
                                    : tr("set baseline %1").arg(name.trimmed()));
}

void KeptRunList::remove(const QString& id) {
    const runs::KeptRun* run = find(id);
    if (run == nullptr) return;
    const auto removed = std::make_shared<runs::RemovedRun>();
    const auto take = [this, where = folder(), id, removed] {
        traces_->forget(where.toStdString(), id.toStdString());
        edits_.enqueue(where,
                       [id = id.toStdString(), removed](const std::filesystem::path& folder) {
                           const auto runs = store::open_runs(folder);
                           if (!runs) return Status(runs.error());
                           auto taken = runs::remove_run(*runs, id);
                           if (!taken) return Status(taken.error());
                           *removed = *std::move(taken);
                           return Status();
                       });
    };
    const auto bring_back = [this, where = folder(), removed] {
        edits_.enqueue(where, [removed](const std::filesystem::path& folder) {
            const auto runs = store::open_runs(folder);
            return runs ? runs::restore_run(*runs, *removed) : Status(runs.error());
        });
    };
    session_->undoStack().push(new EditCommand(tr("delete run %1").arg(id), take, bring_back));
}

void KeptRunList::changeFolder(RunEdits::Change change) {
    edits_.enqueue(folder(), std::move(change));
}

} // namespace blockloom::ui
