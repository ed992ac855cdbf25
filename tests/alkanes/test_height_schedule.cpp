// What holds at which height of mainnet (docs/alkanes-protocol.md#constants-by-height), each at its
// border, and what the indexer writes by itself.
#include "alkanes/block_world.h"
#include "alkanes/forced_writes.h"
#include "state/acceptance.h"

#include <QtTest>

using namespace blockloom;
using namespace blockloom::alkanes;

namespace {

constexpr std::array lines{RuleLine::released, RuleLine::develop};

/// The height at which `rule` changes between 0 and 2,000,000, at most once; 0: it does not.
template <typename Rule> std::uint64_t border(RuleLine line, const Rule& rule) {
    std::uint64_t low = 0, high = 2'000'000;
    const auto at = [&](std::uint64_t height) {
        return rule(rules_at(Network::mainnet, height, line));
    };
    const auto before = at(low);
    if (at(high) == before) return 0;
    while (high - low > 1) {
        const std::uint64_t middle = (low + high) / 2;
        (at(middle) == before ? low : high) = middle;
    }
    return high;
}

constexpr AlkaneId factory{4, 65'522}, beacon{4, 65'523}, owner{2, 69'805};

} // namespace

class TestHeightSchedule : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void rules_change_at_their_heights() {
        for (const RuleLine line : lines) {
            const auto flag = [&](bool Rules::*member) {
                return border(line, [&](const Rules& rules) { return rules.*member; });
            };
            QCOMPARE(flag(&Rules::active), std::uint64_t{880'000});
            for (const auto member : {&Rules::block_fuel, &Rules::minimum_fuel, &Rules::stored_byte,
                                      &Rules::nested_deploy})
                QCOMPARE(border(line, [&](const Rules& rules) { return rules.*member; }),
                         std::uint64_t{899'087});
            QCOMPARE(flag(&Rules::owner_fixed), std::uint64_t{913'301});
            QCOMPARE(flag(&Rules::host_fees_deducted), std::uint64_t{943'500});
            QCOMPARE(flag(&Rules::spread_skips_silently), std::uint64_t{943'500});
            QCOMPARE(flag(&Rules::contains_reverts), std::uint64_t{950'000});
            QCOMPARE(flag(&Rules::owner_gone), std::uint64_t{950'564});
            // Row 16: no release has it.
            QCOMPARE(flag(&Rules::lenient_headers),
                     std::uint64_t{line == RuleLine::develop ? 975'000U : 0U});
            QVERIFY(rules_at(Network::mainnet, 880'000, line).genesis);
            QVERIFY(!rules_at(Network::mainnet, 880'001, line).genesis);
        }
    }

    /// Rows 3, 4, 6, 8 and 9: by line, whatever the height.
    void lines_differ_at_all_heights() {
        for (const Network network : {Network::mainnet, Network::regtest})
            for (const std::uint64_t height : {0, 880'000, 960'000, 2'000'000})
                for (const RuleLine line : lines)
                    for (const auto member :
                         {&Rules::gasless, &Rules::rune_pointer_anywhere, &Rules::overflow_refunds,
                          &Rules::built_in_namespaces, &Rules::code_size_limit})
                        QCOMPARE(rules_at(network, height, line).*member,
                                 line == RuleLine::develop);
        for (const RuleLine line : lines) {
            QCOMPARE(*rule_line_from_name(name_of(line)), line);
            QVERIFY(*followed_by(line) != '\0');
            QCOMPARE(std::string(rules_name(Network::blockloom, line)), std::string("own"));
        }
        QCOMPARE(std::string(followed_by(RuleLine::released)), std::string("v2.2.1-rc.4"));
        QVERIFY(!rule_line_from_name("v2"));
    }

    /// Every slot of a contract begins above the one before it; the table answers at its borders.
    void slots_of_built_in_code() {
        for (const Network network : {Network::mainnet, Network::regtest})
            for (const BuiltInSlot& slot : built_in_slots(network)) {
                QCOMPARE(built_in_slot(network, slot.id, slot.from), &slot);
                QCOMPARE(built_in_slot(network, slot.name), &slot);
                if (slot.from != 0)
                    QVERIFY(built_in_slot(network, slot.id, slot.from - 1) != &slot);
            }
        QVERIFY(built_in_slots(Network::blockloom).empty());
        QVERIFY(built_in_slot(Network::mainnet, AlkaneId{2, 1}, 960'000) == nullptr);
        QVERIFY(built_in_slot(Network::mainnet, AlkaneId{2, 0}, 879'999) == nullptr);
    }

    void fuel_before_and_after() {
        const Rules before = rules_at(Network::mainnet, 899'086);
        QCOMPARE(before.block_fuel, std::uint64_t{100'000'000});
        QCOMPARE(before.minimum_fuel, std::uint64_t{350'000});
        QCOMPARE(before.stored_byte, std::uint64_t{8});
        QCOMPARE(before.nested_deploy, std::uint64_t{10'000});
        const Rules after = rules_at(Network::mainnet, 899'087);
        QCOMPARE(after.block_fuel, std::uint64_t{1'000'000'000});
        QCOMPARE(after.minimum_fuel, std::uint64_t{3'500'000});
        QCOMPARE(after.stored_byte, std::uint64_t{40});
        QCOMPARE(after.nested_deploy, std::uint64_t{100'000});
    }

    /// Other networks have the last rules of their line from their first block on, and no (8, 8)
    /// but the generated one, whose rules are its own on both rule sets.
    void other_networks_start_with_the_last_rules() {
        for (const Network network : {Network::regtest, Network::blockloom})
            for (const std::uint64_t height : {0, 880'000, 2'000'000})
                for (const RuleLine line : lines) {
                    const Rules rules = rules_at(network, height, line);
                    const bool all = network == Network::blockloom || line == RuleLine::develop;
                    QVERIFY(rules.active && rules.host_fees_deducted &&
                            rules.spread_skips_silently && rules.contains_reverts);
                    QCOMPARE(rules.lenient_headers, all);
                    QCOMPARE(rules.gasless, all);
                    QVERIFY(rules.always_minimum_fuel);
                    QCOMPARE(rules.minimum_fuel, std::uint64_t{3'500'000});
                    QCOMPARE(rules.stored_byte, std::uint64_t{40});
                    QCOMPARE(rules.candidate_prefix, network == Network::blockloom);
                    QCOMPARE(rules.watched_imports, network == Network::blockloom);
                    QVERIFY(forced_writes(rules).empty());
                }
        for (const RuleLine line : lines) {
            const Rules rules = rules_at(Network::mainnet, 2'000'000, line);
            QVERIFY(!rules.always_minimum_fuel && !rules.candidate_prefix);
            QVERIFY(!rules.watched_imports);
        }
    }

    void forced_writes_by_height() {
        QVERIFY(forced_writes(rules_at(Network::mainnet, 913'300)).empty());
        for (const std::uint64_t height : {913'301, 950'563}) {
            const state::WriteSet writes = forced_writes(rules_at(Network::mainnet, height));
            QCOMPARE(writes.size(), std::size_t{2});
            for (const AlkaneId& contract : {factory, beacon}) {
                const auto* auth = written(writes, storage_key(contract, "/auth"));
                QVERIFY(auth != nullptr);
                QCOMPARE(std::string(auth->bytes()), id_bytes(owner));
            }
        }
        for (const std::uint64_t height : {950'564, 2'000'000}) {
            const state::WriteSet writes = forced_writes(rules_at(Network::mainnet, height));
            QCOMPARE(writes.size(), std::size_t{4});
            QVERIFY(std::is_sorted(writes.begin(), writes.end(),
                                   [](const auto& a, const auto& b) { return a.first < b.first; }));
            for (const AlkaneId& contract : {factory, beacon}) {
                const auto* auth = written(writes, storage_key(contract, "/auth"));
                QVERIFY(auth != nullptr && auth->bytes() == std::string(32, '\0'));
                const auto* held = written(writes, balance_key(contract, owner));
                QVERIFY(held != nullptr && held->bytes() == std::string(16, '\0'));
            }
        }
    }

    /// They are the first transaction's: in its log, in the block's changes, silent the next time.
    void forced_writes_belong_to_the_first_transaction() {
        state::MemoryState before;
        before.put(storage_key(factory, "/auth"), id_bytes({2, 3}));
        before.put(balance_key(factory, owner), u128_bytes(5));
        const auto block = calls::decoded({});
        for (const std::uint64_t height : {913'300, 913'301, 950'564}) {
            const BlockContext context = calls::opened(block, before, height);
            const BlockExecution done = calls::executed(context, before);
            QCOMPARE(*concerns_alkanes(context, 0, before), height != 913'300);
            QCOMPARE(done.tasks, std::uint64_t{0});
            QCOMPARE(done.host_tasks, std::uint64_t{height == 913'300 ? 0U : 1U});
            const state::MemoryState left = calls::after(before, done);
            const auto auth = left.get(storage_key(factory, "/auth"));
            const auto held = left.get(balance_key(factory, owner));
            QCOMPARE(std::string(auth->bytes()), id_bytes(height == 913'300   ? AlkaneId{2, 3}
                                                          : height == 913'301 ? owner
                                                                              : AlkaneId{}));
            QCOMPARE(u128_text(state::counter_of(*held)),
                     std::string(height == 950'564 ? "0" : "5"));
            if (height == 913'300) {
                QVERIFY(done.transactions.empty());
                continue;
            }
            const TransactionResult& result = calls::result_of(done, 0);
            QVERIFY(result.is_host_task() && *state::accepts(result.log, before));
            const BlockContext next = calls::opened(block, left, height + 1);
            const BlockExecution again = calls::executed(next, left);
            QVERIFY(again.changes.empty());
            QVERIFY(!calls::result_of(again, 0).log.reads.empty()); // right only where they are
        }
    }
};

QTEST_GUILESS_MAIN(TestHeightSchedule)
#include "test_height_schedule.moc"
