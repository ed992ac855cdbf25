#include "session/runs.h"

#include "look/numbers.h"
#include "range/executed.h"
#include "range/state_before.h"
#include "session/background_work.h"
#include "session/session.h"
#include "store/location.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

namespace blockloom::ui {
namespace {

constexpr std::size_t most_runs = 200;

QString from(const std::string& text) {
    return QString::fromStdString(text);
}

/// What the job needs, copied before it leaves the GUI thread.
struct Order {
    range::RangeOptions range;
    std::filesystem::path keep_in;
    std::string backend;
    execute::Strategy strategy = execute::Strategy::serial;
    unsigned workers = 1;
};

constexpr std::array strategies{execute::Strategy::serial, execute::Strategy::levels,
                                execute::Strategy::speculative};

execute::Strategy strategy_named(const QString& name) {
    for (const execute::Strategy strategy : strategies)
        if (name == QLatin1StringView(name_of(strategy))) return strategy;
    return execute::Strategy::serial;
}

Result<execute::RunRecord> replay(const Order& order, ProgressSink& progress,
                                  const std::stop_token& stop) {
    range::RangeOptions listing = order.range;
    listing.chain = "bitcoin"; // blocks only; what they mean is the replay's business
    const auto sources = range::gather_sources(listing, progress, stop);
    if (!sources) return sources.error();
    if (sources->pending.empty())
        return Error{ErrorCode::bad_input, "expected blocks to replay, found none"};
    const auto before =
        range::state_before(order.range.workspace, sources->pending.front(), sources->manifest);
    if (!before) return before.error();

    execute::ReplayOptions how;
    how.network = sources->manifest ? sources->manifest->network : alkanes::Network::mainnet;
    how.contracts = order.range.contracts;
    how.strategy.strategy = order.strategy;
    how.strategy.workers = order.workers;
    std::vector<execute::ReplaySource> blocks;
    for (const range::Pending& pending : sources->pending)
        if (pending.block) blocks.push_back(range::replay_source(pending));

    execute::RunRecord record;
    record.backend = order.backend;
    record.device = report::this_machine().processor;
    record.strategy = name_of(order.strategy);
    record.workers = order.workers;
    record.engine = name_of(how.engine);
    record.network = name_of(how.network);
    record.sources = order.range.sources;
    record.workspace = order.range.workspace;
    auto summary = execute::replay_on(
        before->view(), blocks, how, true,
        [&record](const std::shared_ptr<const execute::ReplayedBlock>& block) {
            record.blocks.push_back(summary_of(*block));
            return Status();
        },
        progress, stop);
    if (!summary) return summary.error();
    record.summary = *std::move(summary);
    record.walls.push_back(record.summary.wall);
    const std::int64_t now = std::time(nullptr);
    record.date = execute::run_date(now);
    record.id = execute::run_id(now, record);
    return record;
}

Status keep(const std::filesystem::path& folder, execute::RunRecord& record) {
    auto workspace = store::Workspace::open(folder);
    if (!workspace) return workspace.error();
    return report::keep_run(**workspace, record, report::provenance_now(BLOCKLOOM_VERSION));
}

} // namespace

struct Runs::State {
    Session* session = nullptr;
    BackgroundWork reading;
    std::vector<Backend> backends{
        {QStringLiteral("auto"), Runs::tr("Auto · takes the CPU"), {}, {}},
        {QStringLiteral("cpu"), Runs::tr("CPU"), {}, {}}};
    std::vector<StrategyChoice> strategies;
    QString backend = QStringLiteral("auto"), strategy = QStringLiteral("serial");
    QString own_folder; ///< instead of the user's own workspace
    QString newest;     ///< a run that was just kept: compared once it is listed
    std::vector<report::KeptRun> kept;
    std::array<QString, 2> compared; ///< ids of A and B

    [[nodiscard]] const report::KeptRun* find(const QString& id) const {
        const std::string wanted = id.toStdString();
        const auto at = std::find_if(kept.begin(), kept.end(),
                                     [&](const auto& run) { return run.id == wanted; });
        return id.isEmpty() || at == kept.end() ? nullptr : &*at;
    }

