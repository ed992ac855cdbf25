// The rows of docs/alkanes.md#where-the-rule-sets-differ-and-what-we-do: what messages and blocks
// do on each rule set, at the heights where it matters. Rows 1 (fuel), 2 (test_built_in_code.cpp)
// and 16 (test_token_flow.cpp) have their tests elsewhere.
#include "alkanes/block_world.h"
#include "alkanes/message_world.h"

#include "alkanes/envelope.h"

#include <QtTest>

using namespace blockloom;
using namespace blockloom::alkanes;
using namespace calls;

namespace {

constexpr std::array lines{RuleLine::released, RuleLine::develop};
constexpr AlkaneId lower{2, 1}, payer{2, 2}, keeper{2, 3}, other_keeper{2, 4}, brought{3, 1};
constexpr u128 most = ~u128{0};

/// Pays 3 of `lower`, which it must hold, and 1 of its own token; writes a key.
Bytes paying() {
    return contract("(i32.const 3000)", buffer(3000, parcel_bytes({{lower, 3}, {payer, 1}}) +
                                                         storage_map_bytes({{"/paid", "1"}})));
}

state::MemoryState base_state() {
    static const Bytes pays = paying(), keeps = contract("(call $empty)");
    state::MemoryState state;
    const auto put = [&](const AlkaneId& id, const Bytes& module) {
        state.apply(code_entries(id, module, CodeForm::plain));
    };
    put(payer, pays);
    put(keeper, keeps);
    put(other_keeper, keeps);
    put({32, 0}, keeps);
    state.put(balance_key(payer, lower), u128_bytes(9));
    state.put(sequence_key(), u128_bytes(20));
    return state;
}

/// Puts tokens on the output that a transaction's first input spends.
void bring(state::MemoryState& state, const model::Transaction& tx, std::vector<Transfer> tokens) {
    Hash256 txid;
    std::copy(tx.inputs[0].txid.begin(), tx.inputs[0].txid.end(), txid.begin());
    state.put(sheet_key({txid, tx.inputs[0].vout}), sheet_value(tokens));
}

BlockExecution run(const model::Transaction& tx, const state::MemoryState& before,
                   std::uint64_t height, RuleLine line) {
    return executed(opened(decoded({tx}), before, height, Network::mainnet, line), before);
}

std::uint64_t budget_of(const BlockExecution& done, std::size_t record) {
    return result_of(done, 1).records.at(record).fuel_budget;
}

/// A world by a line's rules.
World world_of(RuleLine line, std::uint64_t height = 960'000) {
    World world(height);
    world.surroundings.rules = rules_at(Network::mainnet, height, line);
    return world;
}

} // namespace

