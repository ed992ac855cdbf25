// Whole blocks: what transactions leave, which logs are accepted on a replay, that engines agree,
// and the trap of stale reads.
#include "alkanes/block_trace.h"
#include "alkanes/block_world.h"
#include "alkanes/host_functions.h"
#include "alkanes/wat_contract.h"
#include "state/acceptance.h"
#include "trace/key_interner.h"

#include <QtTest>

#include <algorithm>
#include <random>

using namespace blockloom;
using namespace blockloom::alkanes;
using namespace calls;

namespace {

/// Adds one to "/n" and pays ten of its own token.
Bytes counter() {
    const std::string response =
        parcel_bytes({{{0, 0}, 10}}) + storage_map_bytes({{"/n", std::string(8, '\0')}});
    return contract("(drop (call $load_context (i32.const 5000)))"
                    "(memory.copy (i32.const 3016) (i32.const 5000) (i32.const 32))"
                    "(drop (call $load_storage (i32.const 1024) (i32.const 6000)))"
                    "(i64.store (i32.const 3078) (i64.add (i64.load (i32.const 6000)) (i64.const "
                    "1)))"
                    "(i32.const 3000)",
                    buffer(1024, "/n") + buffer(3000, response));
}

/// Calls the contract that its inputs name with all that came in, and passes on what it returns.
Bytes forwarder() {
    return contract("(local $p i32)"
                    "(drop (call $load_context (i32.const 5000)))"
                    "(local.set $p (i32.add (i32.const 5096) (i32.mul (i32.const 48) (i32.load "
                    "(i32.const 5080)))))"
                    "(i32.store (i32.const 5076) (i32.sub (local.get $p) (i32.const 5080)))"
                    "(memory.copy (i32.const 9000) (local.get $p) (i32.const 32))"
                    "(drop (call $call (i32.const 9000) (i32.const 5080) (i32.const 1200) "
                    "(i64.const 0)))"
                    "(call $returndatacopy (i32.const 7000))"
                    "(i32.store (i32.add (i32.const 7000) (i32.load (i32.const 6996))) (i32.const "
                    "0))"
                    "(i32.store (i32.const 6996) (i32.add (i32.const 4) (i32.load (i32.const "
                    "6996))))"
                    "(i32.const 7000)",
                    buffer(9000, std::string(32, '\0')) + buffer(1200, std::string(4, '\0')));
}

/// Reads one key of its own; if it is "1" (or `always`) it writes another as "1".
Bytes follower(const std::string& reads, const std::string& writes, bool always) {
    const std::string response =
        parcel_bytes({}) + storage_map_bytes({{writes, always ? "1" : "1"}});
    return contract("(drop (call $load_storage (i32.const 1024) (i32.const 6000)))"
                    "(if (i32.eq (i32.load8_u (i32.const 6000)) (i32.const 49)) (then (return "
                    "(i32.const 3000))))" +
                        std::string(always ? "(i32.const 3000)" : "(call $empty)"),
                    buffer(1024, reads) + buffer(3000, response));
}

constexpr AlkaneId first{2, 5}, second{2, 6}, forward{2, 7}, failing{2, 8}, sample{4, 33};

state::MemoryState base_state() {
    state::MemoryState state;
    const auto put = [&](const AlkaneId& id, const Bytes& module) {
        state.apply(code_entries(id, module, CodeForm::plain));
    };
    static const Bytes counting = counter(), forwarding = forwarder(),
                       stopping = contract("(call $stop) (call $empty)");
    put(first, counting);
    put(second, counting);
    put(sample, counting);
    put(forward, forwarding);
    put(failing, stopping);
    state.put(sequence_key(), u128_bytes(20));
    return state;
}

std::string number_at(const state::StateView& state, const AlkaneId& id, const char* key) {
    return std::string(state.get(storage_key(id, key))->bytes());
}

/// Transactions that mint, forward, revert, create, move and strand, partly spending each other.
std::vector<model::Transaction> random_transactions(std::mt19937& random, std::size_t count) {
    const auto below = [&](unsigned bound) { return static_cast<unsigned>(random() % bound); };
    std::vector<model::Transaction> all;
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<Protostone> stones;
        for (unsigned n = 1 + below(3); n > 0; --n) {
            static const std::vector<Cellpack> targets{
                {first, {77}},     {second, {77}}, {forward, {2, 5}}, {forward, {2, 7, 2, 5}},
                {failing, {}},     {{6, 33}, {}},  {{2, 20}, {}},     {{1, 0}, {}},
                {forward, {2, 8}}, {{5, 5}, {}},   {{2, 21}, {}}};
            Protostone stone =
                stones::calling(targets[below(static_cast<unsigned>(targets.size()))]);
            if (below(3) == 0) stone.message.clear();
            stone.pointer = below(7);
            stone.refund = below(7);
            if (below(20) == 0) stone.pointer.reset();
            if (below(8) == 0) stone.protocol = 2;
            while (below(2) == 0)
                stone.edicts.push_back({{2, 5 + below(2)}, below(2) == 0 ? 0 : below(9), below(6)});
            stones.push_back(stone);
        }
        model::Transaction tx =
            below(6) == 0 ? model::Transaction{} : stones::carrying(stones, 1 + below(2), below(2));
        if (tx.outputs.empty()) tx.outputs.push_back({5, {0x51}});
        if (tx.inputs.empty()) tx.inputs.emplace_back().txid.fill(static_cast<Byte>(1 + below(90)));
        tx.locktime = static_cast<std::uint32_t>(i);
        for (unsigned n = below(3); n > 0 && !all.empty(); --n) {
            const auto& from = all[below(static_cast<unsigned>(all.size()))];
            spend(tx, from, below(static_cast<unsigned>(from.outputs.size())));
        }
        all.push_back(std::move(tx));
    }
    return all;
}

