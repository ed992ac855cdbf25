// Edicts and pointers against a slow reference that follows
// docs/alkanes-protocol.md#where-tokens-go word for word, and the fuel tank step by step.
#include "alkanes/block_messages.h"
#include "alkanes/fuel_tank.h"
#include "alkanes/ledger.h"
#include "alkanes/message_blocks.h"

#include <QtTest>

#include <map>
#include <random>

using namespace blockloom;
using namespace blockloom::alkanes;

namespace {

using Amounts = std::map<AlkaneId, u128>;
using Slow = std::map<std::uint32_t, Amounts>;

class OwnBytes final : public chain::BlockStorage {
public:
    Bytes bytes;
};

chain::Block decoded(Bytes bytes) {
    auto storage = std::make_shared<OwnBytes>();
    storage->bytes = std::move(bytes);
    const ByteView view = storage->bytes;
    auto block = chain::decode_block(std::move(storage), view, "test");
    if (!block) qFatal("%s", block.error().message.c_str());
    return *std::move(block);
}

/// A block whose transaction 1 has these outputs: true ones are OP_RETURN.
chain::Block with_outputs(const std::vector<bool>& burns) {
    model::Transaction tx;
    tx.inputs.emplace_back().txid.fill(9);
    for (const bool burn : burns) tx.outputs.push_back({1, burn ? Bytes{0x6a, 1, 2} : Bytes{0x51}});
    return decoded(stones::block_bytes({tx}));
}

/// One edict, a token at a time where the rule counts them out.
bool slow_edict(const Edict& edict, const std::vector<bool>& burns, bool skips, Amounts& source,
                Slow& to) {
    if (edict.id.block == 0 && edict.id.tx != 0) return false;
    const u128 held = source[edict.id];
    const auto move = [&](std::uint32_t vout, u128 amount) {
        const u128 moved = std::min(amount, source[edict.id]);
        source[edict.id] -= moved;
        to[vout][edict.id] += moved;
    };
    const auto outputs = static_cast<std::uint32_t>(burns.size());
    if (edict.output != outputs) {
        if (edict.output > 0xffff'ffff) return false;
        move(static_cast<std::uint32_t>(edict.output), edict.amount == 0 ? held : edict.amount);
        return true;
    }
    std::vector<std::uint32_t> open;
    for (std::uint32_t i = 0; i < outputs; ++i)
        if (!burns[i]) open.push_back(i);
    if (open.empty()) return true;
    if (edict.amount == 0) {
        for (u128 unit = 0; unit < held; ++unit)
            move(open[static_cast<std::size_t>(unit % open.size())], 1);
        return true;
    }
    u128 left = held;
    for (std::uint32_t i = 0; i < outputs; ++i) {
        const u128 amount = std::min(left, edict.amount);
        // A share of nothing means, as in any edict, everything that is still there.
        if (!burns[i]) move(i, amount == 0 ? source[edict.id] : amount);
        if (!burns[i] || !skips) left -= amount;
    }
    return true;
}

Amounts amounts_of(const Sheet& sheet) {
    Amounts amounts;
    for (const Transfer& token : sheet.tokens()) amounts[token.id] = token.value;
    return amounts;
}

void drop_zeros(Amounts& amounts) {
    std::erase_if(amounts, [](const auto& entry) { return entry.second == 0; });
}

} // namespace

class TestLedger : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void edicts_equal_the_slow_reference() {
        std::mt19937 random(20'261'121);
        const auto below = [&](unsigned bound) { return static_cast<unsigned>(random() % bound); };
        for (int round = 0; round < 2'000; ++round) {
            std::vector<bool> burns(1 + below(5));
            for (std::size_t i = 0; i < burns.size(); ++i) burns[i] = below(3) == 0;
            const chain::Block block = with_outputs(burns);
            const bool skips = below(2) == 0;
            Ledger ledger(block, block.transactions[1], skips);
            const auto outputs = static_cast<std::uint32_t>(burns.size());
            QCOMPARE(ledger.outputs(), outputs);
            Sheet source;
            Amounts slow_source;
            for (unsigned i = below(4); i > 0; --i) {
                const AlkaneId id{2, below(3)};
                const u128 value = below(40);
                QVERIFY(source.add(id, value));
                slow_source[id] += value;
            }
            Slow slow;
            for (unsigned i = below(5); i > 0; --i) {
                Edict edict{{2, below(3)}, below(2) == 0 ? 0 : below(30), below(outputs + 4)};
                if (below(40) == 0) edict.id = {0, 1};
                if (below(40) == 0) edict.output = u128{1} << 33;
                const bool fine = slow_edict(edict, burns, skips, slow_source, slow);
                QCOMPARE(!ledger.apply(std::vector<Edict>{edict}, source).has_value(), fine);
                if (!fine) break;
            }
            drop_zeros(slow_source);
            QCOMPARE(amounts_of(source), slow_source);
            for (std::uint32_t vout = 0; vout < outputs + 5; ++vout) {
                drop_zeros(slow[vout]);
                QCOMPARE(amounts_of(ledger.at(vout)), slow[vout]);
            }
            // Only real outputs that are no OP_RETURN keep anything.
            for (const auto& [vout, sheet] : ledger.kept()) {
                QVERIFY(vout < outputs && !burns[vout]);
                QVERIFY(!sheet->empty());
            }
        }
    }

