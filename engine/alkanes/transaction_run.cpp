#include "alkanes/transaction_run.h"

#include "chain/commitments.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace blockloom::alkanes {
namespace {

/// The one transaction whose protostones the indexer passes over.
bool is_passed_over(const Hash256& txid) {
    static const Hash256 passed_over =
        *hash_from_reversed_hex("5cbb0c466dd08d7af9223d45105fbbf0fdc9fb7cda4831c183d6b0cb5ba60fb0");
    return txid == passed_over;
}

/// Below the height of `lenient_headers` a message's shadow vout lies less than so far above the
/// outputs.
constexpr std::uint32_t most_shadow_vouts = 100;

bool is_alkanes(const PlacedProtostone& placed) {
    return placed.protostone.protocol == alkanes_protocol;
}

void fill(MessageRecord& record, MessageRequest request, MessageOutcome outcome, MessageRun& run) {
    if (request.cellpack) {
        record.target = request.cellpack->target;
        record.inputs = std::move(request.cellpack->inputs);
        if (!record.inputs.empty()) record.opcode = record.inputs.front();
    }
    record.myself = outcome.myself;
    if (outcome.contract) record.code = outcome.contract->hash;
    record.status = outcome.verdict.status;
    record.text = std::move(outcome.verdict.text);
    record.fuel_used = outcome.call.gas;
    record.steps = run.steps;
    record.fuel_doubt = std::move(run.fuel_doubt);
    record.incoming = std::move(request.incoming);
    record.transfers = std::move(outcome.call.response.transfers);
    record.storage = std::move(outcome.call.response.storage);
    record.engine = outcome.call.engine;
    record.data = std::move(outcome.call.response.data);
    record.touched_pages = outcome.call.touched_pages;
    record.final_pages = outcome.call.final_pages;
    record.host_calls = std::move(run.host_calls);
    record.events = std::move(run.events);
}

} // namespace

TransactionRun::TransactionRun(Runtime& runtime, const BlockContext& context, std::uint32_t index,
                               const state::StateView& before, std::uint64_t budget,
                               const TransactionOptions& options)
    : runtime_(runtime), context_(context), block_(*context.block), tx_(block_.transactions[index]),
      options_(options), before_(before), lease_(runtime.overlays.acquire(before)),
      overlay_(*lease_), ledger_(block_, tx_, context.rules.spread_skips_silently),
      budget_(budget) {
    result_.transaction = index;
    if (const auto place = find_transaction(context.messages, index))
        at_ = &context.messages.transactions[*place];
    look_around(index);
}

Result<bool> TransactionRun::begin() {
    overlay_.begin_task();
    force_writes();
    if (const Status loaded = load_inputs(); !loaded) return loaded.error();
    const auto all = stones();
    if (all.empty()) return end(Fault());
    if (overflow_) return end(Fault("inputs: a token's amounts pass 128 bits"));
    const auto first = std::find_if(all.begin(), all.end(), is_alkanes);
    if (first != all.end())
        if (Fault fault = ledger_.give(first->vout, incoming_.tokens()))
            return end(std::move(fault));
    return proceed();
}

Result<bool> TransactionRun::answer(ContractEnd ended) {
    if (const Status done = open_->execution.end(std::move(ended)); !done) return done.error();
    const PlacedProtostone& placed = open_->placed;
    if (Fault fault = settle(placed, close())) return end(std::move(fault));
    return proceed();
}

/// From the next protostone on.
Result<bool> TransactionRun::proceed() {
    const auto all = stones();
    while (next_ < all.size()) {
        const PlacedProtostone& placed = all[next_++];
        if (const Status begun = begin_task(placed); !begun) return begun.error();
        Fault fault;
        if (placed.message && is_alkanes(placed)) {
            auto ran = open(placed);
            if (!ran) return ran.error();
            if (!*ran) return true;
            fault = settle(placed, **std::move(ran));
        } else {
            fault = move(placed, ledger_.take(placed.vout));
        }
        if (fault) return end(std::move(fault));
    }
    return end(Fault());
}

