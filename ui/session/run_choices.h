// The settings of the next run: what can be chosen, and what is chosen.
#pragma once

#include "runs/run_device.h"
#include "session/backends.h"

#include <QObject>
#include <QString>

#include <vector>

namespace blockloom::ui {

struct RunOrder;

/// A strategy by its command-line name, and why it cannot be chosen.
struct StrategyChoice {
    QString name, about, why;
    [[nodiscard]] bool usable() const { return why.isEmpty(); }
};

/// Batch limits of the next run; not used by the serial strategy.
struct RunLimits {
    static constexpr std::size_t most = std::size_t{1} << 30; ///< of transactions
    std::size_t batch_min = 4;                                ///< transactions; fewer run serially
    std::size_t batch_max = 0; ///< attempts per batch; 0: set by the executor
    std::uint32_t slice = 0;   ///< instructions a device runs at a time; 0: set by the device
    std::uint32_t window = 1;  ///< blocks that are executed together
    bool hybrid = true;        ///< workers share the rounds of a device
    static constexpr std::uint32_t most_window = 4096;
    friend bool operator==(const RunLimits&, const RunLimits&) = default;
};

/// What Runs says of them holds here as well.
class RunChoices : public QObject {
    Q_OBJECT

public:
    static constexpr quint32 most_workers = 1024;
    static constexpr unsigned most_repetitions = 10'000;

    explicit RunChoices(QObject* parent = nullptr);

    [[nodiscard]] const std::vector<Backend>& backends() const { return backends_; }
    void setBackends(std::vector<Backend> backends);
    [[nodiscard]] const std::vector<StrategyChoice>& strategies() const { return strategies_; }
    [[nodiscard]] const QString& backend() const { return backend_; }
    void setBackend(const QString& key);
    [[nodiscard]] const QString& strategy() const { return strategy_; }
    void setStrategy(const QString& name);
    [[nodiscard]] quint32 workers() const { return workers_; }
    void setWorkers(quint32 count);
    [[nodiscard]] unsigned repetitions() const { return repetitions_; }
    void setRepetitions(unsigned count);
    [[nodiscard]] bool verifies() const { return verifies_; }
    void setVerifies(bool on);
    [[nodiscard]] const RunLimits& limits() const { return limits_; }
    void setLimits(const RunLimits& limits);
    void openDevicesBy(runs::DeviceOpener open);

    /// Writes the choices into the order of a run.
    void apply(RunOrder& order) const;

Q_SIGNALS:
    void backendsChanged();
    void changed(); ///< also if a backend or strategy was refused: controls show the value in use

private:
    void fitStrategy();

    std::vector<Backend> backends_;
    std::vector<StrategyChoice> strategies_;
    QString backend_ = QStringLiteral("auto"), strategy_ = QStringLiteral("auto");
    quint32 workers_;
    unsigned repetitions_ = 1;
    bool verifies_ = false;
    RunLimits limits_;
    runs::DeviceOpener open_;
};

} // namespace blockloom::ui
