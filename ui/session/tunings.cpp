#include "session/tunings.h"
#include "session/backends.h"

#include "session/background_work.h"
#include "session/run_edits.h"
#include "session/runs.h"
#include "session/session.h"
#include "store/kept_folders.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <thread>

namespace blockloom::ui {
namespace {

/// What was kept, and for which device.
struct KeptSetting {
    runs::TuningSetting setting;
    QString backend, device;
};

/// 1, 2, 4 … and the number of cores.
std::vector<unsigned> worker_counts() {
    const unsigned cores = std::max(std::thread::hardware_concurrency(), 1U);
    std::vector<unsigned> counts;
    for (unsigned count = 1; count < cores; count *= 2) counts.push_back(count);
    counts.push_back(cores);
    return counts;
}

/// Whether a sweep is of these blocks, on the state that they were opened on.
bool is_of(const runs::ReplayTuning& tuned, const range::Range& range) {
    std::size_t at = 0;
    for (const auto& block : range.blocks) {
        if (!block->replayed) continue;
        if (at >= tuned.digests.size() || tuned.digests[at] != block->replayed->execution->digest)
            return false;
        ++at;
    }
    return at == tuned.digests.size();
}

} // namespace

struct Tunings::State {
    Session* session = nullptr;
    Runs* runs = nullptr;
    BackgroundWork reading;
    runs::TuningSpace space;
    unsigned seconds = 60;
    bool coarse = true;
    Scope scope = Scope::range;
    int first_row = -1, last_row = -1, selected_rows = 0;
    Doing doing = Doing::nothing;
    std::shared_ptr<const range::Range> range;                      ///< that what was seen is of
    std::map<std::pair<std::size_t, std::size_t>, SeenTuning> seen; ///< by first block and count
    std::vector<KeptSetting> found;
    std::optional<runs::TuningSetting> kept;
    QString kept_device;

    [[nodiscard]] std::pair<std::size_t, std::size_t> blocks() const {
        if (!range) return {0, 0};
        const std::size_t all = range->blocks.size();
        if (scope == Scope::range) return {0, all};
        const int current = session->currentRow();
        const bool chosen = first_row >= 0 && first_row <= current && current <= last_row;
        const auto first = static_cast<std::size_t>(std::max(chosen ? first_row : current, 0));
        const auto last = static_cast<std::size_t>(std::max(chosen ? last_row : current, 0));
        return {first, std::min(last, all - 1) - first + 1};
    }

    /// Of the device that the next run goes to; with Auto of a device, then of the processor.
    void choose_kept() {
        kept.reset();
        kept_device.clear();
        const QString chosen = runs->backend();
        for (const KeptSetting& one : found) {
            // A device's sweep may have found the processor faster: the kept setting stays.
            if (chosen != QLatin1StringView("auto") && chosen != one.backend &&
                chosen != backend_of(one.setting))
                continue;
            if (kept && one.backend == QLatin1StringView("cpu")) continue;
            kept = one.setting;
            kept_device = one.device;
            if (one.backend != QLatin1StringView("cpu")) break;
        }
    }

    [[nodiscard]] RunLimits limits_of(const runs::TuningSetting& setting) const {
        // A point on the processor says nothing about how a device shares its rounds.
        const bool cpu = setting.backend == "cpu";
        return {setting.how.batch_min, setting.how.batch_max, setting.slice, setting.how.window,
                cpu ? runs->limits().hybrid : setting.how.hybrid};
    }

    /// Where a setting came from a command line, "vulkan" is its first device.
    [[nodiscard]] QString backend_of(const runs::TuningSetting& setting) const {
        const QString key = to_qt(setting.backend);
        for (const Backend& backend : runs->backends())
            if (backend.usable() &&
                (backend.key == key || backend.key.section(QLatin1Char(':'), 0, 0) == key))
                return backend.key;
        return key;
    }

    [[nodiscard]] bool in_use(const runs::TuningSetting& setting) const {
        const bool serial = setting.how.strategy == execute::Strategy::serial;
        return runs->strategy() == QLatin1StringView(name_of(setting.how.strategy)) &&
               runs->backend() == backend_of(setting) &&
               (serial ||
                (runs->workers() == setting.how.workers && runs->limits() == limits_of(setting)));
    }

