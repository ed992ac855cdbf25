#include "docks/inspector/inspector_dock.h"

#include "docks/inspector/inspector_page.h"
#include "docks/inspector/task_spans.h"
#include "look/theme_style.h"
#include "models/run_words.h"
#include "range/describe_key.h"
#include "range/describe_task.h"
#include "range/message_rows.h"
#include "range/wait_story.h"
#include "runs/key_predictions.h"
#include "session/background_work.h"
#include "session/measured_run.h"
#include "session/rules.h"
#include "session/runs.h"
#include "session/session.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QScrollBar>
#include <QTextBrowser>
#include <QToolButton>

#include <algorithm>

namespace blockloom::ui {

namespace {

/// Shows no picture and reads no file, whatever a page says.
class DetailsPage final : public QTextBrowser {
public:
    [[nodiscard]] QVariant loadResource(int, const QUrl&) override { return {}; }
};

} // namespace

InspectorDock::InspectorDock(Session* session, Runs* runs, QWidget* parent)
    : Dock(QStringLiteral("inspector"), tr("Inspector"), parent), session_(session), runs_(runs),
      page_(new DetailsPage), profiling_(new BackgroundWork(this)),
      predicting_(new BackgroundWork(this)), spans_(new TaskSpans(runs, this)) {
    page_->setAccessibleName(tr("Details of the selected task or key"));
    page_->setOpenLinks(false);
    page_->setFrameShape(QFrame::NoFrame);
    page_->document()->setDocumentMargin(12);
    setBody(page_);
    setEmptyPage(tr("Select a task or a key in any panel to see its details here."),
                 tr("Select the first task"), [this] { session_->selectTask(0); });
    setHelp(tr("<b>Inspector</b>: the selected task or key. For a task: its read and write sets, "
               "its dependencies on earlier tasks and the keys that cause them, and when it would "
               "run in the simulated schedule. For a key: the tasks that read and write it, and "
               "its value before and after each of them. Links lead to other tasks and keys; Back "
               "and Forward step through earlier selections."));
    back_ = addTitleButton("back", tr("Previous selection"), QKeySequence(Qt::ALT | Qt::Key_Left),
                           [this] { session_->goBack(); });
    forward_ =
        addTitleButton("forward", tr("Next selection"), QKeySequence(Qt::ALT | Qt::Key_Right),
                       [this] { session_->goForward(); });
    copy_ = addTitleButton("copy", tr("Copy the details"),
                           QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), [this] { copy(); });

    connect(page_, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        const InspectorLink link = parsed_link(url);
        // The session sends no signal for an existing selection: the page shows it now.
        const bool same = link.task  ? link.task == session_->selectedTask()
                          : link.key ? link.key == session_->selectedKey()
                                     : false;
        if (link.task) session_->selectTask(link.task);
        if (link.key) session_->selectKey(link.key);
        if (same) {
            shows_key_ = link.key.has_value();
            refresh();
        }
        if (link.section) shows_key_ ? relax() : profile(); // each page has one command
    });
    connect(session_, &Session::selectionChanged, this, &InspectorDock::follow);
    connect(session_, &Session::optionsChanged, this, [this] {
        if (shows_key_) refresh();
    });
    connect(session_, &Session::blockChanged, this, &InspectorDock::refresh);
    connect(session_, &Session::scheduleChanged, this, &InspectorDock::refresh);
    connect(runs_, &Runs::comparedChanged, this, [this] {
        if (details_.title.empty() || stale_ || shows_key_) return;
        showPlacement();
        draw();
    });
    connect(spans_, &TaskSpans::changed, this, [this] {
        if (details_.title.empty() || stale_ || shows_key_) return;
        showPlacement();
        draw();
    });
    connect(MeasuredRun::of(session_, runs_), &MeasuredRun::changed, this, [this] {
        if (details_.title.empty() || stale_ || shows_key_) return;
        showMeasured();
        draw();
    });
    connect(session_, &Session::busyChanged, this, [this] { setBefore(session_->showsBefore()); });
    refresh();
}

/// What was selected last is shown: a key, or a task.
void InspectorDock::follow() {
    const auto task = session_->selectedTask(), key = session_->selectedKey();
    if (key && (key != last_key_ || !task))
        shows_key_ = true;
    else if (!key || task != last_task_)
        shows_key_ = false;
    last_task_ = task;
    last_key_ = key;
    refresh();
}

void InspectorDock::showKey(const range::BlockRecord& record, quint32 key) {
    profiling_->cancel();
    details_ = range::describe_key(record, key);
    if (!details_.sections.empty()) {
        const std::string name = details_.hash;
        if (is_relaxed(session_->options().policy, name))
            details_.sections.front().command = tr("Stop relaxing this key").toStdString();
        if (const auto task = session_->selectedTask();
            task && *task < record.analysis.index->tasks()) {
            range::DetailSection back;
            const QString number =
                tr("#%1").arg(count_text(record.analysis.index->trace->task_in_block(*task)));
            back.rows.push_back({tr("Selected task").toStdString(), number.toStdString()});
            back.rows.back().task = *task;
            details_.sections.push_back(std::move(back));
        }
    }
    draw();
}

