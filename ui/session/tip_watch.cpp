#include "session/tip_watch.h"

#include "range/followed_place.h"
#include "range/followed_range.h"
#include "range/node_blocks.h"
#include "range/open_range.h"
#include "session/session.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <mutex>

namespace blockloom::ui {

struct TipWatch::SharedRules {
    void set(const schedule::AnalysisOptions& options) {
        const std::scoped_lock lock(guard);
        now = options;
    }
    [[nodiscard]] schedule::AnalysisOptions get() {
        const std::scoped_lock lock(guard);
        return now;
    }
    std::mutex guard;
    schedule::AnalysisOptions now;
};

TipWatch::TipWatch(Session* session, QObject* parent)
    : QObject(parent), session_(session), work_(new BackgroundWork(this)),
      rules_(std::make_shared<SharedRules>()) {
    connect(session_, &Session::optionsChanged, this, [this] { rules_->set(session_->options()); });
    connect(session_, &Session::opened, this, [this] {
        stop();
        if (session_->choices().follow && whyNot().isEmpty()) start();
    });
    connect(session_, &Session::rangeChanged, this, [this] {
        if (session_->range())
            Q_EMIT changed(); // its last block
        else
            stop();
    });
    connect(work_, &BackgroundWork::finished, this, &TipWatch::changed);
}

TipWatch::~TipWatch() {
    delete work_; // before what it uses
}

QString TipWatch::whyNot() const {
    const auto range = session_->range();
    if (!range) return tr("Open a range first");
    const QStringList sources = session_->sources();
    if (sources.size() != 1 || !range::can_be_followed(sources.front().toStdString()))
        return tr(
            "Only the blocks of one node or indexer can be followed: File ▸ Open from a node");
    if (range->totals.executed != 0 && !session_->choices().state.ofIndexer())
        return tr(
            "The initial state of new blocks must come from an indexer: Range ▸ Initial state");
    return {};
}

void TipWatch::setFollowing(bool on) {
    if (on == following()) return;
    if (on && !whyNot().isEmpty()) return;
    session_->setFollows(on);
    on ? start() : stop();
}

QString TipWatch::words() const {
    const auto range = session_->range();
    if (!following() || !range) return {};
    if (!silent_.isEmpty()) return tr("Following: the node does not answer");
    const auto blocks = range::node_blocks_of(*range);
    return blocks.empty() ? tr("Following")
                          : tr("Following, block %1").arg(count_text(blocks.back().height));
}

QString TipWatch::details() const {
    const QString source = to_qt(range::shown_source(session_->sources().value(0).toStdString()));
    return silent_.isEmpty() ? source : tr("%1: %2").arg(source, silent_);
}

void TipWatch::stop() {
    silent_.clear();
    work_->cancel();
    Q_EMIT changed();
}

void TipWatch::fail(const Error& error) {
    const QString words = tr("Following has ended: %1").arg(to_qt(error.message));
    session_->setFollows(false);
    Q_EMIT session_->logged(QStringLiteral("error"), words);
    Q_EMIT session_->failed(words);
}

void TipWatch::start() {
    silent_.clear();
    rules_->set(session_->options());
    range::RangeOptions options = session_->rangeOptions();
    options.state.height.reset(); // each block has a state of its own before it
    work_->start([this, options, known = range::node_blocks_of(*session_->range()),
                  interval = interval_,
                  shared = rules_](const BackgroundWork::Delivery& deliver, ProgressSink& sink,
                                   const std::stop_token& stop) {
        const auto node = range::open_followed_source(options);
        const auto indexer = range::open_followed_state(options);
        if (!node || !indexer) {
            deliver([this, error = node ? indexer.error() : node.error()] { fail(error); });
            return;
        }
        range::FollowPlan plan{.node = **node, .clock = node::steady_wait_clock()};
        plan.interval = interval;
        plan.known = known;
        range::FollowEvents events;
        Rules made_by;
        events.open = [&](std::uint64_t height) {
            range::RangeOptions one = options;
            one.from = one.to = height;
            one.analysis = shared->get();
            made_by = {one.analysis.model, one.analysis.policy, one.analysis.use_cost};
            return range::open_range(one, sink, stop);
        };
        events.removed = [&](const node::NodeBlock& block) {
            deliver([this, block] {
                const QString words = tr("Block %1, %2, was replaced by another branch")
                                          .arg(count_text(block.height),
                                               shortened(to_qt(to_reversed_hex(block.hash))));
                session_->grow({{block}, {}}, {});
                Q_EMIT session_->logged(QStringLiteral("warning"), words);
                Q_EMIT replaced(words);
            });
            return Status();
        };
        events.added = [&](const node::NodeBlock& block,
                           const std::shared_ptr<const range::Range>& range) {
            deliver([this, block, range, made_by] {
                session_->grow({{}, {range}}, made_by);
                Q_EMIT session_->logged(
                    QStringLiteral("info"),
                    tr("Block %1 was added: %2")
                        .arg(count_text(block.height),
                             counted(range->totals.tasks, tr("task"), tr("tasks"))));
            });
            return Status();
        };
        if (*indexer != nullptr)
            events.why_not_yet = [&](const node::NodeBlock& block) {
                return range::why_no_state_yet(**indexer, **node, block, false, stop);
            };
        events.waiting = [&](const std::string& why) {
            deliver([this, words = to_qt(why)] {
                Q_EMIT session_->logged(QStringLiteral("info"), words);
            });
        };
        events.unreachable = [&](const Error& why) {
            deliver([this, words = to_qt(why.message)] {
                silent_ = words;
                Q_EMIT session_->logged(QStringLiteral("warning"), words);
                Q_EMIT changed();
            });
        };
        events.reachable = [&] {
            deliver([this] {
                silent_.clear();
                Q_EMIT changed();
            });
        };
        const Status followed = range::follow_blocks(plan, events, stop);
        if (!followed && followed.error().code != ErrorCode::cancelled)
            deliver([this, error = followed.error()] { fail(error); });
    });
    Q_EMIT changed();
}

} // namespace blockloom::ui
