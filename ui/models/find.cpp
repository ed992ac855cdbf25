#include "models/find.h"

#include "models/block_words.h"
#include "models/blocks_model.h"
#include "text/numbers.h"
#include "text/to_qt.h"
#include "text/words.h"

#include <algorithm>
#include <functional>

namespace blockloom::ui {
namespace {

constexpr quint32 most_names = 250'000, most_names_elsewhere = 8'000'000;
constexpr int shortest = 2; ///< one letter is in every name

/// "1009", "#1009" and "#1,009" as a number.
std::optional<quint32> number_in(QString text) {
    if (text.startsWith(QLatin1Char('#'))) text.remove(0, 1);
    text.remove(QLatin1Char(','));
    bool good = false;
    const quint32 value = text.toUInt(&good);
    return good ? std::optional<quint32>(value) : std::nullopt;
}

/// Answers of one search, block by block.
class Search {
public:
    Search(const QString& text, int most, quint32 names, const std::stop_token& stop)
        : text_(text), needle_(text.toStdString()), most_(most), names_(names), stop_(stop) {}

    [[nodiscard]] bool full() const { return result.found.size() >= most_; }
    [[nodiscard]] bool ended() const { return full() || names_ == 0 || stop_.stop_requested(); }

    void task(int row, const trace::PolicedTrace& trace, quint32 task, const QString& where) {
        const quint32 in_block = trace.task_in_block(task);
        const auto& names = trace.original->names;
        result.found.append(
            {row, task, std::nullopt, words("Task #%1%2").arg(count_text(in_block), where),
             names ? shortened(to_qt(names->printable(in_block)), 16, 8) : QString()});
    }

    void names_of(int row, const trace::PolicedTrace& trace, const QString& where) {
        if (trace.original->names)
            each(trace.tasks(), [&](quint32 at) {
                const std::string name = trace.original->names->printable(trace.task_in_block(at));
                if (to_qt(name).contains(text_, Qt::CaseInsensitive)) task(row, trace, at, where);
            });
        if (trace.keys)
            each(trace.access_sets().key_count, [&](quint32 key) {
                const std::string printable = trace.keys->printable(key);
                if (printable.find(needle_) == std::string::npos) return;
                const QString shown = to_qt(printable);
                result.found.append(
                    {row, std::nullopt, key,
                     words("Key · %1%2").arg(shown.section(QLatin1Char(':'), 0, 0), where),
                     short_key(shown)});
            });
    }

    FindResult result;

private:
    void each(quint32 count, const std::function<void(quint32)>& look) {
        for (quint32 at = 0; at < count && !full(); ++at) {
            if (names_ == 0 || (at % 1024 == 0 && stop_.stop_requested())) {
                result.whole = false;
                return;
            }
            --names_;
            look(at);
        }
    }

    QString text_;
    std::string needle_;
    int most_;
    quint32 names_; ///< that may still be looked at
    std::stop_token stop_;
};

} // namespace

FindResult find_in(const range::Range& range, int row, const range::BlockRecord* current,
                   const QString& given, int most) {
    const QString text = given.trimmed();
    Search search(text, most, most_names, {});
    if (text.isEmpty()) return search.result;
    const trace::PolicedTrace* trace =
        current != nullptr ? current->analysis.index->trace.get() : nullptr;
    const auto number = number_in(text);
    if (trace != nullptr && number)
        for (quint32 task = 0; task < trace->tasks(); ++task)
            if (trace->task_in_block(task) == *number) {
                search.task(row, *trace, task, {});
                break;
            }
    for (std::size_t i = 0; i < range.blocks.size() && !search.full(); ++i) {
        const trace::BlockIdentity& id = range.blocks[i]->trace->block;
        const QString label = block_label(*range.blocks[i]);
        if (to_qt(id.label).contains(text, Qt::CaseInsensitive) ||
            label.contains(text, Qt::CaseInsensitive) || to_qt(id.hash).startsWith(text))
            search.result.found.append({static_cast<int>(i), std::nullopt, std::nullopt,
                                        words("Block %1").arg(label),
                                        shortened(to_qt(id.hash), 16, 8)});
    }
    if (trace != nullptr && text.size() >= shortest) search.names_of(row, *trace, {});
    return search.result;
}

FindResult find_elsewhere(const range::Range& range, int row, const QString& given, int most,
                          const std::stop_token& stop) {
    const QString text = given.trimmed();
    Search search(text, most, most_names_elsewhere, stop);
    if (text.size() < shortest) return search.result;
    const int count = static_cast<int>(range.blocks.size());
    for (int step = 1; step <= count && !search.ended(); ++step) {
        const int at = (std::max(row, 0) + step) % count;
        if (at == row) continue;
        const range::BlockRecord& record = *range.blocks[static_cast<std::size_t>(at)];
        search.names_of(at, *record.analysis.index->trace,
                        words(" · block %1").arg(block_label(record)));
    }
    return search.result;
}

} // namespace blockloom::ui
