#include "models/find.h"

#include "look/numbers.h"
#include "models/blocks_model.h"

#include <QCoreApplication>

namespace blockloom::ui {
namespace {

constexpr std::uint32_t most_names = 250'000;

QString tr(const char* text) {
    return QCoreApplication::translate("Find", text);
}

/// "1009", "#1009" and "#1,009" as a number.
std::optional<quint32> number_in(QString text) {
    if (text.startsWith(QLatin1Char('#'))) text.remove(0, 1);
    text.remove(QLatin1Char(','));
    bool good = false;
    const quint32 value = text.toUInt(&good);
    return good ? std::optional<quint32>(value) : std::nullopt;
}

} // namespace

FindResult find_in(const range::Range& range, int row, const range::BlockRecord* current,
                   const QString& given, int most) {
    FindResult result;
    const QString text = given.trimmed();
    if (text.isEmpty()) return result;
    const auto full = [&result, most] { return result.found.size() >= most; };
    const std::string needle = text.toStdString();

    const trace::PolicedTrace* trace =
        current != nullptr ? current->analysis.index->trace.get() : nullptr;
    const auto task_name = [&](quint32 task) {
        const auto& names = trace->original->names;
        return names ? QString::fromStdString(names->printable(trace->task_in_block(task)))
                     : QString();
    };
    const auto add_task = [&](quint32 task) {
        result.found.append({row, task, std::nullopt,
                             tr("Task #%1").arg(count_text(trace->task_in_block(task))),
                             shortened(task_name(task), 16, 8)});
    };
    const auto number = number_in(text);
    if (trace != nullptr && number)
        for (quint32 task = 0; task < trace->tasks(); ++task)
            if (trace->task_in_block(task) == *number) {
                add_task(task);
                break;
            }
    for (std::size_t i = 0; i < range.blocks.size() && !full(); ++i) {
        const trace::BlockIdentity& id = range.blocks[i]->trace->block;
        const QString label = block_label(*range.blocks[i]);
        if (label.contains(text, Qt::CaseInsensitive) ||
            QString::fromStdString(id.hash).startsWith(text))
            result.found.append({static_cast<int>(i), std::nullopt, std::nullopt,
                                 tr("Block %1").arg(label),
                                 shortened(QString::fromStdString(id.hash), 16, 8)});
    }
    if (trace == nullptr || text.size() < 2) return result;

    if (trace->original->names) {
        const quint32 tasks = std::min<quint32>(trace->tasks(), most_names);
        result.whole = tasks == trace->tasks();
        for (quint32 task = 0; task < tasks && !full(); ++task)
            if (task_name(task).contains(text, Qt::CaseInsensitive)) add_task(task);
    }
    if (trace->keys) {
        const auto& sets = trace->access_sets();
        const quint32 keys = std::min<quint32>(sets.key_count, most_names);
        result.whole = result.whole && keys == sets.key_count;
        for (quint32 key = 0; key < keys && !full(); ++key) {
            const std::string printable = trace->keys->printable(key);
            if (printable.find(needle) == std::string::npos) continue;
            const QString shown = QString::fromStdString(printable);
            result.found.append({row, std::nullopt, key,
                                 tr("Key · %1").arg(shown.section(QLatin1Char(':'), 0, 0)),
                                 short_key(shown)});
        }
    }
    return result;
}

} // namespace blockloom::ui
