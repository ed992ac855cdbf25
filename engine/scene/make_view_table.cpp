#include "scene/make_view_table.h"

#include "base/number_text.h"
#include "scene/gantt.h"
#include "scene/hub_graph.h"

#include <algorithm>

namespace blockloom::scene {
namespace {

using conflict::ConflictIndex;
using conflict::KeyId;
using conflict::TaskId;
using IndexPtr = std::shared_ptr<const ConflictIndex>;

std::string task_name(const ConflictIndex& index, TaskId task) {
    const auto& names = index.trace->original->names;
    return names == nullptr ? "—" : names->printable(index.trace->task_in_block(task));
}

/// The common part of all tables. A subclass has the columns and rows; `number` gives a numeric
/// cell, `word` any other.
class Table : public ViewTable {
public:
    Table(IndexPtr index, std::vector<TableColumn> columns)
        : index_(std::move(index)), columns_(std::move(columns)) {}

    const std::vector<TableColumn>& columns() const final { return columns_; }
    const std::string& note() const final { return note_; }
    std::string text(std::size_t row, std::size_t column) const final {
        return columns_[column].number ? count_text(number(row, column)) : word(row, column);
    }
    std::optional<double> value(std::size_t row, std::size_t column) const final {
        if (!columns_[column].number) return std::nullopt;
        return static_cast<double>(number(row, column));
    }
    std::optional<std::uint32_t> task(std::size_t) const override { return std::nullopt; }
    std::optional<std::uint32_t> key(std::size_t) const override { return std::nullopt; }

protected:
    [[nodiscard]] virtual std::uint64_t number(std::size_t row, std::size_t column) const = 0;
    [[nodiscard]] virtual std::string word(std::size_t row, std::size_t column) const = 0;

    IndexPtr index_;
    std::vector<TableColumn> columns_;
    std::string note_;
};

/// One row per task, in block order.
class TaskTable final : public Table {
public:
    explicit TaskTable(IndexPtr index)
        : Table(std::move(index), {{"Task", true, false},
                                   {"Name", false, true},
                                   {"Level", true, false},
                                   {"Group size", true, false},
                                   {"Waits for", true, false},
                                   {"Waited for by", true, false},
                                   {"Cost", true, false}}) {
        group_size_.assign(index_->groups, 0);
        for (const std::uint32_t g : index_->group) ++group_size_[g];
        waited_for_.assign(index_->tasks(), 0);
        for (const TaskId p : index_->predecessors) ++waited_for_[p];
    }
    std::size_t rows() const override { return index_->tasks(); }
    std::optional<std::uint32_t> task(std::size_t row) const override {
        return static_cast<std::uint32_t>(row);
    }

private:
    std::uint64_t number(std::size_t row, std::size_t column) const override {
        const auto t = static_cast<TaskId>(row);
        switch (column) {
        case 0:
            return index_->trace->task_in_block(t);
        case 2:
            return index_->level[t];
        case 3:
            return group_size_[index_->group[t]];
        case 4:
            return index_->predecessors_of(t).size();
        case 5:
            return waited_for_[t];
        default:
            return index_->trace->cost_of(t);
        }
    }
    std::string word(std::size_t row, std::size_t) const override {
        return task_name(*index_, static_cast<TaskId>(row));
    }

    std::vector<std::uint32_t> group_size_, waited_for_;
};

/// One row per execution, by start, then worker.
class ScheduleTable final : public Table {
public:
    ScheduleTable(IndexPtr index, std::shared_ptr<const schedule::Schedule> schedule)
        : Table(std::move(index), {{"Task", true, false},
                                   {"Worker", true, false},
                                   {"Start", true, false},
                                   {"End", true, false},
                                   {"Cost", true, false},
                                   {"Outcome", false, false}}),
          schedule_(std::move(schedule)) {
        note_ = "Predicted.";
    }
    std::size_t rows() const override { return schedule_->slots.size(); }
    std::optional<std::uint32_t> task(std::size_t row) const override {
        return schedule_->slots[row].task;
    }

private:
    std::uint64_t number(std::size_t row, std::size_t column) const override {
        const schedule::Slot& slot = schedule_->slots[row];
        switch (column) {
        case 0:
            return index_->trace->task_in_block(slot.task);
        case 1:
            return slot.worker;
        case 2:
            return slot.start;
        case 3:
            return slot.end;
        default:
            return slot.end - slot.start;
        }
    }
    std::string word(std::size_t row, std::size_t) const override {
        return schedule_->slots[row].aborted ? "aborted and re-executed" : "done";
    }

