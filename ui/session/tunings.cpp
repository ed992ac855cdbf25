#include "session/tunings_state.h"

#include "text/numbers.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace blockloom::ui {
namespace {

QString from(const std::string& text) {
    return QString::fromStdString(text);
}

/// 1, 2, 4 … and the number of cores.
std::vector<unsigned> worker_counts() {
    const unsigned cores = std::max(std::thread::hardware_concurrency(), 1U);
    std::vector<unsigned> counts;
    for (unsigned count = 1; count < cores; count *= 2) counts.push_back(count);
    counts.push_back(cores);
    return counts;
}

} // namespace

Tunings::Tunings(Session* session, Runs* runs, QObject* parent)
    : QObject(parent), state_(std::make_unique<State>()) {
    State& s = *state_;
    s.session = session;
    s.runs = runs;
    s.space.workers = worker_counts();
    s.space.batch_min = {4};
    s.space.batch_max = {16, 64, 256, 1024, 4096, 0};
    connect(session, &Session::rangeChanged, this, [this] {
        State& state = *state_;
        const auto range = state.session->range();
        // Rules of the analysis change nothing of how blocks are replayed.
        const bool same =
            state.range && range && state.range->blocks.size() == range->blocks.size() &&
            std::equal(range->blocks.begin(), range->blocks.end(), state.range->blocks.begin(),
                       [](const auto& a, const auto& b) { return a->replayed == b->replayed; });
        state.range = range;
        if (same) return;
        state.seen.clear();
        state.first_row = state.last_row = -1;
        Q_EMIT choiceChanged();
        Q_EMIT changed();
        readKept();
    });
    connect(session, &Session::blockChanged, this, [this] {
        if (state_->scope != Scope::blocks) return;
        Q_EMIT choiceChanged();
        Q_EMIT changed();
    });
    // Whatever ended it, cancel or newer work: what was measured stays.
    connect(session, &Session::busyChanged, this, [this](bool busy) {
        if (busy) return;
        state_->doing = Doing::nothing;
        Q_EMIT changed();
    });
    connect(runs, &Runs::backendsChanged, this, &Tunings::readKept);
    connect(runs, &Runs::keptChanged, this, &Tunings::readKept);
    connect(runs, &Runs::choiceChanged, this, [this] {
        state_->choose_kept();
        Q_EMIT keptChanged();
    });
}

Tunings::~Tunings() = default;

const runs::TuningSpace& Tunings::space() const {
    return state_->space;
}

void Tunings::setSpace(const runs::TuningSpace& space) {
    state_->space = space;
    Q_EMIT choiceChanged();
}

unsigned Tunings::seconds() const {
    return state_->seconds;
}

void Tunings::setSeconds(unsigned seconds) {
    state_->seconds = seconds;
    Q_EMIT choiceChanged();
}

bool Tunings::coarse() const {
    return state_->coarse;
}

void Tunings::setCoarse(bool coarse) {
    state_->coarse = coarse;
    Q_EMIT choiceChanged();
}

Tunings::Scope Tunings::scope() const {
    return state_->scope;
}

void Tunings::setScope(Scope scope) {
    if (scope == state_->scope) return;
    state_->scope = scope;
    Q_EMIT choiceChanged();
    Q_EMIT changed();
}

void Tunings::setRows(int first, int last, int selected) {
    State& s = *state_;
    if (s.first_row == first && s.last_row == last && s.selected_rows == selected) return;
    s.selected_rows = selected;
    s.first_row = first;
    s.last_row = last;
    if (s.scope != Scope::blocks) return;
    Q_EMIT choiceChanged();
    Q_EMIT changed();
}

QString Tunings::scopeWords() const {
    const State& s = *state_;
    const auto [first, count] = s.blocks();
    if (count != 1 || !s.range) return counted(count, tr("block"), tr("blocks"));
    const auto& replayed = s.range->blocks[first]->replayed;
    return replayed ? tr("block %1").arg(count_text(replayed->height())) : tr("1 block");
}

