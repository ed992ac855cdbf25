// docs/alkanes.md#code-by-height: the code of [2, 0], [32, 0] and [32, 1] by height, and the
// genesis.
#include "alkanes/block_world.h"
#include "alkanes/host_functions.h"
#include "alkanes/message_world.h"

#include "alkanes/built_in_code.h"

#include <QtTest>

using namespace blockloom;
using namespace blockloom::alkanes;
using namespace calls;

namespace {

constexpr AlkaneId diesel{2, 0}, frbtc{32, 0}, frsigil{32, 1};

/// A module that gives this word back.
Bytes giving(unsigned word) {
    return contract("(call $give_word (i32.const " + std::to_string(word) + "))");
}

std::shared_ptr<BuiltInCode> filled(const std::map<std::string, Bytes>& modules) {
    auto code = std::make_shared<BuiltInCode>(Network::mainnet);
    for (const auto& [name, module] : modules) {
        const BuiltInSlot* const slot = built_in_slot(Network::mainnet, name);
        if (slot == nullptr || !code->bind(*slot, module)) qFatal("slot %s", name.c_str());
    }
    return code;
}

Result<BlockExecution> run(const model::Transaction& tx, const state::MemoryState& before,
                           std::uint64_t height, const std::shared_ptr<const BuiltInCode>& code,
                           RuleLine line = RuleLine::released) {
    auto context = open_block(decoded({tx}), {Network::mainnet, height, line, code}, before);
    if (!context) return context.error();
    Runtime runtime(alkanes::host_imports, std::make_shared<Contracts>());
    SilentProgress silent;
    return execute_block(runtime, *context, before, {}, silent);
}

std::uint32_t word_of(const BlockExecution& done) {
    const MessageRecord& record = result_of(done, 1).records.at(0);
    if (!record.ok() || record.data.size() != 8) return 0;
    return read_le<std::uint32_t>(as_bytes(record.data).data() + 4);
}

state::MemoryState base_state() {
    state::MemoryState state;
    // Upstream never runs what lies there.
    state.apply(code_entries(diesel, giving(99), CodeForm::plain));
    state.put(sequence_key(), u128_bytes(5));
    return state;
}

} // namespace