    std::shared_ptr<const schedule::Schedule> schedule_;
};

/// One row per predicted execution, then per measured one, then per part of a device's submissions.
class GanttsTable final : public Table {
public:
    GanttsTable(IndexPtr index, std::shared_ptr<const schedule::Schedule> predicted,
                std::shared_ptr<const schedule::MeasuredSchedule> measured)
        : Table(std::move(index), {{"Task", false, false},
                                   {"Kind", false, false},
                                   {"Lane", false, false},
                                   {"Start (ns)", true, false},
                                   {"End (ns)", true, false},
                                   {"Duration (ns)", true, false},
                                   {"Outcome", false, false}}),
          predicted_(std::move(predicted)), measured_(std::move(measured)) {
        note_ = "Predicted from the measured costs, and measured.";
    }
    std::size_t rows() const override { return slots() + measured_->device.size(); }
    std::optional<std::uint32_t> task(std::size_t row) const override {
        return row < slots() ? std::optional(slot(row).task) : std::nullopt;
    }

private:
    [[nodiscard]] std::size_t slots() const {
        return predicted_->slots.size() + measured_->schedule.slots.size();
    }
    [[nodiscard]] bool is_predicted(std::size_t row) const {
        return row < predicted_->slots.size();
    }
    [[nodiscard]] const schedule::Slot& slot(std::size_t row) const {
        return is_predicted(row) ? predicted_->slots[row]
                                 : measured_->schedule.slots[row - predicted_->slots.size()];
    }
    [[nodiscard]] const schedule::DeviceBar& bar(std::size_t row) const {
        return measured_->device[row - slots()];
    }
    std::uint64_t number(std::size_t row, std::size_t column) const override {
        const std::uint64_t start = row < slots() ? slot(row).start : bar(row).start;
        const std::uint64_t end = row < slots() ? slot(row).end : bar(row).end;
        return column == 3 ? start : column == 4 ? end : end - start;
    }
    std::string word(std::size_t row, std::size_t column) const override {
        const bool of_task = row < slots();
        switch (column) {
        case 0:
            return of_task ? count_text(index_->trace->task_in_block(slot(row).task))
                           : counted(bar(row).invocations, "task");
        case 1:
            return is_predicted(row) ? "predicted" : "measured";
        case 2:
            if (is_predicted(row)) return "worker " + std::to_string(slot(row).worker);
            return measured_->lanes[of_task ? slot(row).worker : bar(row).lane];
        default:
            if (!of_task) return bar(row).name;
            return slot(row).aborted ? "aborted and re-executed" : "done";
        }
    }

    std::shared_ptr<const schedule::Schedule> predicted_;
    std::shared_ptr<const schedule::MeasuredSchedule> measured_;
};

/// The kinds of a conflict pair as text: "RAW, WAW". The keys of a task are in any order.
std::string kinds_of(const trace::PolicedTrace& trace, TaskId earlier, TaskId later) {
    const trace::AccessSets& sets = trace.access_sets();
    bool raw = false, war = false, waw = false;
    std::vector<trace::Access> before(sets.of(earlier).begin(), sets.of(earlier).end());
    const auto by_key = [](trace::Access a, trace::Access b) { return a.key() < b.key(); };
    std::sort(before.begin(), before.end(), by_key);
    for (const trace::Access b : sets.of(later)) {
        const auto a = std::lower_bound(before.begin(), before.end(), b, by_key);
        if (a == before.end() || a->key() != b.key()) continue;
        const bool commutes = !trace.commutative.empty() && trace.commutative[b.key()];
        // Updates of a commutative key conflict with pure reads only.
        if (commutes && a->writes() && b.writes()) continue;
        raw = raw || (a->writes() && b.reads());
        war = war || (a->reads() && b.writes());
        waw = waw || (a->writes() && b.writes());
    }
    std::string words;
    const auto add = [&](bool has, const char* name) {
        if (has) words += (words.empty() ? "" : ", ") + std::string(name);
    };
    add(raw, "RAW");
    add(war, "WAR");
    add(waw, "WAW");
    return words;
}

/// One row per conflict pair, earlier task first.
class PairTable final : public Table {
public:
    PairTable(IndexPtr index, std::size_t most, std::stop_token stop)
        : Table(std::move(index), {{"Earlier task", true, false},
                                   {"Later task", true, false},
                                   {"Distance", true, false},
                                   {"Level of earlier", true, false},
                                   {"Level of later", true, false},
                                   {"Kinds", false, false}}) {
        constexpr std::uint64_t most_listed = 4'000'000;
        const auto graph = conflict::conflict_graph(*index_->trace, most_listed, stop);
        if (!graph) {
            note_ = graph.error().message;
            return;
        }
        for (TaskId i = 0; i < graph->vertices() && pairs_.size() < most; ++i)
            for (const TaskId j : graph->of(i))
                if (j > i && pairs_.size() < most) pairs_.push_back({i, j});
        if (graph->edges() > pairs_.size())
            note_ = "The first " + count_text(pairs_.size()) + " of " + count_text(graph->edges()) +
                    " pairs.";
    }
    std::size_t rows() const override { return pairs_.size(); }
    std::optional<std::uint32_t> task(std::size_t row) const override { return pairs_[row].later; }

private:
    struct Pair {
        TaskId earlier, later;
    };
    std::uint64_t number(std::size_t row, std::size_t column) const override {
        const Pair& pair = pairs_[row];
        switch (column) {
        case 0:
            return index_->trace->task_in_block(pair.earlier);
        case 1:
            return index_->trace->task_in_block(pair.later);
        case 2:
            return pair.later - pair.earlier;
        case 3:
            return index_->level[pair.earlier];
        default:
            return index_->level[pair.later];
        }
    }
    std::string word(std::size_t row, std::size_t) const override {
        return kinds_of(*index_->trace, pairs_[row].earlier, pairs_[row].later);
    }