void InspectorDock::relax() {
    const std::string name = details_.hash;
    session_->relaxKey(to_qt(name), !is_relaxed(session_->options().policy, name));
}

void InspectorDock::refresh() {
    back_->defaultAction()->setEnabled(session_->canGoBack());
    forward_->defaultAction()->setEnabled(session_->canGoForward());
    const auto task = session_->selectedTask();
    const auto block = session_->currentBlock();
    const auto key = session_->selectedKey();
    shows_key_ = shows_key_ && key && block;
    const bool shown = shows_key_ || (task && block && *task < block->analysis.index->tasks());
    copy_->defaultAction()->setEnabled(shown);
    showEmpty(!shown);
    if (!shown) {
        details_ = {};
        return;
    }
    stale_ = !isVisible();
    if (stale_) return;
    if (shows_key_) return showKey(*block, *key);
    details_ = range::describe_task(*block, *task, session_->currentSchedule().get());
    showPlacement();
    showMeasured();
    showPredictions();
    const bool profiled =
        profiled_block_ && profiled_block_->replayed == block->replayed && profiled_task_ == task;
    if (!profiled) {
        profiling_->cancel();
        profiled_block_.reset();
        profile_ = {};
        clearError();
        if (block->replayed)
            if (const auto executed =
                    range::executed_task(*block->replayed->execution,
                                         block->analysis.index->trace->task_in_block(*task)))
                profile_ = range::profile_offer(*executed);
    }
    showProfile(std::move(profile_));
}

void InspectorDock::profile() {
    const auto task = session_->selectedTask();
    const auto block = session_->currentBlock();
    if (!task || !block || !block->replayed) return;
    const auto executed = range::executed_task(*block->replayed->execution,
                                               block->analysis.index->trace->task_in_block(*task));
    if (!executed) return;
    const auto entry = static_cast<std::size_t>(executed->transaction -
                                                block->replayed->execution->transactions.data());
    profiled_block_ = block;
    profiled_task_ = task;
    range::DetailSection waiting = profile_;
    waiting.note = tr("re-executing…").toStdString();
    waiting.command.clear();
    showProfile(std::move(waiting));
    profiling_->start([this, replayed = block->replayed, entry,
                       place = executed->place](const BackgroundWork::Delivery& deliver,
                                                ProgressSink&, std::stop_token stop) {
        auto profile = execute::profile_message(*replayed, entry, place, stop);
        deliver([this, profile = std::move(profile)] {
            if (profile) return showProfile(range::profile_section(*profile));
            range::DetailSection section = profile_;
            section.note = tr("failed").toStdString();
            showProfile(std::move(section));
            if (profile.error().code != ErrorCode::cancelled)
                showError(to_qt(profile.error().message));
        });
    });
}

/// Where the compared runs executed the task; below what it is.
void InspectorDock::showPlacement() {
    auto& sections = details_.sections;
    range::DetailSection section;
    section.title = tr("Where it ran").toStdString();
    std::erase_if(sections, [&](const auto& s) { return s.title == section.title; });
    const auto task = session_->selectedTask();
    const auto block = session_->currentBlock();
    if (!task || !block || !block->replayed || sections.empty()) return;
    section.note = tr("compared runs").toStdString();
    const std::string hash = to_reversed_hex(block->replayed->execution->hash);
    const trace::TaskId place = block->analysis.index->trace->task_in_block(*task);
    TaskSpans::Wanted wanted{hash, block->replayed->execution->height, place, {}};
    const auto each_run = [&](const auto& work) {
        std::size_t number = 0;
        for (const auto& [letter, side] : {std::pair{"A", Runs::Side::a}, {"B", Runs::Side::b}}) {
            if (const runs::KeptRun* run = runs_->chosen(side))
                if (const auto at = runs::placement_of(*run, hash, place))
                    work(letter, number, *run, *at);
            ++number;
        }
    };
    each_run(
        [&](const char*, std::size_t number, const runs::KeptRun& run, const runs::Placement& at) {
            wanted.runs[number] = {run.id, at};
        });
    spans_->look(wanted);
    each_run([&](const char* letter, std::size_t number, const runs::KeptRun& run,
                 const runs::Placement& at) {
        section.rows.push_back(placement_row(letter, run, at));
        if (const auto& span = spans_->found(number))
            section.rows.push_back(span_row(letter, *span));
    });
    if (!section.rows.empty()) sections.insert(sections.begin() + 1, std::move(section));
    showCode();
}