/// After its last protostone, or the one that makes it void.
Result<bool> TransactionRun::end(Fault fault) {
    if (fault) {
        // Nothing of the transaction stays, but what it spent is spent.
        overlay_.drop_writes();
        force_writes();
        if (const Status skipped = skip_rest(); !skipped) return skipped.error();
        for (MessageRecord& record : records_) {
            record.status = CallStatus::error;
            record.text = "void transaction: " + *fault;
        }
        result_.void_reason = *std::move(fault);
    } else {
        save_outputs();
    }
    for (const state::Key& key : spent_) overlay_.erase(key);
    auto log = overlay_.finish(room_of_records(), options_.memory);
    if (!log) return log.error();
    result_.log = *std::move(log);
    result_.fuel = budget_.use();
    if (options_.record)
        if (const Status noted = note_changes(); !noted) return noted.error();
    keep_records();
    return false;
}

void TransactionRun::look_around(std::uint32_t index) {
    surroundings_.height = context_.height;
    surroundings_.rules = context_.rules;
    surroundings_.block = block_.bytes;
    surroundings_.header = block_.bytes.first(80);
    const chain::Transaction& coinbase = block_.transactions.front();
    surroundings_.coinbase = block_.bytes.subspan(coinbase.begin, coinbase.size);
    surroundings_.transaction = block_.bytes.subspan(tx_.begin, tx_.size);
    surroundings_.mint_transactions = context_.messages.mint_transactions;
    surroundings_.coinbase_total = context_.messages.coinbase_total;
    if (const Envelope* envelope = first_envelope(context_.messages, index))
        surroundings_.deployed = &envelope->payload;
    surroundings_.window_sequence = context_.window_sequence;
    surroundings_.built_ins = context_.built_ins.get();
    surroundings_.dry_run = options_.dry_run;
    surroundings_.record = options_.record;
    surroundings_.events = options_.events;
    surroundings_.stop = &options_.stop;
}

/// What the indexer writes by itself comes before all transactions: it is the first one's work.
void TransactionRun::force_writes() {
    if (result_.transaction != 0) return;
    for (const auto& [key, value] : context_.forced) overlay_.set(key, value);
}

/// Those that are worked on: none of a cenotaph.
std::span<const PlacedProtostone> TransactionRun::stones() const {
    if (at_ == nullptr || at_->runestone.flaw || at_->void_reason ||
        is_passed_over(block_.txids[result_.transaction]))
        return {};
    return context_.messages.protostones_of(*at_);
}

/// Reads what the inputs carry. Only what can carry something is logged.
Status TransactionRun::load_inputs() {
    for (std::uint32_t i = 0; i < tx_.input_count; ++i) {
        const ByteView outpoint = block_.outpoint(block_.inputs[tx_.first_input + i]);
        if (chain::is_null_outpoint(outpoint.data())) continue;
        state::Key key = spent_sheet_key(outpoint);
        const auto value = context_.window->txids.contains(chain::txid_of(outpoint))
                               ? overlay_.get(key)
                               : overlay_.get_if_there(key);
        if (!value) return value.error();
        if (!*value) continue;
        const auto sheet = Sheet::from_value(value->bytes());
        if (!sheet)
            return Error{ErrorCode::bad_input,
                         fmt::format("state: {}: expected tokens sorted by id, found {} other "
                                     "bytes",
                                     key_text(key), value->size())};
        if (!incoming_.add(sheet->tokens())) overflow_ = true;
        spent_.push_back(std::move(key));
    }
    return {};
}

/// A protostone of tag 1 is a task; what the others do belongs to the task that is open.
Status TransactionRun::begin_task(const PlacedProtostone& placed) {
    if (!is_alkanes(placed)) return {};
    if (!records_.empty()) {
        if (const Status ended = overlay_.end_task(); !ended) return ended;
        overlay_.begin_task();
        if (runtime_.tasks != nullptr) runtime_.tasks->next_task();
    }
    if (records_.empty()) records_.reserve(stones().size());
    MessageRecord record;
    record.transaction = placed.transaction;
    record.protostone = placed.place;
    record.shadow_vout = placed.vout;
    record.is_message = placed.message.has_value();
    records_.push_back(std::move(record));
    return {};
}

