#include "text/run_names.h"

#include "text/numbers.h"
#include "text/to_qt.h"
#include "text/words.h"

namespace blockloom::ui {
namespace {

/// A name in a document that another program may have written, for the middle of a line.
QString short_name(const std::string& text) {
    return shortened(to_qt(text), 32, 12);
}

/// What ran it, in which order, on how many workers.
QStringList parts_of(const runs::KeptRun& run) {
    QStringList parts;
    if (run.backend == "cpu")
        parts.append(words("CPU %1").arg(short_name(run.engine)));
    else
        parts.append(run.backend == "vulkan" ? QStringLiteral("Vulkan")
                     : run.backend == "cuda" ? QStringLiteral("CUDA")
                                             : short_name(run.backend));
    parts.append(short_name(run.strategy));
    const bool one_of_many = run.backend == "cpu" && run.strategy != "serial";
    if (run.workers > 1 || one_of_many)
        parts.append(counted(run.workers, words("worker"), words("workers")));
    return parts;
}

/// Day (0) or time of day (1).
QString date_part(const runs::KeptRun& run, int part) {
    return short_name(run.date).section(QLatin1Char(' '), part, part);
}

} // namespace

QString run_words(const runs::KeptRun& run) {
    return parts_of(run).join(QStringLiteral(", "));
}

QString run_title(const runs::KeptRun& run) {
    if (!run.notes.baseline.empty())
        return words("baseline “%1” · %2").arg(short_name(run.notes.baseline), run_words(run));
    return QStringLiteral("%1 · %2").arg(run_words(run),
                                         short_name(run.date).section(QLatin1Char(' '), 0, 1));
}

QStringList run_forms(const runs::KeptRun& run, const runs::KeptRun* other) {
    QStringList forms{run_title(run)};
    if (!run.notes.baseline.empty())
        return forms << words("“%1”").arg(short_name(run.notes.baseline));
    const QStringList mine = parts_of(run);
    if (other == nullptr || other->id == run.id) return forms << run_words(run);
    const QStringList theirs = parts_of(*other);
    if (mine == theirs) {
        const bool same_day = date_part(run, 0) == date_part(*other, 0);
        return forms << (same_day ? date_part(run, 1) : date_part(run, 0));
    }
    QStringList differing;
    for (const QString& part : mine)
        if (!theirs.contains(part)) differing.append(part);
    forms << run_words(run);
    if (!differing.isEmpty()) forms << differing.join(QStringLiteral(", "));
    return forms;
}

QString source_words(const runs::KeptRun& run) {
    QStringList parts;
    for (const std::string& source : run.sources)
        parts.append(shortened(
            to_qt(source).section(QLatin1Char('/'), -1, -1, QString::SectionSkipEmpty), 80, 40));
    return parts.isEmpty() ? not_applicable()
                           : shortened(parts.join(QStringLiteral(", ")), 300, 60);
}

} // namespace blockloom::ui
