#include "execute/accepted_block.h"

#include "base/prefetch.h"
#include "state/block_changes.h"
#include "state/sort_keys.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <numeric>
#include <utility>

namespace blockloom::execute {
namespace {

/// Results that are worth a piece of a stage.
constexpr std::size_t results_a_piece = 256;
/// More parts of the keys would only mean more passes over all writes.
constexpr std::size_t most_key_parts = 16;

/// How far ahead executions are fetched.
constexpr std::size_t executions_ahead = 8;
/// Of each list of changes, to find ranges of about equal size.
constexpr std::size_t samples_a_list = 16;

using Changes = std::vector<state::Change>;

bool is_below(const state::Change& change, const state::Key& key) {
    return change.key < key;
}

/// Which of `parts` parts a key belongs to. By the upper half of the hash: the lower one is where
/// it lies in a table.
std::size_t part_of(std::uint64_t hash, std::size_t parts) noexcept {
    return ((hash >> 32U) * parts) >> 32U;
}

/// The last write of each key: of those that are put, in their order. They stay where they are.
class LastWrites {
public:
    using Write = state::WriteSet::value_type;

    /// For at most about so many keys; more only cost time.
    explicit LastWrites(std::size_t keys) { make_slots(std::bit_ceil(2 * keys + 1)); }

    void prefetch(std::uint64_t hash) const noexcept { __builtin_prefetch(&slots_[hash & mask()]); }
    void put(std::uint64_t hash, const Write& write) {
        const auto tag = static_cast<std::uint32_t>(hash);
        std::size_t at = tag & mask();
        for (; slots_[at].number != 0; at = (at + 1) & mask()) {
            const Write*& there = writes_[slots_[at].number - 1];
            if (slots_[at].tag != tag || there->first != write.first) continue;
            there = &write;
            return;
        }
        writes_.push_back(&write);
        slots_[at] = {tag, static_cast<std::uint32_t>(writes_.size())};
        if (2 * writes_.size() > slots_.size()) make_slots(2 * slots_.size());
    }
    /// In no order.
    [[nodiscard]] std::vector<const Write*> all() && { return std::move(writes_); }

private:
    struct Slot {
        std::uint32_t tag = 0;    ///< the low half of the hash, which also says where it lies
        std::uint32_t number = 0; ///< of the write, + 1; 0: free
    };

    [[nodiscard]] std::size_t mask() const noexcept { return slots_.size() - 1; }
    void make_slots(std::size_t count) {
        const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(count));
        for (const Slot slot : before) {
            if (slot.number == 0) continue;
            std::size_t at = slot.tag & mask();
            while (slots_[at].number != 0) at = (at + 1) & mask();
            slots_[at] = slot;
        }
    }

    std::vector<Slot> slots_; ///< a power of two, at most half full
    std::vector<const Write*> writes_;
};

/// Keys that part those of all lists in `ranges` about equal ranges, by samples of each list.
std::vector<const state::Key*> range_borders(const std::vector<Changes>& lists,
                                             std::size_t ranges) {
    std::vector<const state::Key*> samples;
    for (const Changes& list : lists)
        for (std::size_t i = 0; i < samples_a_list; ++i)
            if (!list.empty()) samples.push_back(&list[list.size() * i / samples_a_list].key);
    std::sort(samples.begin(), samples.end(),
              [](const state::Key* a, const state::Key* b) { return *a < *b; });
    std::vector<const state::Key*> borders;
    for (std::size_t range = 1; range < ranges && !samples.empty(); ++range)
        borders.push_back(samples[samples.size() * range / ranges]);
    return borders;
}

std::vector<std::uint64_t> budgets_of(std::span<const FuelClaim> claims, alkanes::FuelTank tank) {
    std::vector<std::uint64_t> budgets;
    budgets.reserve(claims.size());
    for (const FuelClaim& claim : claims) budgets.push_back(tank.settle(claim.vfsize, claim.use));
    return budgets;
}

} // namespace

Result<Changes> changes_of_part(std::span<const std::unique_ptr<ExecutionResult>> executions,
                                std::size_t part, std::size_t parts,
                                const state::StateView& below) {
    std::size_t writes = 0; // of all parts
    for (std::size_t i = 0; i < executions.size(); ++i) {
        if (i + executions_ahead < executions.size())
            prefetch_near(&executions[i + executions_ahead]->result.log.writes);
        writes += executions[i]->result.log.writes.size();
    }
    LastWrites last(writes / parts);
    // The slots lie anywhere: those of an execution are fetched while the ones before are put.
    // Probes have the hashes together: whose part a write does not belong to needs no more of it.
    const auto each_write = [&](std::size_t of, const auto& work) {
        if (of >= executions.size()) return;
        const state::WriteSet& written = executions[of]->result.log.writes;
        const auto probes = std::span(executions[of]->probes).last(written.size());
        for (std::size_t i = 0; i < written.size(); ++i)
            if (part_of(probes[i].hash, parts) == part) work(probes[i].hash, written[i]);
    };
    const auto fetch = [&](std::uint64_t hash, const auto&) { last.prefetch(hash); };
    each_write(0, fetch);
    for (std::size_t i = 0; i < executions.size(); ++i) {
        each_write(i + 1, fetch);
        each_write(i, [&](std::uint64_t hash, const auto& write) { last.put(hash, write); });
    }
    return state::changes_on(below, std::move(last).all());
}