    /// An undo step: the tool row's settings, and what else belongs to it.
    void push_settings(const runs::TuningSetting& setting, const QString& description,
                       std::function<void()> also, std::function<void()> also_back) {
        const auto set = [this](const QString& backend, const QString& strategy, quint32 workers,
                                const RunLimits& limits) {
            runs->setBackend(backend);
            runs->setStrategy(strategy);
            runs->setLimits(limits);
            runs->setWorkers(workers);
        };
        const bool serial = setting.how.strategy == execute::Strategy::serial;
        session->undoStack().push(new EditCommand(
            description,
            [set, also = std::move(also), backend = backend_of(setting),
             strategy = to_qt(name_of(setting.how.strategy)),
             workers = serial ? runs->workers() : setting.how.workers,
             limits = serial ? runs->limits() : limits_of(setting)] {
                set(backend, strategy, workers, limits);
                if (also) also();
            },
            [set, also_back = std::move(also_back), backend = runs->backend(),
             strategy = runs->strategy(), workers = runs->workers(), limits = runs->limits()] {
                set(backend, strategy, workers, limits);
                if (also_back) also_back();
            }));
    }
};

Tunings::Tunings(Session* session, Runs* runs, QObject* parent)
    : QObject(parent), state_(std::make_unique<State>()) {
    State& s = *state_;
    s.session = session;
    s.runs = runs;
    s.space.workers = worker_counts();
    s.space.batch_min = {4};
    s.space.batch_max = {16, 64, 256, 1024, 4096, 0};
    s.space.hybrid = {1}; // as runs do
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
    // Whatever ended it, cancel or newer work: the measurements stay.
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

/// Blocks in between cannot be skipped: each is executed on the state left by the previous one.
QString Tunings::scopeNote() const {
    const State& s = *state_;
    const auto [first, count] = s.blocks();
    const auto selected = static_cast<std::size_t>(std::max(s.selected_rows, 0));
    if (s.scope != Scope::blocks || !s.range || count < 2 || selected >= count) return {};
    return tr("%1 selected; the blocks between them are replayed and measured, too (%2 in all), "
              "because each block needs the state left by the previous one")
        .arg(counted(selected, tr("block"), tr("blocks")), count_text(count));
}

std::size_t Tunings::points() const {
    return runs::settings_of(state_->space).size();
}

QString Tunings::whyNot() const {
    const QString why = state_->runs->whyNot();
    if (!why.isEmpty()) return why;
    if (points() == 0) return tr("Every Batch max is below every Batch min");
    if (state_->session->busy()) return tr("Busy: wait for the operation in progress to finish");
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
    const bool whole = s.scope == Scope::range; // others are trials, and not kept
    s.session->perform(
        [this, scope, whole, order = std::move(order)](const BackgroundWork::Delivery& deliver,
                                                       ProgressSink& sink,
                                                       const std::stop_token& stop) {
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
            // However fast replays are, the window has one snapshot to show, never a queue.
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
            deliver([this, message = to_qt(tuned.error().message)] {
                Q_EMIT state_->session->logged(QStringLiteral("error"), message);
                Q_EMIT failed(message);
            });
        },
        tr("Sweep"), tr("its measured points were not kept"));
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
    const QString key = to_qt(backend);
    if (key == QLatin1StringView("cpu")) return tr("CPU");
    for (const Backend& one : state_->runs->backends())
        if (one.key == key) return one.device.isEmpty() ? one.name : one.device;
    return key;
}

QString Tunings::words(const runs::TuningSetting& setting) const {
    const execute::StrategyOptions& how = setting.how;
    const QString where = nameOf(setting.backend);
    if (how.strategy == execute::Strategy::serial) return tr("%1, serial").arg(where);
    QString text =
        tr("%1, %2, %3, batches %4 to %5")
            .arg(where, to_qt(name_of(how.strategy)),
                 counted(how.workers, tr("worker"), tr("workers")), count_text(how.batch_min),
                 how.batch_max == 0 ? tr("all") : count_text(how.batch_max));
    if (how.window != 1)
        text += tr(", windows of %1").arg(counted(how.window, tr("block"), tr("blocks")));
    if (setting.slice != 0) text += tr(", slices of %1").arg(count_text(setting.slice));
    if (how.hybrid) text += tr(", shared with the workers");
    return text;
}

void Tunings::apply(const runs::TuningSetting& setting) {
    State& s = *state_;
    const auto tuning = seen().tuning;
    if (!tuning) return;
    const auto before = std::make_shared<runs::TuningLabels>();
    const auto keep = [this, tuning, setting, before] {
        state_->runs->changeFolder([tuning, setting, before](const std::filesystem::path& folder) {
            const auto tunings = store::open_tunings(folder);
            if (!tunings) return Status(tunings.error());
            auto labels = runs::tuning_labels(*tunings, *tuning);
            if (!labels) return Status(labels.error());
            *before = *std::move(labels);
            return runs::keep_tuning(*tunings, *tuning, setting);
        });
    };
    const auto take_back = [this, before] {
        state_->runs->changeFolder([before](const std::filesystem::path& folder) {
            const auto tunings = store::open_tunings(folder);
            return tunings ? runs::restore_labels(*tunings, *before) : Status(tunings.error());
        });
    };
    s.push_settings(setting, tr("apply and keep %1").arg(words(setting)), keep, take_back);
}

/// Off the GUI thread: files are read.
void Tunings::readKept() {
    State& s = *state_;
    const auto range = s.session->range();
    const QString folder = s.runs->folder();
    if (!range || range->totals.executed == 0 || folder.isEmpty()) {
        s.found.clear();
        s.choose_kept();
        Q_EMIT keptChanged();
        return;
    }
    s.reading.start([this, range, folder,
                     backends = s.runs->backends()](const BackgroundWork::Delivery& deliver,
                                                    ProgressSink&, const std::stop_token&) {
        std::vector<KeptSetting> found;
        std::shared_ptr<runs::ReplayTuning> sweep; // the latest of the devices here
        if (const auto tunings = store::open_tunings(folder.toStdString()))
            for (const Backend& backend : backends) {
                if (!backend.usable() || backend.device.isEmpty()) continue;
                const std::string device = backend.device.toStdString();
                const auto kept = runs::kept_tuning(*tunings, device, code_of(*range));
                if (kept && *kept) found.push_back({**kept, backend.key, backend.device});
                auto swept = runs::kept_sweep(*tunings, device, code_of(*range));
                if (swept && *swept && is_of(**swept, *range) &&
                    (!sweep || sweep->date < (*swept)->date))
                    sweep = std::make_shared<runs::ReplayTuning>(**std::move(swept));
            }
        SeenTuning seen;
        if (sweep) seen = {sweep, runs::predict_points(*sweep)};
        deliver([this, range, found = std::move(found), seen = std::move(seen)] {
            State& state = *state_;
            state.found = found;
            state.choose_kept();
            Q_EMIT keptChanged();
            SeenTuning& whole = state.seen[{0, range->blocks.size()}];
            if (!seen.tuning || whole.tuning || range != state.range) return;
            whole = seen;
            Q_EMIT changed();
        });
    });
}

bool Tunings::reading() const {
    return state_->reading.running();
}

const std::optional<runs::TuningSetting>& Tunings::kept() const {
    return state_->kept;
}

QString Tunings::keptDevice() const {
    return state_->kept_device;
}

bool Tunings::usesKept() const {
    return state_->kept && state_->in_use(*state_->kept);
}

void Tunings::useKept() {
    State& s = *state_;
    if (s.kept && !usesKept())
        s.push_settings(*s.kept, tr("use tuned: %1").arg(words(*s.kept)), {}, {});
}

void Tunings::keepSweep(const std::shared_ptr<const runs::ReplayTuning>& tuned) {
    state_->runs->changeFolder([tuned](const std::filesystem::path& folder) {
        const auto tunings = store::open_tunings(folder);
        if (!tunings) return Status(tunings.error());
        return runs::keep_sweep(*tunings, *tuned, runs::provenance_now(BLOCKLOOM_VERSION));
    });
}

} // namespace blockloom::ui
