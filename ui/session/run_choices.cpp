#include "session/run_choices.h"

#include "compute/settings.h"
#include "session/run_job.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace blockloom::ui {
namespace {

execute::Strategy strategy_named(const QString& name) {
    return execute::strategy_named(name.toStdString()).value_or(execute::Strategy::serial);
}

} // namespace

RunChoices::RunChoices(QObject* parent)
    : QObject(parent), backends_{{QStringLiteral("auto"), tr("Auto"), {}, {}},
                                 {QStringLiteral("cpu"), tr("CPU"), {}, {}}},
      strategies_{
          {QStringLiteral("auto"),
           tr("For each block window the strategy that promises most, by what was learned of the "
              "range"),
           {}},
          {QStringLiteral("serial"), tr("In block order, one message after another"), {}},
          {QStringLiteral("levels"), tr("Rounds follow the levels of known access sets"), {}},
          {QStringLiteral("speculative"),
           tr("All at once; transactions that read outdated values are re-executed"),
           {}},
          {QStringLiteral("dag"),
           tr("Each transaction as soon as those it depends on have run, by what similar ones "
              "accessed before"),
           {}},
          {QStringLiteral("optimistic"),
           tr("Block-STM: in block order, executed and validated side by side"),
           {}},
          {QStringLiteral("predict"),
           tr("Chains at once, on values predicted from earlier messages; wrong predictions are "
              "re-executed"),
           {}}},
      workers_(std::max(std::thread::hardware_concurrency(), 1U)), open_(compute::open_provider) {
    // What the controls show counts, so they begin with what is configured.
    if (const auto settings = compute::read_settings())
        limits_.batch_min = settings->batch_min.value.value_or(limits_.batch_min);
}

void RunChoices::setBackends(std::vector<Backend> backends) {
    backends_ = std::move(backends);
    const auto chosen = std::find_if(backends_.begin(), backends_.end(),
                                     [&](const Backend& b) { return b.key == backend_; });
    if (chosen == backends_.end() || !chosen->usable()) backend_ = QStringLiteral("auto");
    fitStrategy();
    Q_EMIT backendsChanged();
    Q_EMIT changed();
}

/// A device runs many at once or nothing: block order is the CPU's.
void RunChoices::fitStrategy() {
    const bool device =
        backend_ != QLatin1StringView("auto") && backend_ != QLatin1StringView("cpu");
    const QString serial = QLatin1StringView(name_of(execute::Strategy::serial));
    for (StrategyChoice& choice : strategies_)
        if (choice.name == serial)
            choice.why = device ? tr("the serial strategy runs on the CPU only; a device "
                                     "runs many messages at once")
                                : QString();
    if (device && strategy_ == serial)
        strategy_ = QLatin1StringView(name_of(execute::Strategy::automatic));
}

void RunChoices::setBackend(const QString& key) {
    for (const Backend& backend : backends_)
        if (backend.key == key && backend.usable()) backend_ = key;
    fitStrategy();
    Q_EMIT changed();
}

void RunChoices::setStrategy(const QString& name) {
    for (const StrategyChoice& strategy : strategies_)
        if (strategy.name == name && strategy.usable()) strategy_ = name;
    Q_EMIT changed();
}

void RunChoices::setWorkers(quint32 count) {
    count = std::min(count, most_workers);
    if (count == 0 || count == workers_) return;
    workers_ = count;
    Q_EMIT changed();
}

void RunChoices::setRepetitions(unsigned count) {
    count = std::min(count, most_repetitions);
    if (count == 0 || count == repetitions_) return;
    repetitions_ = count;
    Q_EMIT changed();
}

void RunChoices::setVerifies(bool on) {
    if (on == verifies_) return;
    verifies_ = on;
    Q_EMIT changed();
}

void RunChoices::setLimits(const RunLimits& wanted) {
    RunLimits limits = wanted;
    limits.batch_min = std::min(limits.batch_min, RunLimits::most);
    limits.batch_max = std::min(limits.batch_max, RunLimits::most);
    limits.window = std::clamp(limits.window, 1U, RunLimits::most_window);
    if (limits == limits_) return;
    limits_ = limits;
    Q_EMIT changed();
}

void RunChoices::openDevicesBy(runs::DeviceOpener open) {
    open_ = std::move(open);
}

void RunChoices::apply(RunOrder& order) const {
    order.backend = backend_;
    order.how.strategy = strategy_named(strategy_);
    order.how.workers = order.how.strategy == execute::Strategy::serial ? 1 : workers_;
    order.how.batch_min = limits_.batch_min;
    order.how.batch_max = limits_.batch_max;
    order.how.window = limits_.window;
    order.how.hybrid = limits_.hybrid;
    order.slice = limits_.slice;
    order.repetitions = repetitions_;
    order.verify = verifies_;
    order.open = open_;
}

} // namespace blockloom::ui
