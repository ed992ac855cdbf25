// The demonstration contracts on the engine's host and on the independent one of tests/recipes: the
// same answers, calls and state, whatever they are asked.
#include "alkanes/message_world.h"
#include "recipes/block_writer.h"
#include "recipes/contract_host.h"

#include <QtTest>

#include <random>

using namespace calls;
using recipes::Contract;
using tests::Answer;
using tests::ContractHost;

namespace {

struct Placed {
    AlkaneId id;
    Contract contract;
};

constexpr std::array placed{
    Placed{{2, 5}, Contract::free_mint}, Placed{{2, 6}, Contract::amm_pool},
    Placed{{2, 7}, Contract::free_mint}, Placed{{4, 0xffed}, Contract::auth_token},
    Placed{{2, 9}, Contract::token},     Placed{{2, 0}, Contract::reward_mint}};

Bytes some_transaction(std::uint32_t number) {
    Sha256 hasher;
    recipes::Coin coin;
    coin.txid.fill(3);
    coin.place = number;
    coin.value = 1'000;
    const std::array payments{recipes::Payment{546}, recipes::Payment{300}};
    return recipes::write_transaction(std::array{coin}, payments, hasher).bytes;
}

alkanes::Parcel parcel_of(const tests::Tokens& tokens) {
    alkanes::Parcel parcel;
    for (const auto& [id, value] : tokens) parcel.push_back({{id.first, id.second}, value});
    return parcel;
}

/// Both hosts with the same contracts and the same state.
struct Pair {
    Pair() {
        for (const Placed& each : placed) {
            const ByteView code = recipes::code_of(each.contract);
            world.put(each.id, Bytes(code.begin(), code.end()));
            host.put({each.id.block, each.id.tx}, each.contract);
        }
        world.surroundings.window_sequence = 1'000;
        world.state.put(alkanes::sequence_key(), u128_bytes(1'000)); // where the other one begins
        host.mints = world.surroundings.mint_transactions;
        host.coinbase = world.surroundings.coinbase_total;
        host.height = world.surroundings.height;
        host.fuel = world.fuel;
    }

    /// What differs; empty: nothing.
    std::string call(const AlkaneId& id, const std::vector<u128>& inputs,
                     const tests::Tokens& tokens) {
        world.transaction = some_transaction(number);
        host.transaction.assign(world.transaction.begin(), world.transaction.end());
        const Answer other = host.call({id.block, id.tx}, inputs, tokens);
        const Ran mine = world.call(id, inputs, parcel_of(tokens));
        if (mine.ok() != other.ok()) return mine.outcome.verdict.text + " / " + other.text;
        std::vector<std::string> names, theirs;
        for (const auto& record : mine.host_calls)
            if (record.level == 0) names.push_back(record.name);
        for (const std::string& name : other.host_calls)
            theirs.push_back(name.substr(0, name.find(' ')));
        if (names != theirs) return "host calls";
        if (mine.status() == alkanes::CallStatus::revert && other.status == "revert" &&
            mine.outcome.verdict.text != other.text)
            return mine.outcome.verdict.text + " / " + other.text;
        if (!mine.ok()) return {};
        ++succeeded;
        const alkanes::Response& response = mine.outcome.call.response;
        if (response.data != other.data) return "data";
        if (response.transfers != parcel_of(other.transfers)) return "transfers";
        if (response.storage != alkanes::StorageMap(other.written.begin(), other.written.end()))
            return "storage";
        world.state.apply(mine.log.writes);
        return state_difference();
    }

    std::string state_difference() {
        for (const auto& [id, entries] : host.storage)
            for (const auto& [key, value] : entries) {
                const auto found =
                    world.state.get(alkanes::storage_key({id.first, id.second}, key));
                if (found->bytes() != value) return "stored " + key;
            }
        for (const auto& [who, tokens] : host.balances)
            for (const auto& [what, value] : tokens) {
                const auto found = world.state.get(
                    alkanes::balance_key({who.first, who.second}, {what.first, what.second}));
                if (state::counter_of(*found) != value) return "balance";
            }
        return {};
    }

    World world;
    ContractHost host;
    std::uint32_t number = 0, succeeded = 0;
};

} // namespace

class TestContracts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void hosts_agree_data() {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 0; seed < 6; ++seed) QTest::addRow("%u", seed) << seed;
    }

    void hosts_agree() {
        QFETCH(unsigned, seed);
        std::mt19937 random(seed);
        const auto below = [&](unsigned bound) { return static_cast<unsigned>(random() % bound); };
        Pair pair;
        const auto check = [&](const AlkaneId& id, const std::vector<u128>& inputs,
                               const tests::Tokens& tokens) {
            const std::string differs = pair.call(id, inputs, tokens);
            QVERIFY2(differs.empty(), (alkanes::id_text(id) + ": " + differs).c_str());
        };
        // The pool trades what the two mints make.
        check({2, 5}, {0, 5'000'000, 50, 40, 'A', 0, 'A'}, {});
        check({2, 7}, {0, 9'000'000, 70, 0, 'B', 0, 'B'}, {});
        check({2, 6}, {0, 2, 5, 2, 7}, {});
        check({2, 6}, {1}, {{{2, 5}, 100'000}, {{2, 7}, 300'000}});
        static constexpr std::array opcodes{0U,  1U,  2U,  3U,  4U,  5U,   10U,  20U,  50U,  77U,
                                            78U, 88U, 97U, 98U, 99U, 100U, 101U, 103U, 104U, 1000U};
        for (int step = 0; step < 120; ++step) {
            pair.number += below(3) != 0 ? 1 : 0;
            const Placed& target = placed[below(placed.size())];
            std::vector<u128> inputs{opcodes[below(opcodes.size())]};
            for (unsigned n = below(6); n > 0; --n)
                inputs.push_back(below(2) == 0 ? 0 : below(3'000));
            tests::Tokens tokens;
            for (const Placed& token : placed)
                if (below(5) == 0)
                    tokens.emplace_back(tests::Id{token.id.block, token.id.tx}, 1 + below(20'000));
            check(target.id, inputs, tokens);
            if (QTest::currentTestFailed()) return;
        }
        QVERIFY2(pair.succeeded > 15, qPrintable(QString::number(pair.succeeded)));
    }
};

QTEST_GUILESS_MAIN(TestContracts)
#include "test_contracts.moc"