/// The tasks of a void transaction that did not come to their turn.
Status TransactionRun::skip_rest() {
    for (const PlacedProtostone& placed : stones().subspan(next_))
        if (const Status begun = begin_task(placed); !begun) return begun;
    return {};
}

/// Nothing: its contract call is to be made.
Result<std::optional<TransactionRun::Ran>> TransactionRun::open(const PlacedProtostone& placed) {
    const Protostone& stone = placed.protostone;
    const Message& message = context_.messages.messages[*placed.message];
    MessageRecord& record = records_.back();
    record.candidate = message.candidate;
    const std::uint64_t last = std::uint64_t{ledger_.outputs()} + stones().size();
    const bool sound =
        stone.pointer && stone.refund && *stone.pointer <= last && *stone.refund <= last;
    if (!sound) return std::optional(unsound(placed));
    if (!context_.rules.lenient_headers && placed.vout >= ledger_.outputs() + most_shadow_vouts)
        return std::optional(
            Ran{fmt::format("protostone {}: expected a shadow vout below {}, found {}",
                            placed.place, ledger_.outputs() + most_shadow_vouts, placed.vout)});
    MessageRequest request;
    if (message.cellpack)
        request.cellpack = {message.cellpack->target, FlatList<u128>::of(message.cellpack->inputs)};
    request.cellpack_error = message.error;
    request.incoming = Parcel::placed(overlay_.scratch(), ledger_.at(placed.vout).tokens());
    record.fuel_budget = budget_.left();
    open_.emplace(*this, placed, std::move(request));
    const auto waits = open_->execution.begin();
    if (!waits) return waits.error();
    if (*waits) return std::optional<Ran>();
    return std::optional(close());
}

/// The open message has ended.
TransactionRun::Ran TransactionRun::close() {
    const PlacedProtostone& placed = open_->placed;
    MessageOutcome outcome =
        open_->execution.finish([this](const Parcel& transfers) { return deliver(transfers); });
    const bool ok = outcome.verdict.ok();
    if (!open_->brought) open_->brought = ledger_.take(placed.vout);
    Ran ran{ok ? Fault() : ledger_.give(*placed.protostone.refund, open_->brought->tokens()), ok};
    fill(records_.back(), std::move(open_->request), std::move(outcome), open_->run);
    open_.reset();
    return ran;
}

/// What follows a message: the edicts of one that succeeded.
TransactionRun::Fault TransactionRun::settle(const PlacedProtostone& placed, Ran ran) {
    if (ran.fault || !ran.ok) return std::move(ran.fault);
    const Protostone& stone = placed.protostone;
    return move(placed, ledger_.take(stone.pointer.value_or(ledger_.default_output())));
}

TransactionRun::Fault TransactionRun::move(const PlacedProtostone& placed, Sheet source) {
    const Protostone& stone = placed.protostone;
    if (Fault fault = ledger_.apply(stone.edicts, source)) return fault;
    return ledger_.give(stone.pointer.value_or(ledger_.default_output()), source.tokens());
}

/// Gives a message's transfers to its pointer while the message can still be rolled back.
TransactionRun::Fault TransactionRun::deliver(const Parcel& transfers) {
    const std::uint32_t pointer = *open_->placed.protostone.pointer;
    open_->brought = ledger_.take(open_->placed.vout);
    Sheet outgoing;
    (void)outgoing.add(transfers); // fits: the message checked its sums
    if (context_.rules.overflow_refunds)
        if (Fault fault = ledger_.refusal(pointer, outgoing)) return fault;
    Fault fault = ledger_.give(pointer, outgoing.tokens());
    // Releases have dropped what was brought by now, and roll back neither that nor the tokens,
    // in the order of ids, that came before the one that does not fit.
    if (fault) open_->brought = Sheet();
    return fault;
}

