// What Tunings holds; for its own files.
#pragma once

#include "session/background_work.h"
#include "session/run_edits.h"
#include "session/runs.h"
#include "session/session.h"
#include "session/tunings.h"

#include <map>

namespace blockloom::ui {

/// What was kept, and for which device.
struct KeptSetting {
    runs::TuningSetting setting;
    QString backend, device;
};

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
            // A device's sweep may have found the processor faster: it stays what was kept.
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
        return {setting.how.batch_min, setting.how.batch_max, setting.slice};
    }

    /// Where a setting came from a command line, "vulkan" is its first device.
    [[nodiscard]] QString backend_of(const runs::TuningSetting& setting) const {
        const QString key = QString::fromStdString(setting.backend);
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
               (serial || (session->workers() == setting.how.workers &&
                           runs->limits() == limits_of(setting)));
    }

    /// An undo step: the tool row's settings, and what else belongs to it.
    void push_settings(const runs::TuningSetting& setting, const QString& description,
                       std::function<void()> also, std::function<void()> also_back) {
        const auto set = [this](const QString& backend, const QString& strategy, quint32 workers,
                                const RunLimits& limits) {
            runs->setBackend(backend);
            runs->setStrategy(strategy);
            runs->setLimits(limits);
            session->setWorkers(workers);
        };
        const bool serial = setting.how.strategy == execute::Strategy::serial;
        session->undoStack().push(new EditCommand(
            description,
            [set, also = std::move(also), backend = backend_of(setting),
             strategy = QString::fromLatin1(name_of(setting.how.strategy)),
             workers = serial ? session->workers() : setting.how.workers,
             limits = serial ? runs->limits() : limits_of(setting)] {
                set(backend, strategy, workers, limits);
                if (also) also();
            },
            [set, also_back = std::move(also_back), backend = runs->backend(),
             strategy = runs->strategy(), workers = session->workers(), limits = runs->limits()] {
                set(backend, strategy, workers, limits);
                if (also_back) also_back();
            }));
    }
};

} // namespace blockloom::ui