void set_budget(alkanes::TransactionResult& result, std::uint64_t budget) {
    const std::uint64_t assumed = std::exchange(result.fuel.assumed_budget, budget);
    for (alkanes::MessageRecord& record : result.records) {
        if (record.fuel_budget == 0) continue;
        const std::uint64_t before = record.fuel_budget;
        record.fuel_budget += budget - assumed;
        // All its calls run on the budget, unless it has fuel of its own.
        const auto first = std::find_if(record.events.begin(), record.events.end(),
                                        [](const alkanes::CallEvent& event) {
                                            return event.kind == alkanes::CallEvent::Kind::enter;
                                        });
        if (first == record.events.end() || first->fuel != before) continue;
        for (alkanes::CallEvent& event : record.events)
            if (event.kind == alkanes::CallEvent::Kind::enter) event.fuel += budget - assumed;
    }
}

BlockJoin::BlockJoin(const alkanes::BlockContext& context,
                     std::span<const std::unique_ptr<ExecutionResult>> executions,
                     std::span<const FuelClaim> claims, alkanes::FuelTank tank)
    : executions_(executions),
      budgets_(budgets_of(claims, tank)), block_{alkanes::begin_execution(context)} {}

void BlockJoin::begin(std::vector<Changes> parts, std::size_t pieces) {
    parts_ = std::move(parts);
    pieces_.resize(pieces + 1);
    find_places();
    const std::vector<const state::Key*> borders = range_borders(parts_, pieces);
    pieces_.front().from.resize(parts_.size());
    for (std::size_t i = 1; i <= pieces; ++i)
        for (const Changes& part : parts_) {
            // Without borders there are no keys either.
            const auto end =
                i == pieces || borders.empty()
                    ? part.end()
                    : std::lower_bound(part.begin(), part.end(), *borders[i - 1], is_below);
            pieces_[i].from.push_back(static_cast<std::size_t>(end - part.begin()));
        }
    if (parts_.size() == 1) return;
    std::vector<std::size_t> firsts;
    for (const Piece& piece : pieces_)
        firsts.push_back(std::accumulate(piece.from.begin(), piece.from.end(), std::size_t{0}));
    merged_ = std::make_unique<state::ChangePieces>(std::move(firsts));
}

void BlockJoin::run_piece(std::size_t piece) {
    if (merged_ != nullptr) merge_changes(piece);
    take_results(piece);
}

/// Makes room for the results of each piece.
void BlockJoin::find_places() {
    const std::size_t pieces = pieces_.size() - 1;
    std::size_t kept = 0, number = 0;
    for (std::size_t i = 0; i < executions_.size(); ++i) {
        for (; i == executions_.size() * number / pieces && number < pieces; ++number)
            pieces_[number].first_result = kept;
        if (i + executions_ahead < executions_.size())
            prefetch_near(&executions_[i + executions_ahead]->result);
        kept += executions_[i]->result.is_empty() ? 0 : 1;
    }
    block_.execution.transactions.resize(kept);
    block_.execution.budgets.resize(kept);
}

/// Counts the results and moves them to where they belong.
void BlockJoin::take_results(std::size_t number) {
    Piece& piece = pieces_[number];
    const std::size_t pieces = pieces_.size() - 1;
    const std::size_t end = executions_.size() * (number + 1) / pieces;
    std::size_t to = piece.first_result;
    for (std::size_t i = executions_.size() * number / pieces; i < end; ++i) {
        ExecutionResult& execution = *executions_[i];
        if (execution.result.is_empty()) continue;
        set_budget(execution.result, budgets_[i]);
        if (execution.attempt == 1) piece.accepted_first += execution.result.records.size();
        alkanes::count(piece.counts, execution.result);
        block_.execution.budgets[to] = budgets_[i];
        block_.execution.transactions[to++] = std::move(execution.result);
    }
}

void BlockJoin::merge_changes(std::size_t number) {
    const Piece& piece = pieces_[number];
    const Piece& next = pieces_[number + 1];
    std::size_t size = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) size += next.from[i] - piece.from[i];
    std::vector<state::Change*> order;
    order.reserve(size);
    for (std::size_t i = 0; i < parts_.size(); ++i)
        for (std::size_t at = piece.from[i]; at < next.from[i]; ++at)
            order.push_back(&parts_[i][at]);
    state::sort_by_key(order, [](const state::Change* change) { return change->key.bytes(); });
    merged_->fill(number, order);
}

AcceptedBlock BlockJoin::end() {
    for (const Piece& piece : pieces_) {
        alkanes::add_counts(block_.execution, piece.counts);
        block_.accepted_first += piece.accepted_first;
    }
    block_.execution.changes = merged_ == nullptr ? state::ChangeList(std::move(parts_.front()))
                                                  : state::ChangeList(std::move(merged_));
    parts_.clear();
    return std::move(block_);
}

Result<AcceptedBlock> join_accepted(const alkanes::BlockContext& context,
                                    std::span<const std::unique_ptr<ExecutionResult>> executions,
                                    std::span<const FuelClaim> claims, alkanes::FuelTank tank,
                                    const state::StateView& below, WorkerPool& pool) {
    std::vector<Changes> parts(std::clamp<std::size_t>(pool.workers(), 1, most_key_parts));
    std::mutex guard;
    Status status;
    pool.each(parts.size(), 1, [&](unsigned, std::size_t begin, std::size_t end) {
        for (std::size_t part = begin; part < end; ++part) {
            Result<Changes> found = changes_of_part(executions, part, parts.size(), below);
            const std::lock_guard lock(guard);
            if (found)
                parts[part] = *std::move(found);
            else
                status = found.error();
        }
    });
    if (!status) return status.error();
    BlockJoin join(context, executions, claims, tank);
    const std::size_t pieces =
        std::clamp<std::size_t>(executions.size() / results_a_piece, 1, most_key_parts);
    join.begin(std::move(parts), pieces);
    pool.each(pieces, 1, [&](unsigned, std::size_t begin, std::size_t end) {
        for (std::size_t piece = begin; piece < end; ++piece) join.run_piece(piece);
    });
    return join.end();
}

} // namespace blockloom::execute