    void default_output_passes_over_op_return() {
        const chain::Block block = with_outputs({true, true, false, false});
        QCOMPARE(Ledger(block, block.transactions[1], true).default_output(), 2u);
        const chain::Block none = with_outputs({true, true});
        QCOMPARE(Ledger(none, none.transactions[1], true).default_output(), 0u);
    }

    void amounts_stay_within_128_bits() {
        Sheet sheet;
        QVERIFY(sheet.add({2, 1}, ~u128{0}));
        QVERIFY(!sheet.add({2, 1}, 1));
        QVERIFY(sheet.amount({2, 1}) == ~u128{0});
        QVERIFY(sheet.take({2, 1}, 5) == 5);
        QVERIFY(sheet.take({2, 2}, 5) == 0);
        const chain::Block block = with_outputs({false});
        Ledger ledger(block, block.transactions[1], true);
        QVERIFY(!ledger.give(0, Parcel{{{2, 1}, ~u128{0}}}));
        QVERIFY(ledger.give(0, Parcel{{{2, 1}, 1}}).has_value());
    }

    /// The tank step by step, with failures and transactions that never reach it.
    void tank_equals_its_description() {
        std::mt19937_64 random(7);
        for (int round = 0; round < 500; ++round) {
            const Rules rules = rules_at(Network::mainnet, round % 2 == 0 ? 890'000 : 950'000);
            std::vector<std::uint64_t> sizes(1 + random() % 20);
            std::uint64_t size = 0;
            for (std::uint64_t& each : sizes) size += each = 100 + random() % 900;
            FuelTank tank(rules, size);
            std::uint64_t block_fuel = rules.block_fuel, metered = 0, active = 0;
            bool first = true;
            for (const std::uint64_t each : sizes) {
                FuelUse use;
                use.reached_tank = random() % 5 != 0;
                use.drained = random() % 4 == 0;
                if (!use.reached_tank) {
                    tank.settle(each, use);
                    continue;
                }
                if (!first) {
                    block_fuel += metered;
                    size -= active;
                }
                first = false;
                active = each;
                metered = block_fuel * each / size;
                const std::uint64_t budget = std::max(rules.minimum_fuel, metered);
                block_fuel -= std::min(block_fuel, metered);
                use.gas = random() % (budget + 1);
                QCOMPARE(tank.settle(each, use), budget);
                metered = use.drained ? 0 : metered > use.gas ? metered - use.gas : 0;
            }
            QCOMPARE(tank.block_fuel(), block_fuel);
        }
    }

    void other_networks_give_the_minimum() {
        const FuelTank tank(rules_at(Network::regtest, 5), 100);
        QCOMPARE(tank.budget_for(100), std::uint64_t{3'500'000});
        QVERIFY(rules_at(Network::regtest, 0).active);
        QVERIFY(!rules_at(Network::mainnet, 879'999).active);
        QCOMPARE(rules_at(Network::mainnet, 899'086).stored_byte, std::uint64_t{8});
        QCOMPARE(rules_at(Network::mainnet, 899'087).minimum_fuel, std::uint64_t{3'500'000});
        QVERIFY(!rules_at(Network::mainnet, 943'499).host_fees_deducted);
        QVERIFY(rules_at(Network::mainnet, 943'500).host_fees_deducted);
        QVERIFY(!rules_at(Network::mainnet, 949'999).contains_reverts);
        QVERIFY(rules_at(Network::mainnet, 950'000).contains_reverts);
        QVERIFY(!rules_at(Network::mainnet, 974'999, RuleLine::develop).lenient_headers);
        QVERIFY(rules_at(Network::mainnet, 975'000, RuleLine::develop).lenient_headers);
        for (const Network network : {Network::mainnet, Network::regtest, Network::blockloom})
            QCOMPARE(*network_from_name(name_of(network)), network);
    }

    void a_budget_holds_for_more_where_nobody_looked() {
        FuelUse use;
        use.reached_tank = true;
        use.assumed_budget = 1'000;
        use.demand = 400;
        QVERIFY(use.holds_for(1'000) && use.holds_for(400) && use.holds_for(9'999));
        QVERIFY(!use.holds_for(399));
        use.fuel_read = true;
        QVERIFY(use.holds_for(1'000) && !use.holds_for(1'001));
        use.fuel_read = false;
        use.ran_out = true;
        QVERIFY(use.holds_for(1'000) && !use.holds_for(2'000));
    }
};

QTEST_GUILESS_MAIN(TestLedger)
#include "test_ledger.moc"