/// What of two results differs; empty: nothing.
std::string difference(const TransactionResult& a, const TransactionResult& b) {
    if (!(a.log.reads == b.log.reads && a.log.predicates == b.log.predicates)) return "reads";
    if (!(a.log.writes == b.log.writes)) return "writes";
    if (a.log.tasks.size() != b.log.tasks.size()) return "tasks";
    for (std::size_t i = 0; i < a.log.tasks.size(); ++i) {
        const state::TaskLog &one = a.log.tasks[i], &other = b.log.tasks[i];
        if (!(one.reads == other.reads && one.predicates == other.predicates &&
              one.writes == other.writes && one.attempted == other.attempted))
            return "a task";
    }
    if (a.records.size() != b.records.size()) return "records";
    for (std::size_t i = 0; i < a.records.size(); ++i) {
        const MessageRecord &one = a.records[i], &other = b.records[i];
        if (!(one.inputs == other.inputs && one.incoming == other.incoming &&
              one.transfers == other.transfers && one.storage == other.storage &&
              one.data == other.data && one.text == other.text && one.target == other.target))
            return "a record";
    }
    return {};
}

} // namespace

class TestBlockExecution : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (!calls::can_assemble()) QSKIP("wat2wasm is not installed (package wabt)");
    }

    /// Their logs and records lie in memory that results share: nothing of it may end before the
    /// last of them (found by the address sanitizer), and nothing of it may be of the context.
    void results_outlive_everything_else() {
        std::mt19937 random(18);
        const auto transactions = random_transactions(random, 60);
        for (const bool record : {false, true}) {
            const auto run = [&] {
                const state::MemoryState before = base_state();
                const BlockContext context = opened(decoded(transactions), before, 960'000);
                return executed(context, before, Engine::interpreter, record);
            };
            const BlockExecution kept = run();
            std::vector<TransactionResult> taken, copied;
            {
                BlockExecution other = run();
                copied = other.transactions;
                for (std::size_t i = 0; i < other.transactions.size(); i += 3)
                    taken.push_back(std::move(other.transactions[i]));
            }
            QVERIFY(kept.messages > 30 && taken.size() > 10);
            for (std::size_t i = 0; i < kept.transactions.size(); ++i) {
                QCOMPARE(difference(copied[i], kept.transactions[i]), std::string());
                if (i % 3 == 0)
                    QCOMPARE(difference(taken[i / 3], kept.transactions[i]), std::string());
            }
            // In another order than they were made in, and assigned over one another.
            std::shuffle(taken.begin(), taken.end(), random);
            taken.resize(taken.size() / 2);
            taken.front() = copied.back();
            taken.back() = std::move(copied.back());
            QCOMPARE(difference(taken.front(), kept.transactions.back()), std::string());
            QCOMPARE(difference(taken.back(), kept.transactions.back()), std::string());
        }
    }

    /// A trace takes the hashes of the state's keys for its own.
    void keys_hash_alike_in_state_and_trace() {
        std::string key;
        for (int size = 0; size < 300; ++size, key += static_cast<char>(size))
            QCOMPARE(static_cast<std::uint32_t>(state::hash_of_key(key)),
                     trace::KeyInterner::hash_of(key));
    }

    void mints_chain_through_state_and_outputs() {
        const state::MemoryState before = base_state();
        Protostone mint = stones::calling({first, {77}});
        const model::Transaction one = stones::carrying({mint}), two = stones::carrying({mint});
        // Spends both, sends 15 to its second plain output, the rest to its first.
        Protostone move;
        move.protocol = alkanes_protocol;
        move.pointer = 0;
        move.edicts = {{first, 15, 2}};
        model::Transaction three = stones::carrying({move}, 1, 1);
        three.inputs.clear();
        spend(three, one, 0);
        spend(three, two, 0);
        // No protostone: what it spends is stranded.
        model::Transaction four;
        spend(four, three, 2);
        four.outputs.push_back({1, {0x51}});
        const auto block = decoded({one, two, three, four});
        const BlockContext context = opened(block, before, 960'000);
        const BlockExecution done = executed(context, before, Engine::interpreter, true);
        const state::MemoryState left = after(before, done);

        QCOMPARE(done.tasks, std::uint64_t{3});
        QCOMPARE(done.messages, std::uint64_t{2});
        QCOMPARE(done.succeeded, std::uint64_t{2});
        QCOMPARE(done.host_tasks, std::uint64_t{2}); // with what the indexer writes by itself
        QCOMPARE(number_at(left, first, "/n"), std::string("\x02") + std::string(7, '\0'));
        QVERIFY(tokens_at(left, one, 0).empty() && tokens_at(left, two, 0).empty());
        QCOMPARE(tokens_at(left, three, 0), (std::vector<Transfer>{{first, 5}}));
        QVERIFY(tokens_at(left, three, 2).empty());
        // The chain shows in the logs: sheets made inside the window are read, others are not.
        const auto& moving = result_of(done, 3).log;
        QCOMPARE(moving.reads.size(), std::size_t{2});
        QCOMPARE(result_of(done, 1).log.tasks.size(), std::size_t{1});
        QCOMPARE(result_of(done, 4).records.size(), std::size_t{0});
        QVERIFY(result_of(done, 4).is_host_task());
        // Storage before and after, where it is asked for.
        const auto& changes = result_of(done, 2).records.at(0).changes;
        const auto at = std::find_if(changes.begin(), changes.end(), [](const auto& change) {
            return change.key == storage_key(first, "/n");
        });
        QVERIFY(at != changes.end());
        QCOMPARE(std::string(at->before.bytes()), std::string("\x01") + std::string(7, '\0'));

        const auto trace = trace_of(done, context);
        QVERIFY(trace.ok());
        QCOMPARE((*trace)->tasks(), trace::TaskId{3});
        QCOMPARE((*trace)->chain, std::string("alkanes"));
        bool named = false;
        for (const trace::Access access : (*trace)->sets.of(1))
            named = named || ((*trace)->keys->printable(access.key()) == "storage:2:5:/n" &&
                              access.reads() && access.writes());
        QVERIFY(named);
    }

    void refunds_and_shadow_pointers() {
        const state::MemoryState before = base_state();
        const model::Transaction mint = stones::carrying({stones::calling({first, {77}})});
        // Outputs: 0 plain, 1 runestone; shadow vouts 3 and 4. The first message fails and refunds
        // to the second one's shadow vout, which forwards nothing and keeps the tokens in its
        // contract.
        Protostone fails = stones::calling({failing, {}});
        fails.refund = 4;
        Protostone takes = stones::calling({first, {77}});
        model::Transaction tx = stones::carrying({fails, takes});
        tx.inputs.clear();
        spend(tx, mint, 0);
        const BlockContext context = opened(decoded({mint, tx}), before, 960'000);
        const BlockExecution done = executed(context, before);
        const auto& records = result_of(done, 2).records;
        QCOMPARE(records.size(), std::size_t{2});
        QCOMPARE(records[0].status, CallStatus::revert);
        // The failure drained the budget: nothing is left for the second message.
        QCOMPARE(records[1].status, CallStatus::out_of_fuel);
        QCOMPARE(records[1].incoming, (Parcel{{first, 10}}));
        const state::MemoryState left = after(before, done);
        QCOMPARE(tokens_at(left, tx, 0), (std::vector<Transfer>{{first, 10}}));
    }

    void legacy_errors_void_the_transaction() {
        const state::MemoryState before = base_state();
        const model::Transaction mint = stones::carrying({stones::calling({first, {77}})});
        Protostone bad = stones::calling({second, {77}});
        bad.pointer = 40;
        model::Transaction tx = stones::carrying({stones::calling({first, {77}}), bad});
        tx.inputs.clear();
        spend(tx, mint, 0);
        const auto block = decoded({mint, tx});
        for (const std::uint64_t height : {974'999, 975'000}) {
            const BlockContext context =
                opened(block, before, height, Network::mainnet, RuleLine::develop);
            const BlockExecution done = executed(context, before);
            const state::MemoryState left = after(before, done);
            const TransactionResult& result = result_of(done, 2);
            QCOMPARE(result.records.size(), std::size_t{2});
            QVERIFY(tokens_at(left, mint, 0).empty());
            if (height < 975'000) {
                QVERIFY(!result.void_reason.empty());
                // Only the spent sheet is gone; what the first message wrote was an attempt.
                QCOMPARE(result.log.writes.size(), std::size_t{1});
                QCOMPARE(number_at(left, first, "/n").front(), '\x01');
                QVERIFY(tokens_at(left, tx, 0).empty());
            } else {
                QVERIFY(result.void_reason.empty());
                QCOMPARE(result.records[0].status, CallStatus::success);
                QCOMPARE(result.records[1].status, CallStatus::error);
                QCOMPARE(number_at(left, first, "/n").front(), '\x02');
                QCOMPARE(tokens_at(left, tx, 0), (std::vector<Transfer>{{first, 10}}));
            }
        }
    }

    /// T1 writes a; T2: if a = 1 write b; T3: c = b + 1. Alone on the old state T2 writes nothing.
    void the_trap_is_seen() {
        state::MemoryState before;
        before.apply(code_entries({2, 1}, follower("a", "a", true), CodeForm::plain));
        before.apply(code_entries({2, 2}, follower("a", "b", false), CodeForm::plain));
        before.apply(code_entries({2, 3}, follower("b", "c", false), CodeForm::plain));
        // All three work on the storage of 2:4, which calls their code as its own.
        before.apply(code_entries(
            {2, 4},
            contract("(drop (call $load_context (i32.const 5000)))"
                     "(memory.copy (i32.const 9000) (i32.const 5096) (i32.const 32))"
                     "(drop (call $delegatecall (i32.const 9000) (i32.const 1300) (i32.const 1200) "
                     "(i64.const 0))) (call $empty)",
                     buffer(9000, std::string(32, '\0')) + buffer(1200, std::string(4, '\0')) +
                         buffer(1300, std::string(16, '\0'))),
            CodeForm::plain));
        before.put(sequence_key(), u128_bytes(20));
        const auto message = [](unsigned code) {
            return stones::carrying({stones::calling({{2, 4}, {2, code}})});
        };
        const auto block = decoded({message(1), message(2), message(3)});
        const BlockContext context = opened(block, before, 960'000);
        const BlockExecution truth = executed(context, before);
        const state::MemoryState left = after(before, truth);
        QCOMPARE(number_at(left, {2, 4}, "c"), std::string("1"));

        Runtime runtime(alkanes::host_imports, std::make_shared<Contracts>());
        SilentProgress silent;
        const auto guess = estimate_block(runtime, context, before, {}, silent);
        QVERIFY(guess.ok());
        QVERIFY(result_of(*guess, 2).log.writes.empty());
        // Accepting what was estimated, in order: only the first may pass.
        state::BlockState state(before);
        const std::array<bool, 3> expected{true, false, false};
        for (std::uint32_t i = 0; i < 3; ++i) {
            QCOMPARE(*state::accepts(result_of(*guess, i + 1).log, state), expected[i]);
            state.apply(result_of(truth, i + 1).log.writes);
        }
        const SetDifference difference = compare_sets(truth, *guess);
        QCOMPARE(difference.tasks, std::uint64_t{3});
        QCOMPARE(difference.equal_tasks, std::uint64_t{1});
        QCOMPARE(difference.missing, std::uint64_t{2});
    }

    void logs_hold_data() {
        QTest::addColumn<int>("seed");
        QTest::addColumn<quint64>("height");
        for (const quint64 height : {890'000, 945'000, 960'000, 980'000})
            for (int seed = 0; seed < 8; ++seed)
                QTest::addRow("%llu/%d", height, seed) << seed << height;
    }

    /// On random blocks: every log of the serial run is accepted where it ran; an estimated
    /// execution that is accepted has the serial one's writes; both engines give the same block.
    void logs_hold() {
        QFETCH(int, seed);
        QFETCH(quint64, height);
        std::mt19937 random(static_cast<unsigned>(seed) * 1'000 + static_cast<unsigned>(height));
        const state::MemoryState before = base_state();
        const auto block = decoded(random_transactions(random, 25));
        const BlockContext context = opened(block, before, height);
        const BlockExecution truth = executed(context, before);
        const BlockExecution native = executed(context, before, Engine::native);
        QCOMPARE(native.digest, truth.digest);
        QCOMPARE(native.fuel, truth.fuel);
        QCOMPARE(native.steps, truth.steps);
        QVERIFY(truth.messages > 10);

        Runtime runtime(alkanes::host_imports, std::make_shared<Contracts>());
        SilentProgress silent;
        const auto guess = estimate_block(runtime, context, before, {}, silent);
        QVERIFY(guess.ok());
        state::BlockState state(before);
        auto estimated = guess->transactions.begin();
        std::size_t accepted = 0;
        for (std::size_t i = 0; i < truth.transactions.size(); ++i) {
            const TransactionResult& result = truth.transactions[i];
            QVERIFY(*state::accepts(result.log, state));
            QVERIFY(result.fuel.holds_for(truth.budgets[i]));
            while (estimated != guess->transactions.end() &&
                   estimated->transaction < result.transaction)
                ++estimated;
            if (estimated != guess->transactions.end() &&
                estimated->transaction == result.transaction &&
                *state::accepts(estimated->log, state) &&
                estimated->fuel.holds_for(truth.budgets[i])) {
                QCOMPARE(estimated->log.writes, result.log.writes);
                QCOMPARE(estimated->fuel.gas, result.fuel.gas);
                ++accepted;
            }
            state.apply(result.log.writes);
        }
        QVERIFY(accepted > 0);
    }

    void prefixes_make_candidates() {
        const state::MemoryState before = base_state();
        Protostone marked = stones::calling({{8, 8}, {2, 5, 77}});
        const model::Transaction one = stones::carrying({marked});
        model::Transaction two = stones::carrying({marked});
        spend(two, one, 0);
        const model::Transaction three = stones::carrying({stones::calling({{8, 8}, {2}})});
        const auto block = decoded({one, two, three});
        const BlockContext context = opened(block, before, 960'000, Network::blockloom);
        QCOMPARE(context.candidates, (std::vector<std::uint32_t>{1, 3}));
        QCOMPARE(context.demoted, 1u);
        const BlockExecution done = executed(context, before);
        QCOMPARE(done.succeeded, std::uint64_t{2});
        QVERIFY(result_of(done, 1).records.at(0).candidate);
        // On mainnet such a target reverts.
        const BlockContext strict = opened(block, before, 960'000);
        QVERIFY(strict.candidates.empty());
        QCOMPARE(executed(strict, before).succeeded, std::uint64_t{0});
    }

    /// Blocks of one window: what an earlier one may create is read in a later one, even where it
    /// is not there, and the counter is that before the first.
    void blocks_join_a_window() {
        const state::MemoryState before = base_state();
        const model::Transaction make = stones::carrying({stones::calling({{6, 33}, {}})});
        model::Transaction use = stones::carrying({stones::calling({{2, 20}, {77}})});
        spend(use, make, 1); // the runestone's output: nothing ever lies there
        const auto first_block = decoded({make}), second_block = decoded({use});
        std::vector<BlockContext> contexts{opened(first_block, before, 960'000)};
        const BlockExecution one = executed(contexts[0], before);
        const state::MemoryState between = after(before, one);
        contexts.push_back(opened(second_block, between, 960'001));
        const auto log_of = [&](const BlockContext& context) {
            return result_of(executed(context, between), 1).log;
        };
        const std::string key = sheet_key({txid_of(make), 1});
        const auto reads = [&](const state::TransactionLog& log) {
            return std::any_of(log.reads.begin(), log.reads.end(),
                               [&](const state::Read& read) { return read.key == key; });
        };
        const state::TransactionLog alone = log_of(contexts[1]);
        QVERIFY(!reads(alone) && alone.predicates.empty());
        join_windows(contexts);
        const state::TransactionLog joined = log_of(contexts[1]);
        QVERIFY(reads(joined));
        QCOMPARE(joined.predicates.size(), std::size_t{1});
        QCOMPARE(joined.writes, alone.writes);
    }

    void stopping_is_an_error() {
        const state::MemoryState before = base_state();
        const auto block = decoded({stones::carrying({stones::calling({first, {77}})})});
        const BlockContext context = opened(block, before, 960'000);
        std::stop_source stop;
        stop.request_stop();
        Runtime runtime(alkanes::host_imports, std::make_shared<Contracts>());
        SilentProgress silent;
        TransactionOptions options;
        options.stop = stop.get_token();
        const auto done = execute_block(runtime, context, before, options, silent);
        QVERIFY(!done.ok());
        QCOMPARE(done.error().code, ErrorCode::cancelled);
    }
};

QTEST_GUILESS_MAIN(TestBlockExecution)
#include "test_block_execution.moc"