/// A message whose pointers name nothing.
TransactionRun::Ran TransactionRun::unsound(const PlacedProtostone& placed) {
    const Protostone& stone = placed.protostone;
    const std::string text =
        fmt::format("protostone {}: expected pointer and refund up to {}, found {} and {}",
                    placed.place, ledger_.outputs() + stones().size(),
                    stone.pointer ? std::to_string(*stone.pointer) : "none",
                    stone.refund ? std::to_string(*stone.refund) : "none");
    if (!context_.rules.lenient_headers) return Ran{text};
    records_.back().status = CallStatus::error;
    records_.back().text = text;
    const bool real = stone.refund && *stone.refund < ledger_.outputs();
    const Sheet brought = ledger_.take(placed.vout);
    return Ran{ledger_.give(real ? *stone.refund : ledger_.default_output(), brought.tokens())};
}

/// What `keep_records` takes of the log's memory.
std::size_t TransactionRun::room_of_records() const {
    std::size_t size = FlatList<MessageRecord>::room_for(records_.size());
    for (const MessageRecord& record : records_) {
        size += FlatList<u128>::room_for(record.inputs.size()) +
                Parcel::room_for(record.incoming.size()) +
                Parcel::room_for(record.transfers.size()) +
                StorageMap::room_for(record.storage.size()) +
                FlatList<char>::room_for(record.data.size());
        for (const auto& [key, value] : record.storage)
            size += FlatList<char>::room_for(key.size()) + FlatList<char>::room_for(value.size());
    }
    return size;
}

/// From the memory of this run to that of its log.
void TransactionRun::keep_records() {
    Arena& memory = result_.log.memory;
    for (MessageRecord& record : records_) {
        record.inputs = FlatList<u128>::placed(memory, std::span(record.inputs));
        record.incoming = Parcel::placed(memory, std::span(record.incoming));
        record.transfers = Parcel::placed(memory, std::span(record.transfers));
        record.data = FlatText::placed(memory, record.data);
        const StorageMap& map = record.storage;
        record.storage = StorageMap::made(memory, map.size(), [&](std::size_t i) {
            return std::pair(FlatText::placed(memory, map[i].first),
                             FlatText::placed(memory, map[i].second));
        });
    }
    result_.records = FlatList<MessageRecord>::placed(
        memory, std::make_move_iterator(records_.begin()), std::make_move_iterator(records_.end()));
}

void TransactionRun::save_outputs() {
    for (const auto& [vout, sheet] : ledger_.kept())
        overlay_.set(sheet_key({block_.txids[result_.transaction], vout}), sheet->value());
}

/// Before and after of every key that a task wrote.
Status TransactionRun::note_changes() {
    std::map<state::Key, state::Value> left;
    for (std::size_t task = 0; task < records_.size(); ++task)
        for (const auto& [key, value] : result_.log.tasks[task].writes) {
            const auto known = left.find(key);
            state::Value before;
            if (known != left.end()) {
                before = known->second;
            } else {
                auto there = before_.get(key);
                if (!there) return there.error();
                before = *std::move(there);
            }
            left.insert_or_assign(key, value);
            records_[task].changes.push_back({key, std::move(before), value});
        }
    return {};
}

Result<TransactionResult> execute_transaction(Runtime& runtime, const BlockContext& context,
                                              std::uint32_t transaction,
                                              const state::StateView& before, std::uint64_t budget,
                                              const TransactionOptions& options) {
    TransactionRun run(runtime, context, transaction, before, budget, options);
    auto waits = run.begin();
    while (waits && *waits) {
        auto ran = run.run_call();
        if (!ran) return ran.error();
        waits = run.answer(*std::move(ran));
    }
    if (!waits) return waits.error();
    return run.take();
}

} // namespace blockloom::alkanes