/// What the compared runs compiled of the message's contract for a device; below where it ran.
void InspectorDock::showCode() {
    auto& sections = details_.sections;
    range::DetailSection section;
    section.title = tr("Code on the device").toStdString();
    std::erase_if(sections, [&](const auto& s) { return s.title == section.title; });
    const auto task = session_->selectedTask();
    const auto block = session_->currentBlock();
    if (!task || !block || !block->replayed || sections.empty()) return;
    const auto executed = range::executed_task(*block->replayed->execution,
                                               block->analysis.index->trace->task_in_block(*task));
    if (!executed) return;
    const alkanes::MessageRecord& record = executed->record();
    section.note = tr("contract %1").arg(to_qt(id_text(record.myself))).toStdString();
    for (const auto& [letter, side] : {std::pair{"A", Runs::Side::a}, {"B", Runs::Side::b}})
        if (const runs::KeptRun* run = runs_->chosen(side))
            for (range::DetailRow& row : code_rows(letter, *run, to_hex(record.code)))
                section.rows.push_back(std::move(row));
    if (section.rows.empty()) return;
    const auto below =
        std::ranges::find(sections, tr("Where it ran").toStdString(), &range::DetailSection::title);
    sections.insert(below == sections.end() ? sections.begin() + 1 : below + 1, std::move(section));
}

/// When the run that the Schedule shows executed it, and why not earlier; below what is predicted.
void InspectorDock::showMeasured() {
    auto& sections = details_.sections;
    std::erase_if(sections, [](const auto& s) { return s.title == range::measured_title; });
    const MeasuredRun& measured = *MeasuredRun::of(session_, runs_);
    const auto task = session_->selectedTask();
    const auto block = session_->currentBlock();
    if (!task || !block || sections.empty() || measured.chosen().isEmpty()) return;
    range::DetailSection section;
    if (const auto view = measured.view(); view && view->block == block) {
        section = range::measured_section(*block, *view->measured, view->name.toStdString(), *task);
    } else if (!measured.why().isEmpty()) {
        section.title = range::measured_title;
        section.sentence = measured.why().toStdString();
    } else {
        return; // it is being read
    }
    const auto predicted = std::find_if(sections.begin(), sections.end(),
                                        [](const auto& s) { return s.title == "Schedule"; });
    sections.insert(predicted == sections.end() ? predicted : predicted + 1, std::move(section));
}

/// Predicted and true values of what it read; below its reads.
void InspectorDock::showPredictions() {
    auto& sections = details_.sections;
    std::erase_if(sections, [](const auto& s) { return s.title == runs::prediction_title; });
    const auto task = session_->selectedTask();
    const auto block = session_->currentBlock();
    if (!task || !block || !block->replayed || sections.empty()) return predicting_->cancel();
    // All transactions before it are looked at: too much for the GUI thread in a large block.
    predicting_->start(
        [this, replayed = block->replayed, task = *task,
         place = block->analysis.index->trace->task_in_block(*task)](
            const BackgroundWork::Delivery& deliver, ProgressSink&, const std::stop_token&) {
            range::DetailSection section = runs::prediction_section(*replayed, place);
            if (section.rows.empty()) return;
            deliver([this, task, section = std::move(section)]() mutable {
                if (shows_key_ || session_->selectedTask() != task || details_.sections.empty())
                    return;
                auto& all = details_.sections;
                all.insert(std::find_if(all.begin(), all.end(),
                                        [](const auto& s) { return s.title == "Schedule"; }),
                           std::move(section));
                draw();
            });
        });
}

/// In place of the one that is shown; above the bytes, which are the last sections.
void InspectorDock::showProfile(range::DetailSection section) {
    profile_ = std::move(section);
    auto& sections = details_.sections;
    const auto called = [](const char* title) {
        return [title](const range::DetailSection& s) { return s.title == title; };
    };
    std::erase_if(sections, called("Fuel by function"));
    if (!profile_.title.empty())
        sections.insert(std::find_if(sections.begin(), sections.end(), called("Host calls")),
                        profile_);
    draw();
}

void InspectorDock::draw() {
    const QString title = to_qt(details_.title);
    const bool same_task = page_->documentTitle() == title;
    const int at = page_->verticalScrollBar()->value();
    page_->setHtml(inspector_html(details_, current_theme()));
    page_->setDocumentTitle(title);
    page_->setAccessibleDescription(title);
    if (same_task) page_->verticalScrollBar()->setValue(at); // other rules: keep the place
}

void InspectorDock::copy() const {
    QGuiApplication::clipboard()->setText(inspector_text(details_));
}

void InspectorDock::changeEvent(QEvent* event) {
    Dock::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !details_.title.empty()) draw();
}

void InspectorDock::showEvent(QShowEvent* event) {
    Dock::showEvent(event);
    if (stale_) refresh();
}

} // namespace blockloom::ui