class TestRuleRows : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (!can_assemble()) QSKIP("wat2wasm is not installed (package wabt)");
    }

    /// Messages to [32, 0] run without a budget in the development branch only, at every height.
    void row_3_gasless_target() {
        const model::Transaction tx =
            stones::carrying({stones::calling({{32, 0}, {77}}), stones::calling({keeper, {1}})});
        for (const std::uint64_t height : {880'000, 960'000})
            for (const RuleLine line : lines) {
                const BlockExecution done = run(tx, base_state(), height, line);
                QCOMPARE(done.succeeded, std::uint64_t{2});
                const std::uint64_t used = result_of(done, 1).records[0].fuel_used;
                QVERIFY(used > 0);
                QCOMPARE(budget_of(done, 0) - budget_of(done, 1),
                         line == RuleLine::released ? used : 0);
            }
        for (const RuleLine line : lines) {
            World world = world_of(line);
            world.put({32, 0}, contract("(call $empty)"));
            world.fuel = 3;
            QCOMPARE(world.call({32, 0}, {77}).status(),
                     line == RuleLine::released ? CallStatus::out_of_fuel : CallStatus::success);
        }
    }

    /// A rune pointer at the number of outputs makes a cenotaph in releases: nothing runs, the
    /// transaction has no part in the block's fuel and in its mints.
    void row_4_rune_pointer() {
        for (const std::uint32_t pointer : {1U, 2U, 9U}) {
            Runestone stone;
            stone.protocol = encode_protostones(std::vector{stones::calling({{2, 0}, {77}})});
            stone.pointer = pointer;
            const model::Transaction tx = stones::carrying(encode_runestone(stone));
            QCOMPARE(tx.outputs.size(), std::size_t{2});
            state::MemoryState before = base_state();
            before.apply(code_entries({2, 0}, contract("(call $empty)"), CodeForm::plain));
            for (const std::uint64_t height : {880'000, 960'000})
                for (const RuleLine line : lines) {
                    const bool runs = line == RuleLine::develop || pointer < 2;
                    const BlockContext context =
                        opened(decoded({tx}), before, height, Network::mainnet, line);
                    const BlockExecution done = executed(context, before);
                    QCOMPARE(done.succeeded, std::uint64_t{runs});
                    QCOMPARE(context.messages.mint_transactions, std::uint64_t{runs});
                    QCOMPARE(context.messages.vfsize != 0, runs);
                    QCOMPARE(context.messages.transactions.at(0).runestone.flaw,
                             runs ? std::optional<Flaw>()
                                  : std::optional(Flaw::unrecognized_even_tag));
                }
        }
    }

    /// [OP_RETURN, a, b], 15 tokens, a spread of 10 each, the pointer at a: below 943,500 the
    /// OP_RETURN output uses up 10, a gets 5, and b's share of nothing is everything left.
    void row_5_spread_edict() {
        Protostone stone;
        stone.protocol = alkanes_protocol;
        stone.pointer = 1;
        stone.edicts = {{keeper, 10, 3}};
        const model::Transaction tx = stones::carrying({stone}, 0, 2);
        state::MemoryState before = base_state();
        bring(before, tx, {{keeper, 15}});
        for (const RuleLine line : lines)
            for (const std::uint64_t height : {943'499, 943'500}) {
                const state::MemoryState left = after(before, run(tx, before, height, line));
                const bool early = height < 943'500;
                QCOMPARE(tokens_at(left, tx, 1),
                         (std::vector<Transfer>{{keeper, early ? 5U : 10U}}));
                QCOMPARE(tokens_at(left, tx, 2),
                         (std::vector<Transfer>{{keeper, early ? 10U : 5U}}));
            }
    }

    /// A message whose transfers do not fit what lies at its pointer is taken back, at the price of
    /// a success. The development branch refunds what came with it; releases have dropped that, and
    /// have given the tokens that come, by id, before the one that does not fit.
    void row_6_overflow_at_the_pointer() {
        Protostone first; // `payer`'s token to output 0, `brought` to the message after it
        first.protocol = alkanes_protocol;
        first.pointer = 0;
        first.edicts = {{brought, 7, 5}};
        Protostone message = stones::calling({payer, {1}});
        message.pointer = 0;
        message.refund = 1;
        const model::Transaction tx =
            stones::carrying({first, message, stones::calling({keeper, {1}})}, 2);
        QCOMPARE(tx.outputs.size(), std::size_t{3});
        state::MemoryState before = base_state();
        bring(before, tx, {{payer, most}, {brought, 7}});
        for (const std::uint64_t height : {880'000, 960'000})
            for (const RuleLine line : lines) {
                const bool released = line == RuleLine::released;
                const BlockExecution done = run(tx, before, height, line);
                const TransactionResult& result = result_of(done, 1);
                QVERIFY(result.void_reason.empty());
                QCOMPARE(result.records[1].status, CallStatus::error);
                QCOMPARE(result.records[1].text,
                         std::string("output 0: a token's amount passes 128 bits"));
                QCOMPARE(result.records[2].status, CallStatus::success);
                QVERIFY(result.records[1].fuel_used > 0);
                QCOMPARE(budget_of(done, 1) - budget_of(done, 2), result.records[1].fuel_used);
                const state::MemoryState left = after(before, done);
                QVERIFY(!*left.get(storage_key(payer, "/paid")));
                QCOMPARE(u128_text(state::counter_of(*left.get(balance_key(payer, lower)))),
                         std::string("9"));
                QCOMPARE(tokens_at(left, tx, 0),
                         (released ? std::vector<Transfer>{{lower, 3}, {payer, most}}
                                   : std::vector<Transfer>{{payer, most}}));
                QCOMPARE(tokens_at(left, tx, 1), (released ? std::vector<Transfer>{}
                                                           : std::vector<Transfer>{{brought, 7}}));
            }
    }

    /// Not as upstream, on either line: contracts that are sent 2^127 of a token each have both got
    /// it, where upstream's sum over all contracts refuses the second (docs/alkanes.md).
    void row_7_runtime_sheet_is_not_kept() {
        constexpr u128 half = u128{1} << 127U;
        for (const RuleLine line : lines) {
            state::MemoryState state = base_state();
            for (const AlkaneId& target : {keeper, other_keeper}) {
                const model::Transaction tx = stones::carrying({stones::calling({target, {1}})});
                bring(state, tx, {{brought, half}});
                const BlockExecution done = run(tx, state, 960'000, line);
                QCOMPARE(done.succeeded, std::uint64_t{1});
                state = after(state, done);
                QCOMPARE(u128_text(state::counter_of(*state.get(balance_key(target, brought)))),
                         u128_text(half));
            }
        }
    }

    /// [8, n] and [42, n] without code: in releases an empty module, which fails after the tank.
    void row_8_empty_targets() {
        for (const AlkaneId& target : {AlkaneId{8, 5}, AlkaneId{42, 1}, AlkaneId{8, 57'005}}) {
            const model::Transaction tx =
                stones::carrying({stones::calling({target, {3}}), stones::calling({keeper, {1}})});
            for (const RuleLine line : lines) {
                const BlockExecution done = run(tx, base_state(), 960'000, line);
                const TransactionResult& result = result_of(done, 1);
                const bool drains = line == RuleLine::released;
                QCOMPARE(result.records[0].status, CallStatus::error);
                QCOMPARE(budget_of(done, 1) == 0, drains);
                QCOMPARE(result.records[1].ok(), !drains);
            }
        }
    }

    /// Releases have no limit of 16 MiB: a bomb of zeros is no module, which its message learns
    /// after the tank; a module of that size is for another implementation. A broken gzip fails
    /// before the tank on both rule sets.
    void row_9_code_size() {
        const Bytes bomb = *deflate_code(Bytes(most_inflated + 1, 0));
        Bytes large{0, 'a', 's', 'm', 1, 0, 0, 0};
        large.resize(most_inflated + 9, 0);
        const Bytes module = *deflate_code(large);
        const Bytes broken(bomb.begin(), bomb.end() - 1);
        for (const RuleLine line : lines) {
            World world = world_of(line);
            const bool released = line == RuleLine::released;
            world.surroundings.deployed = &bomb;
            const Ran zeros = world.call({1, 0});
            QCOMPARE(zeros.status(), CallStatus::error);
            QCOMPARE(zeros.fuel.reached_tank && zeros.fuel.drained, released);
            world.surroundings.deployed = &module;
            const Ran big = world.call({1, 0});
            QCOMPARE(big.status(), released ? CallStatus::ejected : CallStatus::error);
            QCOMPARE(big.fuel.reached_tank, released);
            world.surroundings.deployed = &broken;
            const Ran cut = world.call({1, 0});
            QCOMPARE(cut.status(), CallStatus::error);
            QVERIFY(!cut.fuel.reached_tank);
        }
    }

    /// Not as upstream, on either line: an empty block changes nothing, where upstream writes
    /// /last_block of [32, 0] (docs/alkanes.md).
    void row_10_last_block_is_not_written() {
        const state::MemoryState before = base_state();
        for (const RuleLine line : lines) {
            const BlockContext context =
                opened(decoded({}), before, 905'000, Network::mainnet, line);
            QVERIFY(executed(context, before).changes.empty());
        }
    }

    /// Imports that are no part of the protocol link on the generated network only.
    void row_11_own_imports() {
        for (const char* const body : {"(drop (call $is_dry_run)) (call $empty)",
                                       "(call $record_get (i32.const 1024)) (call $empty)",
                                       "(call $record_put (i32.const 1024)) (call $empty)"})
            for (const Network network : {Network::mainnet, Network::regtest, Network::blockloom})
                for (const RuleLine line : lines) {
                    World world;
                    world.surroundings.rules = rules_at(network, 960'000, line);
                    world.put(keeper, contract(body, buffer(1024, "key")));
                    const Ran ran = world.call(keeper);
                    QCOMPARE(ran.ok(), network == Network::blockloom);
                    QCOMPARE(ran.fuel.drained, network != Network::blockloom);
                }
    }

    /// A protocol field that cannot be decoded is passed over when the block's mints are counted.
    /// v2.1.7-beta.4 failed every mint of such a block; what is followed, on both rule sets, does
    /// not.
    void row_12_broken_fields_are_no_mints() {
        Runestone broken;
        broken.protocol = {u128{0x80} << 112U | 1U};
        const model::Transaction mint = stones::carrying({stones::calling({{2, 0}, {77}})});
        const auto block = decoded({stones::carrying(encode_runestone(broken)), mint});
        // Asks precompile 2 and gives its answer.
        const Bytes asking =
            contract("(drop (call $staticcall (i32.const 9000) (i32.const 1300) (i32.const 1200) "
                     "(i64.const 0))) (call $returndatacopy (i32.const 7000))"
                     "(call $give_word (i32.load (i32.const 7016)))",
                     buffer(9000, u128_bytes(800'000'000) + u128_bytes(2)) +
                         buffer(1200, std::string(4, '\0')) + buffer(1300, std::string(16, '\0')));
        state::MemoryState before = base_state();
        before.apply(code_entries({2, 0}, asking, CodeForm::plain));
        for (const RuleLine line : lines) {
            const BlockContext context = opened(block, before, 892'000, Network::mainnet, line);
            const BlockExecution done = executed(context, before);
            const MessageRecord& record = result_of(done, 2).records.at(0);
            QVERIFY(record.ok());
            QCOMPARE(std::string(record.data.view().substr(4)), le(std::uint32_t{1}));
        }
    }

    /// A memory whose maximum is below the 512 pages that every contract gets halts the indexer:
    /// there is no state to agree with. Here it runs with what it has, on both rule sets.
    void row_13_small_memory() {
        const Bytes small =
            assemble("(module (memory (export \"memory\") 1 1) (data (i32.const 2044) \"\\14\")"
                     "(func (export \"__execute\") (result i32) (i32.const 2048)))");
        for (const RuleLine line : lines) {
            World world = world_of(line);
            world.put(keeper, small);
            const Ran ran = world.call(keeper);
            QVERIFY(ran.ok());
            QCOMPARE(ran.outcome.call.final_pages, std::uint32_t{1});
        }
    }

    /// What the engines here cannot run and wasmi can is ejected, never answered in another way.
    void row_14_engine_limits() {
        const auto with_table = [](int cells) {
            return assemble("(module (memory (export \"memory\") 1) (table " +
                            std::to_string(cells) +
                            " funcref) (data (i32.const 2044) \"\\14\")"
                            "(func (export \"__execute\") (result i32) (i32.const 2048)))");
        };
        for (const RuleLine line : lines) {
            World world = world_of(line);
            world.put(keeper, with_table(8'192));
            QVERIFY(world.call(keeper).ok());
            world.put(other_keeper, with_table(8'193));
            QCOMPARE(world.call(other_keeper).status(), CallStatus::ejected);
        }
    }

    /// From 950,000 a contained failure of a nested call leaves no fuel. The development branch
    /// does not look at what a message without a budget used, but `counted` fuel charges again
    /// behind the call, so that on both rule sets the message ends there and the rule is never met.
    void row_15_gasless_with_a_failed_call() {
        const Bytes calling = contract(
            "(drop (call $call (i32.const 9000) (i32.const 1300) (i32.const 1200) (i64.const 0)))"
            "(i32.const 3000)",
            buffer(9000, u128_bytes(keeper.block) + u128_bytes(keeper.tx)) +
                buffer(1200, std::string(4, '\0')) + buffer(1300, std::string(16, '\0')) +
                buffer(3000, std::string(20, '\0')));
        // By exact fuel nothing is charged behind the call: what is left to pay is the map, and
        // without a budget nobody asks for that.
        for (const wasm::FuelRule fuel : {wasm::FuelRule::counted, wasm::FuelRule::exact})
            for (const RuleLine line : lines)
                for (const std::uint64_t height : {949'999, 950'000}) {
                    World world = world_of(line, height);
                    world.surroundings.rules.fuel = fuel;
                    world.put({32, 0}, calling);
                    world.put(keeper, contract("(call $stop) (call $empty)"));
                    const Ran ran = world.call({32, 0});
                    const bool unasked = fuel == wasm::FuelRule::exact && line == RuleLine::develop;
                    QCOMPARE(ran.status(), height < 950'000 ? CallStatus::revert
                                           : unasked        ? CallStatus::success
                                                            : CallStatus::out_of_fuel);
                    QCOMPARE(ran.fuel.gas, std::uint64_t{0});
                }
    }
};

QTEST_GUILESS_MAIN(TestRuleRows)
#include "test_rule_rows.moc"
