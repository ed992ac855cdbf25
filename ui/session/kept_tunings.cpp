// What is applied and kept for a device and code, and found again.
#include "session/tunings_state.h"
#include "store/kept_folders.h"
#include "text/numbers.h"

#include <filesystem>

namespace blockloom::ui {
namespace {

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

QString Tunings::words(const runs::TuningSetting& setting) const {
    const execute::StrategyOptions& how = setting.how;
    const QString where = nameOf(setting.backend);
    if (how.strategy == execute::Strategy::serial) return tr("%1, serial").arg(where);
    QString text =
        tr("%1, %2, %3, batches %4 to %5")
            .arg(where, QString::fromLatin1(name_of(how.strategy)),
                 counted(how.workers, tr("worker"), tr("workers")), count_text(how.batch_min),
                 how.batch_max == 0 ? tr("all") : count_text(how.batch_max));
    if (setting.slice != 0) text += tr(", slices of %1").arg(count_text(setting.slice));
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
