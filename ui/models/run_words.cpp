#include "models/run_words.h"

#include "look/numbers.h"

#include <QCoreApplication>
#include <QStringList>

#include <array>

namespace blockloom::ui {
namespace {

QString words(const char* text) {
    return QCoreApplication::translate("Runs", text);
}

QString from(const std::string& text) {
    return QString::fromStdString(text);
}

} // namespace

QString run_words(const report::KeptRun& run) {
    QStringList parts;
    if (run.backend == "cpu")
        parts.append(words("CPU %1").arg(from(run.engine)));
    else
        parts.append(run.backend == "vulkan" ? QStringLiteral("Vulkan")
                     : run.backend == "cuda" ? QStringLiteral("CUDA")
                                             : from(run.backend));
    parts.append(from(run.strategy));
    if (run.workers > 1) parts.append(counted(run.workers, words("worker"), words("workers")));
    return parts.join(QStringLiteral(", "));
}

QString source_words(const report::KeptRun& run) {
    QStringList parts;
    for (const std::string& source : run.sources)
        parts.append(from(source).section(QLatin1Char('/'), -1, -1, QString::SectionSkipEmpty));
    return parts.isEmpty() ? not_applicable() : parts.join(QStringLiteral(", "));
}

scene::Colour colour_of(const report::KeptRun& run, const scene::Theme& theme) {
    if (run.backend == "vulkan") return theme.vulkan;
    if (run.backend == "cuda") return theme.cuda;
    return run.engine == "interpreter" ? theme.cpu_interpreter : theme.cpu_native;
}

TimeUnit unit_for(Nanoseconds largest) {
    const std::array<TimeUnit, 4> units{
        TimeUnit{QStringLiteral("s"), 1e9}, TimeUnit{QStringLiteral("ms"), 1e6},
        TimeUnit{QString::fromUtf8("µs"), 1e3}, TimeUnit{QStringLiteral("ns"), 1}};
    for (const TimeUnit& unit : units)
        if (static_cast<double>(largest) >= unit.ns) return unit;
    return units.back();
}

QString verdict_words(const report::Comparison& comparison) {
    switch (comparison.digests) {
    case report::Equality::other_input:
        return words("Not the same input");
    case report::Equality::unequal:
        return words("One of the runs is wrong");
    case report::Equality::unknown:
        return words("Nothing tells whether they agree");
    case report::Equality::equal:
        break;
    }
    if (!comparison.ratio) return words("No times to compare");
    if (comparison.holds_one()) return words("No difference shown");
    const double ratio = *comparison.ratio;
    return ratio >= 1 ? words("B is %1 faster, end to end").arg(ratio_text(ratio))
                      : words("B is %1 slower, end to end").arg(ratio_text(1 / ratio));
}

QString interval_words(const report::Comparison& comparison) {
    if (!comparison.ratio) return from(comparison.difference);
    if (!comparison.interval)
        return words("too few repetitions for an interval: at least 6 of each (--repeat)");
    return words("95 % interval %1–%2, from both medians'")
        .arg(significant_text(comparison.interval->first),
             significant_text(comparison.interval->second));
}

QString digests_words(report::Equality equality) {
    switch (equality) {
    case report::Equality::equal:
        return words("Equal digests");
    case report::Equality::unequal:
        return words("Unequal digests");
    case report::Equality::other_input:
        return words("Other input");
    case report::Equality::unknown:
        break;
    }
    return words("No digests");
}

} // namespace blockloom::ui
