#include "models/live_words.h"

#include "text/numbers.h"
#include "text/to_qt.h"
#include "text/words.h"

#include <QStringList>

namespace blockloom::ui {
namespace {

/// What is in flight; the numbers of waves begin with 1.
QString flight_words(const execute::LiveDevice& device) {
    if (device.in_flight.empty()) return words("idle");
    QStringList numbers;
    for (const std::uint32_t number : device.in_flight)
        numbers.append(count_text(std::uint64_t{number} + 1));
    if (numbers.size() == 1) return words("wave %1").arg(numbers.front());
    return words("waves %1").arg(numbers.join(words(", ")));
}

} // namespace

QString device_words(std::span<const execute::LiveDevice> devices) {
    if (devices.empty()) return not_applicable();
    const execute::LiveDevice& device = devices.front();
    QString text = flight_words(device);
    if (device.shares)
        text = words("%1, computing %2").arg(text, percent_text(device.shares->computing));
    if (devices.size() > 1)
        text = words("%1, and %2 more").arg(text, count_text(devices.size() - 1));
    return text;
}

QString device_lines(std::span<const execute::LiveDevice> devices) {
    QStringList lines;
    for (const execute::LiveDevice& device : devices) {
        QString line = words("%1: %2").arg(to_qt(device.name), flight_words(device));
        if (!device.in_flight.empty())
            line += words(" in flight with %1")
                        .arg(counted(device.messages, words("message"), words("messages")));
        line += words("; %1 ended").arg(counted(device.ended, words("wave"), words("waves")));
        if (const auto& shares = device.shares)
            line += words(". In the last second that its clock reported: computing %1, only "
                          "transferring %2, idle %3")
                        .arg(percent_text(shares->computing), percent_text(shares->transferring),
                             percent_text(shares->idle()));
        lines.append(line);
    }
    return lines.join(QLatin1Char('\n'));
}

QString placed_words(const runs::KeptRun& run) {
    const std::uint64_t all = run.on_device + run.on_host;
    if (run.backend == "cpu" || all == 0) return not_applicable();
    const auto share = [all](std::uint64_t count) {
        return percent_text(static_cast<double>(count) / static_cast<double>(all));
    };
    return QStringLiteral("%1 · %2").arg(share(run.on_device), share(run.on_host));
}

} // namespace blockloom::ui