class TestBuiltInCode : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (!can_assemble()) QSKIP("wat2wasm is not installed (package wabt)");
    }

    /// Row 2, both rule sets, at each border: the slot's module runs, for the contract and for
    /// clones of it, and not what the state holds.
    void row_2_code_by_height() {
        const auto code = filled({{"diesel-base", giving(1)},
                                  {"diesel-upgraded", giving(2)},
                                  {"frbtc-1.0", giving(10)},
                                  {"frbtc-1.1.0", giving(11)},
                                  {"frbtc-1.2.0", giving(12)},
                                  {"frbtc-1.3.0", giving(13)},
                                  {"frbtc-1.3.1", giving(14)},
                                  {"frsigil", giving(20)}});
        struct Case {
            AlkaneId id;
            std::uint64_t height;
            std::uint32_t word;
        };
        for (const Case& at :
             {Case{diesel, 880'001, 1}, Case{diesel, 908'887, 1}, Case{diesel, 908'888, 2},
              Case{diesel, 917'887, 2}, Case{frbtc, 917'887, 10}, Case{frbtc, 917'888, 11},
              Case{frbtc, 949'999, 11}, Case{frbtc, 950'000, 12}, Case{frbtc, 956'999, 12},
              Case{frbtc, 957'000, 13}, Case{frbtc, 959'999, 13}, Case{frbtc, 960'000, 14},
              Case{frsigil, 880'001, 20}, Case{frsigil, 960'000, 20}})
            for (const RuleLine line : {RuleLine::released, RuleLine::develop}) {
                const auto done = run(stones::carrying({stones::calling({at.id, {1}})}),
                                      base_state(), at.height, code, line);
                QVERIFY2(done, done ? "" : done.error().message.c_str());
                QCOMPARE(word_of(*done), at.word);
            }
        const auto clone =
            run(stones::carrying({stones::calling({{5, 0}, {1}})}), base_state(), 908'888, code);
        QCOMPARE(word_of(*clone), std::uint32_t{2});
        // Without code by height the state's code runs: generated ranges.
        const auto state =
            run(stones::carrying({stones::calling({diesel, {1}})}), base_state(), 908'888, nullptr);
        QCOMPARE(word_of(*state), std::uint32_t{99});
    }

    /// Where a module is needed and not there, the block fails with a sentence that names contract,
    /// height and hash; a message that needs none of them runs, at the top or nested.
    void row_2_missing_modules_stop() {
        const auto code = filled({{"diesel-base", giving(1)}});
        state::MemoryState before = base_state();
        before.apply(code_entries({2, 3}, giving(7), CodeForm::plain));
        before.apply(code_entries(
            {2, 4},
            contract("(drop (call $call (i32.const 9000) (i32.const 1300) (i32.const 1200) "
                     "(i64.const 0))) (call $empty)",
                     buffer(9000, u128_bytes(2) + u128_bytes(0)) +
                         buffer(1200, std::string(4, '\0')) + buffer(1300, std::string(16, '\0'))),
            CodeForm::plain));
        const auto calls_it = [](const AlkaneId& id) {
            return stones::carrying({stones::calling({id, {1}})});
        };
        QCOMPARE(word_of(*run(calls_it({2, 3}), before, 917'888, code)), std::uint32_t{7});
        for (const AlkaneId& id : {diesel, AlkaneId{2, 4}}) {
            const auto stopped = run(calls_it(id), before, 917'888, code);
            QVERIFY(!stopped);
            QVERIFY(stopped.error().code == ErrorCode::bad_input);
            for (const char* const word :
                 {"2:0", "height 917888", "diesel-eoa", "f780aacd1718a312", "--built-in"})
                QVERIFY2(stopped.error().message.find(word) != std::string::npos,
                         stopped.error().message.c_str());
        }
        const auto unknown = run(calls_it(frbtc), before, 950'000, code);
        QVERIFY(!unknown && unknown.error().message.find("frbtc-1.2.0 (hash unknown to "
                                                         "Blockloom)") != std::string::npos);
    }

    void a_module_of_another_hash_is_refused() {
        BuiltInCode code(Network::mainnet);
        const Status bound = code.bind(*built_in_slot(Network::mainnet, "diesel-eoa"), giving(1));
        QVERIFY(!bound && bound.error().message.find("f780aacd1718a312") != std::string::npos);
        QVERIFY(code.bindings().empty());
    }

    /// The first block sets up the built-ins on an empty state: the counter, what the initializers
    /// store, the first tokens on the genesis outpoint; on any other state it does nothing.
    void row_2_genesis() {
        const auto storing = [](const AlkaneId& id, u128 value, const std::string& name) {
            return contract(
                "(i32.const 3000)",
                buffer(3000, parcel_bytes({{id, value}}) + storage_map_bytes({{"/name", name}})));
        };
        const auto code = filled({{"diesel-base", storing(diesel, 440, "diesel")},
                                  {"frbtc-1.0", storing(frbtc, 1, "frbtc")},
                                  {"frsigil", storing(frsigil, 2, "frsigil")}});
        const model::Transaction tx = stones::carrying({stones::calling({diesel, {77}})});
        const state::MemoryState nothing;
        for (const RuleLine line : {RuleLine::released, RuleLine::develop}) {
            const auto done = run(tx, nothing, 880'000, code, line);
            QVERIFY2(done, done ? "" : done.error().message.c_str());
            QCOMPARE(done->succeeded, std::uint64_t{1});
            const state::MemoryState left = after(nothing, *done);
            QCOMPARE(u128_text(state::counter_of(*left.get(sequence_key()))), std::string("1"));
            for (const auto& [id, name] :
                 {std::pair{diesel, "diesel"}, {frbtc, "frbtc"}, {frsigil, "frsigil"}})
                QCOMPARE(std::string(left.get(storage_key(id, "/name"))->bytes()),
                         std::string(name));
            const auto outpoint = key_from_text(
                "sheet:3977b30a97c9b9d609afb4b7cc138e17b21d1e0c5e360d25debf1441de933bf4:0");
            const auto premine = tokens_of_sheet(left.get(*outpoint)->bytes());
            QCOMPARE(*premine, (std::vector<Transfer>{{diesel, 440}, {frsigil, 2}}));
        }
        QVERIFY(run(tx, nothing, 880'001, code)->changes.empty());
        state::MemoryState seeded;
        seeded.put(sequence_key(), u128_bytes(1));
        const auto done = run(tx, seeded, 880'000, code);
        QVERIFY(!*after(seeded, *done).get(storage_key(frbtc, "/name")));
        const auto missing = run(tx, nothing, 880'000, filled({}));
        QVERIFY(!missing && missing.error().message.find("diesel-base") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestBuiltInCode)
#include "test_built_in_code.moc"