    /// A run just made takes the place of B, the first one that of A. Where nothing is chosen, the
    /// newest run is held against what its speed-up is measured against, else against the run
    /// before it on the same blocks.
    void choose_compared() {
        if (find(newest) != nullptr) {
            compared[find(compared[0]) == nullptr ? 0 : 1] = newest;
            return;
        }
        if (kept.empty() || find(compared[0]) != nullptr || find(compared[1]) != nullptr) return;
        const report::KeptRun& last = kept.front();
        const report::KeptRun* other = report::baseline_of(last, kept);
        for (std::size_t i = 1; i < kept.size() && (other == nullptr || other == &last); ++i)
            if (report::compare(kept[i], last).digests != report::Equality::other_input)
                other = &kept[i];
        if (other == &last) other = nullptr;
        compared = {from(other == nullptr ? last.id : other->id),
                    other == nullptr ? QString() : from(last.id)};
    }
};

Runs::Runs(Session* session, QObject* parent) : QObject(parent), state_(std::make_unique<State>()) {
    State& s = *state_;
    s.session = session;
    s.strategies = {
        {QStringLiteral("serial"), tr("Block order, one message after the other"), {}},
        {QStringLiteral("levels"), tr("Rounds cut by the levels of known access sets"), {}},
        {QStringLiteral("speculative"),
         tr("All at once, and again what read something else than its predecessors left"),
         {}}};
    connect(session, &Session::rangeChanged, this, &Runs::reload);
}

Runs::~Runs() = default;

const std::vector<Backend>& Runs::backends() const {
    return state_->backends;
}

void Runs::setBackends(std::vector<Backend> backends) {
    State& s = *state_;
    s.backends = std::move(backends);
    const auto chosen = std::find_if(s.backends.begin(), s.backends.end(),
                                     [&](const Backend& b) { return b.key == s.backend; });
    if (chosen == s.backends.end() || !chosen->usable()) s.backend = QStringLiteral("auto");
    Q_EMIT backendsChanged();
    Q_EMIT choiceChanged();
}

const std::vector<StrategyChoice>& Runs::strategies() const {
    return state_->strategies;
}

QString Runs::backend() const {
    return state_->backend;
}

QString Runs::strategy() const {
    return state_->strategy;
}

void Runs::setBackend(const QString& key) {
    State& s = *state_;
    for (const Backend& backend : s.backends)
        if (backend.key == key && backend.usable()) s.backend = key;
    Q_EMIT choiceChanged(); // also where it was refused: controls show what holds
}

void Runs::setStrategy(const QString& name) {
    State& s = *state_;
    for (const StrategyChoice& strategy : s.strategies)
        if (strategy.name == name && strategy.usable()) s.strategy = name;
    Q_EMIT choiceChanged();
}

QString Runs::whyNot() const {
    const auto range = state_->session->range();
    if (!range) return tr("Open a range first");
    if (range->totals.executed == 0)
        return tr("Only blocks whose messages are executed can be replayed: Range, Read as, "
                  "Alkanes");
    return {};
}

void Runs::start() {
    State& s = *state_;
    if (!whyNot().isEmpty()) return;
    Order order;
    order.range = s.session->rangeOptions();
    order.keep_in = folder().toStdString();
    order.backend = "cpu"; // what Auto takes
    order.strategy = strategy_named(s.strategy);
    if (order.strategy != execute::Strategy::serial) order.workers = s.session->workers();
    s.session->perform([this, order](const BackgroundWork::Delivery& deliver, ProgressSink& sink,
                                     const std::stop_token& stop) {
        auto record = replay(order, sink, stop);
        Status kept;
        if (record && !order.keep_in.empty() && !stop.stop_requested())
            kept = keep(order.keep_in, *record);
        deliver([this, record = std::move(record), kept] {
            if (!record) {
                if (record.error().code != ErrorCode::cancelled)
                    Q_EMIT state_->session->failed(from(record.error().message));
                return;
            }
            if (!kept) {
                Q_EMIT state_->session->failed(
                    tr("The run was not kept: %1").arg(from(kept.error().message)));
                return;
            }
            Q_EMIT state_->session->logged(QStringLiteral("info"),
                                           tr("Run %1 kept in %2").arg(from(record->id), folder()));
            state_->newest = from(record->id);
            reload();
        });
    });
}

void Runs::setFolder(const QString& workspace) {
    state_->own_folder = workspace;
    reload();
}

QString Runs::folder() const {
    const State& s = *state_;
    if (!s.session->choices().workspace.isEmpty()) return s.session->choices().workspace;
    if (!s.own_folder.isEmpty()) return s.own_folder;
    const auto own = store::default_folder();
    return own ? QString::fromStdString(own->string()) : QString();
}

void Runs::reload() {
    const QString where = folder();
    if (where.isEmpty()) return;
    state_->reading.start([this, where](const BackgroundWork::Delivery& deliver, ProgressSink&,
                                        const std::stop_token&) {
        std::vector<std::string> unreadable;
        auto kept = report::kept_runs(where.toStdString(), most_runs, unreadable);
        deliver([this, kept = std::move(kept), unreadable] {
            State& s = *state_;
            for (const std::string& line : unreadable)
                Q_EMIT s.session->logged(QStringLiteral("warning"), from(line));
            if (kept)
                s.kept = *kept;
            else
                Q_EMIT s.session->logged(QStringLiteral("warning"), from(kept.error().message));
            s.choose_compared();
            Q_EMIT keptChanged();
            Q_EMIT comparedChanged();
            const report::KeptRun* made = s.find(std::exchange(s.newest, {}));
            if (made != nullptr)
                Q_EMIT finished(
                    tr("Run kept: %1, state digest %2")
                        .arg(time_text(made->wall), made->state_digest.empty()
                                                        ? tr("not computed")
                                                        : shortened(from(made->state_digest))));
        });
    });
}

bool Runs::reading() const {
    return state_->reading.running();
}

const std::vector<report::KeptRun>& Runs::kept() const {
    return state_->kept;
}

const report::KeptRun* Runs::baselineOf(const report::KeptRun& run) const {
    return report::baseline_of(run, state_->kept);
}

const report::KeptRun* Runs::chosen(Side side) const {
    return state_->find(state_->compared[static_cast<std::size_t>(side)]);
}

void Runs::choose(Side side, const QString& id) {
    QString& at = state_->compared[static_cast<std::size_t>(side)];
    if (at == id) return;
    at = id;
    Q_EMIT comparedChanged();
}

void Runs::swap() {
    std::swap(state_->compared[0], state_->compared[1]);
    Q_EMIT comparedChanged();
}

} // namespace blockloom::ui