/// Blocks in between cannot be left out: each is executed on what the one before it left.
QString Tunings::scopeNote() const {
    const State& s = *state_;
    const auto [first, count] = s.blocks();
    const auto selected = static_cast<std::size_t>(std::max(s.selected_rows, 0));
    if (s.scope != Scope::blocks || !s.range || count < 2 || selected >= count) return {};
    return tr("%1 are selected; those between them are replayed and measured too, %2 in all: a "
              "block needs the state that the one before it leaves")
        .arg(counted(selected, tr("block"), tr("blocks")), count_text(count));
}

std::size_t Tunings::points() const {
    return runs::settings_of(state_->space).size();
}

QString Tunings::whyNot() const {
    const QString why = state_->runs->whyNot();
    if (!why.isEmpty()) return why;
    if (points() == 0) return tr("Every largest batch is below every smallest one");
    if (state_->session->busy()) return tr("Something else is being worked on");
    return {};
}

void Tunings::sweep() {
    TuningOrder order;
    order.space = state_->space;
    start(std::move(order), Doing::sweeping);
}

void Tunings::measure(const runs::TuningSetting& setting, unsigned times) {
    TuningOrder order;
    order.one = TuningOne{setting, times};
    if (const auto known = seen().tuning) order.known = *known;
    order.known.tuning.measuring.reset();
    start(std::move(order), Doing::measuring);
}

void Tunings::start(TuningOrder order, Doing doing) {
    State& s = *state_;
    if (!whyNot().isEmpty()) return;
    order.range = s.range;
    std::tie(order.first, order.count) = s.blocks();
    order.options = s.session->rangeOptions();
    order.seconds = s.seconds;
    order.coarse = s.coarse;
    const auto scope = s.blocks();
    const bool whole = s.scope == Scope::range; // others are tries, and not kept
    s.session->perform([this, scope, whole,
                        order = std::move(order)](const BackgroundWork::Delivery& deliver,
                                                  ProgressSink& sink, const std::stop_token& stop) {
        const auto hand_over = [this, scope, &deliver, range = order.range](const auto& tuning,
                                                                            auto after) {
            SeenTuning now{tuning, runs::predict_points(*tuning)};
            deliver([this, scope, range, after, now = std::move(now)] {
                after();
                if (range != state_->range) return;
                state_->seen[scope] = now;
                Q_EMIT changed();
            });
        };
        // However fast replays are, the window has one snapshot to look at and never a queue.
        const auto waiting = std::make_shared<std::atomic<bool>>(false);
        const auto tuned = perform_tuning(
            order,
            [&](const std::shared_ptr<const runs::ReplayTuning>& tuning) {
                if (tuning->tuning.measurements == 0 || waiting->exchange(true)) return;
                hand_over(tuning, [waiting] { *waiting = false; });
            },
            sink, stop);
        if (tuned) {
            const auto ended = std::make_shared<const runs::ReplayTuning>(*tuned);
            return hand_over(ended, [this, ended, whole] {
                if (whole) keepSweep(ended);
            });
        }
        if (tuned.error().code == ErrorCode::cancelled) return;
        deliver([this, message = from(tuned.error().message)] {
            Q_EMIT state_->session->logged(QStringLiteral("error"), message);
            Q_EMIT failed(message);
        });
    });
    s.doing = doing;
    Q_EMIT changed();
}

Tunings::Doing Tunings::doing() const {
    return state_->doing;
}

const SeenTuning& Tunings::seen() const {
    static const SeenTuning nothing;
    const auto at = state_->seen.find(state_->blocks());
    return at == state_->seen.end() ? nothing : at->second;
}

QString Tunings::nameOf(const std::string& backend) const {
    const QString key = from(backend);
    if (key == QLatin1StringView("cpu")) return tr("CPU");
    for (const Backend& one : state_->runs->backends())
        if (one.key == key) return one.device.isEmpty() ? one.name : one.device;
    return key;
}

} // namespace blockloom::ui