    std::vector<Pair> pairs_;
};

/// One row per shared key, hottest first.
class KeyTable final : public Table {
public:
    KeyTable(IndexPtr index, std::uint64_t most_spokes)
        : Table(std::move(index), {{"Key", false, true},
                                   {"Tasks", true, false},
                                   {"Only read by", true, false},
                                   {"Written by", true, false},
                                   {"First task", true, false}}) {
        const layout::HubGraph graph = layout::hub_graph(*index_, most_spokes);
        for (const layout::Hub& hub : graph.hubs) {
            Row row{hub.key, hub.tasks, 0, 0, 0};
            row.first = graph.spokes[hub.first].task;
            for (const layout::Spoke& spoke : graph.of(hub))
                ++(spoke.writes ? row.writers : row.readers);
            rows_.push_back(row);
        }
        if (graph.hubs.size() < graph.all_hubs)
            note_ = "The hottest " + count_text(graph.hubs.size()) + " of " +
                    count_text(graph.all_hubs) + " shared keys.";
    }
    std::size_t rows() const override { return rows_.size(); }
    std::optional<std::uint32_t> key(std::size_t row) const override { return rows_[row].key; }

private:
    struct Row {
        KeyId key;
        std::uint32_t tasks, readers, writers;
        TaskId first;
    };
    std::uint64_t number(std::size_t row, std::size_t column) const override {
        const Row& r = rows_[row];
        switch (column) {
        case 1:
            return r.tasks;
        case 2:
            return r.readers;
        case 3:
            return r.writers;
        default:
            return index_->trace->task_in_block(r.first);
        }
    }
    std::string word(std::size_t row, std::size_t) const override {
        const KeyId id = rows_[row].key;
        const auto& keys = index_->trace->keys;
        return keys == nullptr ? "key " + std::to_string(id) : keys->printable(id);
    }

    std::vector<Row> rows_;
};

} // namespace

std::unique_ptr<ViewTable> make_view_table(const schedule::BlockAnalysis& analysis,
                                           const ViewOptions& options,
                                           std::shared_ptr<const schedule::Schedule> schedule,
                                           std::size_t most_pairs, std::stop_token stop) {
    switch (options.view) {
    case View::matrix:
        return std::make_unique<PairTable>(analysis.index, most_pairs, stop);
    case View::bipartite:
        return std::make_unique<KeyTable>(analysis.index, UINT32_MAX);
    case View::schedule:
        if (schedule == nullptr)
            schedule = std::make_shared<const schedule::Schedule>(
                schedule::make_schedule(*analysis.index, options.strategy, options.workers));
        return std::make_unique<ScheduleTable>(analysis.index, std::move(schedule));
    case View::layered:
    case View::arc:
        break;
    }
    return std::make_unique<TaskTable>(analysis.index);
}

std::unique_ptr<ViewTable>
make_gantts_table(std::shared_ptr<const conflict::ConflictIndex> index,
                  std::shared_ptr<const schedule::Schedule> predicted,
                  std::shared_ptr<const schedule::MeasuredSchedule> measured) {
    return std::make_unique<GanttsTable>(std::move(index), std::move(predicted),
                                         std::move(measured));
}

} // namespace blockloom::scene
