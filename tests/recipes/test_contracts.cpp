// The demonstration contracts, called on a host of the tests' own.
#include "base/sha256.h"
#include "contract_host.h"
#include "places.h"
#include "recipes/block_writer.h"

#include <QJsonDocument>
#include <QTest>

#include <algorithm>
#include <numeric>

using namespace blockloom;
using recipes::Contract;
using tests::Answer;
using tests::ContractHost;
using tests::Id;
using tests::Tokens;

namespace {

constexpr Id minter{2, 5}, pool{2, 6}, coin_a{2, 7}, coin_b{2, 8}, auth{4, 0xffed}, owned{2, 9},
    reward{2, 0}, bad{2, 10};

u128 word(std::string_view text) {
    std::string bytes(text);
    bytes.resize(16, '\0');
    return *u128_from_bytes(bytes);
}

/// A transaction as a mint has it: one input with a witness, a payment and a runestone's output.
struct Sent {
    std::string bytes;
    Hash256 txid{};
};
Sent some_transaction(std::uint32_t number) {
    Sha256 hasher;
    const recipes::Coin coin{.txid = {1, 2, 3}, .place = number, .value = 1000};
    const std::array payments{recipes::Payment{546}, recipes::Payment{300}};
    const recipes::WrittenTransaction tx =
        recipes::write_transaction(std::array{coin}, payments, hasher);
    return {std::string(tx.bytes.begin(), tx.bytes.end()), tx.txid};
}

ContractHost with_minter(u128 cap) {
    ContractHost host;
    host.put(minter, Contract::free_mint);
    host.transaction = some_transaction(0).bytes;
    const Answer made = host.call(
        minter, {0, 700, 50, cap, word("A name of more t"), word("han one word"), word("FREE")});
    if (!made.ok()) qFatal("%s", made.text.c_str());
    return host;
}

ContractHost with_pool() {
    ContractHost host;
    host.put(pool, Contract::amm_pool);
    const Answer made =
        host.call(pool, {0, coin_b.first, coin_b.second, coin_a.first, coin_a.second});
    if (!made.ok()) qFatal("%s", made.text.c_str());
    return host;
}

/// The root of whole numbers, slowly.
u128 root(u128 value) {
    u128 low = 0, high = u128{1} << 64U;
    while (low + 1 < high) {
        const u128 middle = (low + high) / 2;
        (middle * middle <= value ? low : high) = middle;
    }
    return low;
}

bool has(const Answer& answer, const std::string& text) {
    return answer.text.find(text) != std::string::npos;
}

} // namespace

class TestContracts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void modules_look_like_real_ones() {
        for (const Contract contract : recipes::all_contracts) {
            ContractHost host;
            host.put(minter, contract);
            QVERIFY(host.meta(minter).starts_with("{\"contract\":\""));
            QVERIFY(
                QJsonDocument::fromJson(QByteArray::fromStdString(host.meta(minter))).isObject());
            const ByteView code = recipes::code_of(contract);
            const auto decoded = wasm::decode(std::make_shared<Bytes>(code.begin(), code.end()));
            const auto& module = std::get<wasm::Module>(decoded);
            QCOMPARE(module.memories.size(), std::size_t{1});
            QCOMPARE(module.memories.front().min, 17u);
            const std::string text(code.begin(), code.end());
            QVERIFY(text.find("/home") == std::string::npos &&
                    text.find(BLOCKLOOM_SOURCE_DIR) == std::string::npos);
        }
    }

    void free_mint_starts_once() {
        ContractHost host = with_minter(3);
        QVERIFY(has(host.call(minter, {0, 1, 1, 1}), "already initialized"));
        QCOMPARE(host.call(minter, {99}).data, std::string("A name of more than one word"));
        QCOMPARE(host.call(minter, {100}).data, std::string("FREE"));
        QCOMPARE(host.call(minter, {101}).number(), u128{700});
        QCOMPARE(host.call(minter, {102}).number(), u128{3});
        QCOMPARE(host.call(minter, {104}).number(), u128{50});
        QVERIFY(has(host.call(minter, {55}), "Unrecognized opcode"));
        QVERIFY(has(host.call(minter, {}), "Unrecognized opcode"));
    }

    void free_mint_respects_its_cap_and_mints_once_a_transaction() {
        ContractHost host = with_minter(3);
        for (std::uint32_t i = 1; i <= 3; ++i) {
            const Sent sent = some_transaction(i);
            host.transaction = sent.bytes;
            const Answer minted = host.call(minter, {77, 0, 0, 0});
            QVERIFY2(minted.ok(), minted.text.c_str());
            QCOMPARE(minted.transfers, (Tokens{{minter, 50}}));
            const std::string key = "/tx-hashes/" + std::string(sent.txid.begin(), sent.txid.end());
            QCOMPARE(minted.written.size(), std::size_t{3});
            QCOMPARE(minted.written.at(key), std::string("\x01"));
            QVERIFY(has(host.call(minter, {77}), "already used for mint"));
        }
        QCOMPARE(host.call(minter, {103}).number(), u128{3});
        QCOMPARE(host.call(minter, {101}).number(), u128{850});
        host.transaction = some_transaction(4).bytes;
        const Answer late = host.call(minter, {77});
        QCOMPARE(late.status, std::string("revert"));
        QVERIFY(has(late, "Supply has reached cap: 3 of 3"));
        QVERIFY(late.written.empty());
    }

    void free_mint_reads_in_the_order_of_real_ones() {
        ContractHost host = with_minter(0);
        host.transaction = some_transaction(1).bytes;
        const Answer minted = host.call(minter, {77}, {{coin_a, 9}});
        QCOMPARE(minted.transfers, (Tokens{{coin_a, 9}, {minter, 50}})); // what came in goes back
        std::vector<std::string> keys; // as a real mint asks, in order
        for (const std::string& call : minted.host_calls)
            if (call.starts_with("__request_storage")) keys.push_back(call.substr(18, 11));
        QCOMPARE(keys, (std::vector<std::string>{"/tx-hashes/", "/minted", "/cap", "/value-per-",
                                                 "/totalsuppl", "/minted"}));
        QCOMPARE(
            std::count(minted.host_calls.begin(), minted.host_calls.end(), "__request_context"), 3);
    }

    void a_mint_is_as_heavy_and_as_spread_as_a_real_one() {
        ContractHost host = with_minter(0);
        host.transaction = some_transaction(1).bytes;
        std::map<std::string, std::uint64_t> profile;
        host.set_profile(&profile);
        const Answer minted = host.call(minter, {77});
        QVERIFY(minted.ok());
        std::vector<std::pair<std::uint64_t, std::string>> hottest;
        std::uint64_t sum = 0;
        for (const auto& [name, fuel] : profile) {
            hottest.emplace_back(fuel, name);
            sum += fuel;
        }
        std::sort(hottest.rbegin(), hottest.rend());
        std::uint64_t five = 0;
        for (std::size_t i = 0; i < 5; ++i) five += hottest[i].first;
        qInfo("%llu instructions, %.1f %% in the five hottest functions, %s first",
              static_cast<unsigned long long>(sum),
              100.0 * static_cast<double>(five) / static_cast<double>(sum),
              hottest.front().second.c_str());
        QCOMPARE(sum, minted.fuel);
        QVERIFY(sum >= 60'000);
        QVERIFY(five * 10 <= sum * 6);
    }

    void the_reward_is_shared_by_the_mints_of_the_block() {
        ContractHost host;
        host.put(reward, Contract::reward_mint);
        host.put(auth, Contract::auth_token);
        host.transaction = some_transaction(0).bytes;
        QVERIFY(has(host.call(reward, {77}), "not upgraded"));
        const u128 premine = 44'000'000'000'000;
        QCOMPARE(host.call(reward, {0}).transfers, (Tokens{{reward, premine}}));
        const Answer upgraded = host.call(reward, {1});
        QVERIFY2(upgraded.ok(), upgraded.text.c_str());
        QCOMPARE(upgraded.transfers.size(), std::size_t{1});
        const Id owner = upgraded.transfers.front().first;
        QCOMPARE(upgraded.transfers.front().second, u128{5});

        host.mints = 4; // an example worked out by hand
        host.coinbase = 315'409'091;
        for (std::uint32_t i = 1; i <= 4; ++i) {
            host.transaction = some_transaction(i).bytes;
            const Answer minted = host.call(reward, {77});
            QVERIFY2(minted.ok(), minted.text.c_str());
            QCOMPARE(minted.transfers, (Tokens{{reward, 77'397'727}}));
            QCOMPARE(minted.written.size(), std::size_t{i == 1 ? 4u : 2u});
            QVERIFY(has(host.call(reward, {77}), "already minted in this transaction"));
        }
        QCOMPARE(host.call(reward, {101}).number(), premine + 2'909'091 + 4 * u128{77'397'727});
        QVERIFY(!host.call(reward, {78}).ok());
        const Answer fees = host.call(reward, {78}, {{owner, 1}});
        QVERIFY2(fees.ok(), fees.text.c_str());
        QCOMPARE(fees.transfers, (Tokens{{owner, 1}, {reward, 2'909'091}}));
        ++host.height; // small blocks: half of the reward is the most that goes to the fees
        host.coinbase = 1'000'000'000;
        host.mints = 1;
        host.transaction = some_transaction(9).bytes;
        QCOMPARE(host.call(reward, {77}).transfers, (Tokens{{reward, 156'250'000}}));
    }

    void a_pool_keeps_its_product() {
        ContractHost host = with_pool();
        QVERIFY(has(host.call(pool, {3, 0}, {{coin_a, 50}}), "the pool is empty"));
        const u128 deep = 5'000'000'000'000'000'000ULL;
        const Answer first = host.call(pool, {1}, {{coin_a, 3 * deep}, {coin_b, 7 * deep}});
        QVERIFY2(first.ok(), first.text.c_str());
        const u128 shares = first.transfers.front().second;
        QCOMPARE(shares + 1000,
                 root(deep / 1000 * (deep / 1000) * 21) * 1000 + (shares + 1000) % 1000);
        u128 held_a = 3 * deep, held_b = 7 * deep;
        for (std::uint32_t i = 0; i < 30; ++i) {
            const u128 in = u128{1} << (i * 2), before_a = held_a, before_b = held_b;
            const bool forward = i % 3 != 0;
            const Answer swapped = host.call(pool, {3, 0}, {{forward ? coin_a : coin_b, in}});
            if (!swapped.ok()) { // too little to buy anything
                QVERIFY2(i < 4 && has(swapped, "insufficient output"), swapped.text.c_str());
                continue;
            }
            const u128 out = swapped.transfers.front().second;
            QCOMPARE(swapped.transfers.front().first, forward ? coin_b : coin_a);
            (forward ? held_a : held_b) += in;
            (forward ? held_b : held_a) -= out;
            // The product never falls: compared by a/b >= before, in long double.
            const long double was =
                static_cast<long double>(before_a) * static_cast<long double>(before_b);
            const long double is =
                static_cast<long double>(held_a) * static_cast<long double>(held_b);
            QVERIFY(is >= was);
            const Answer reserves = host.call(pool, {97});
            QCOMPARE(reserves.number(0), held_a);
            QCOMPARE(reserves.number(1), held_b);
        }
        const Answer burnt = host.call(pool, {2}, {{pool, shares}});
        QVERIFY2(burnt.ok(), burnt.text.c_str());
        QVERIFY(burnt.transfers[0].second < held_a &&
                burnt.transfers[0].second > held_a - held_a / 1000);
        QCOMPARE(host.call(pool, {101}).number(), u128{1000});
        QCOMPARE(host.call(pool, {99}).data, std::string("2:7 / 2:8 LP"));
    }

    void a_pool_takes_only_its_tokens() {
        ContractHost host = with_pool();
        QVERIFY(!host.call(pool, {1}, {{coin_a, 5000}}).ok());
        QVERIFY(!host.call(pool, {1}, {{coin_a, 5000}, {coin_b, 5000}, {minter, 1}}).ok());
        QVERIFY(host.call(pool, {1}, {{coin_a, 5000}, {coin_b, 5000}}).ok());
        QVERIFY(!host.call(pool, {3, 0}, {{minter, 5}}).ok());
        QVERIFY(!host.call(pool, {3, 0}, {{coin_a, 5}, {coin_b, 5}}).ok());
        const Answer greedy = host.call(pool, {3, 100}, {{coin_a, 50}});
        QVERIFY2(has(greedy, "insufficient output"), greedy.text.c_str());
        QCOMPARE(host.call(pool, {3, 10}, {{coin_a, 50}}).transfers, (Tokens{{coin_b, 49}}));
        QVERIFY(has(host.call(pool, {0, 2, 1, 2, 2}), "already initialized"));
        ContractHost huge = with_pool();
        const u128 most = u128{1} << 120U;
        QVERIFY(huge.call(pool, {1}, {{coin_a, most}, {coin_b, most}}).ok());
        QVERIFY(has(huge.call(pool, {3, 0}, {{coin_a, most << 7U}}), "overflow"));
    }

    void a_token_is_minted_by_its_owner_only() {
        ContractHost host;
        host.put(auth, Contract::auth_token);
        host.put(owned, Contract::token);
        const Answer made = host.call(owned, {1, 2, 1000, word("Owned"), word("OWN")});
        QVERIFY2(made.ok(), made.text.c_str());
        QCOMPARE(made.transfers.size(), std::size_t{2});
        QCOMPARE(made.transfers[0], (std::pair{owned, u128{1000}}));
        const Id owner = made.transfers[1].first;
        QCOMPARE(made.transfers[1].second, u128{2});
        QVERIFY(has(host.call(owned, {77, 5}), "not in incoming"));
        QVERIFY(has(host.call(owned, {77, 5}, {{coin_a, 1}}), "not in incoming"));
        const Answer minted = host.call(owned, {77, 5}, {{owner, 1}});
        QVERIFY2(minted.ok(), minted.text.c_str());
        QCOMPARE(minted.transfers, (Tokens{{owner, 1}, {owned, 5}}));
        QCOMPARE(host.call(owned, {101}).number(), u128{1005});
        QCOMPARE(host.call(owned, {88}, {{owned, 105}, {coin_a, 3}}).transfers,
                 (Tokens{{coin_a, 3}}));
        QCOMPARE(host.call(owned, {101}).number(), u128{900});
        QVERIFY(has(host.call(owner, {1}, {{coin_a, 1}}), "only the authentication token"));
        QCOMPARE(host.call(owner, {1}, {{owner, 1}}).data, std::string("\x01"));
        QCOMPARE(host.call(owner, {99}).data, std::string("Auth"));
    }

    void accounts_add_up() {
        ContractHost host;
        host.put(auth, Contract::auth_token);
        host.put(owned, Contract::token);
        const Answer made = host.call(owned, {1, 1, 0, word("T"), word("T")});
        QVERIFY2(made.ok(), made.text.c_str());
        const Id owner = made.transfers.back().first;
        QVERIFY(host.call(owned, {10, 3}, {{owned, 100}}).ok());
        QVERIFY(!host.call(owned, {10, 3}).ok());
        QVERIFY(host.call(owned, {11, 3, 4, 60}).ok());
        QVERIFY(has(host.call(owned, {11, 3, 4, 60}), "holds less"));
        QVERIFY(host.call(owned, {11, 4, 4, 60}).ok()); // to itself: nothing is made
        QCOMPARE(host.call(owned, {13, 3}).number(), u128{40});
        QCOMPARE(host.call(owned, {13, 4}).number(), u128{60});
        QCOMPARE(host.call(owned, {12, 4, 60}).transfers, (Tokens{{owned, 60}}));
        QVERIFY(!host.call(owned, {12, 4, 1}).ok());
        QVERIFY(!host.call(owned, {14, 200, 9}).ok()); // the owner only
        const Answer endowed = host.call(owned, {14, 200, 9}, {{owner, 1}});
        QVERIFY2(endowed.ok(), endowed.text.c_str());
        QCOMPARE(host.call(owned, {13, 3}).number(), u128{49});
        QCOMPARE(host.call(owned, {13, 199}).number(), u128{9});
        QCOMPARE(host.call(owned, {101}).number(), u128{1800});
    }

    void misbehaviour_is_as_ordered() {
        ContractHost host;
        host.put(bad, Contract::misbehaving);
        const auto status = [&](std::vector<u128> inputs) { return host.call(bad, inputs).status; };
        host.fuel = 2'000'000;
        const Answer endless = host.call(bad, {1});
        QVERIFY2(has(endless, "fuel"), endless.text.c_str());
        QCOMPARE(host.call(bad, {2}).number(), u128{664 - 512 - 1}); // one page is the heap's
        QVERIFY(has(host.call(bad, {3}), "stack"));
        const Answer deep = host.call(bad, {4});
        QVERIFY2(!deep.ok(), deep.status.c_str());
        QCOMPARE(status({6}), std::string("error"));
        QVERIFY(has(host.call(bad, {7}), "as you wished"));
        QVERIFY(has(host.call(bad, {8}), "unreachable"));
        QVERIFY(has(host.call(bad, {9}), "memory"));
        QCOMPARE(status({15, 20, 100}), std::string("success"));
        QCOMPARE(status({16, coin_a.first, coin_a.second}), std::string("revert"));
        QVERIFY(has(host.call(bad, {21, 0, 1}), "divide"));
        QVERIFY(has(host.call(bad, {22, 0}), "element"));
        QCOMPARE(status({23}), std::string("revert"));
        QCOMPARE(status({25}), std::string("error"));
        QCOMPARE(status({26}), std::string("error"));
        QVERIFY(!host.storage[bad].contains("/never"));
        QVERIFY(has(host.call(bad, {17}), "fuel")); // a failed call takes all the fuel along
        QVERIFY(!host.storage[bad].contains("/before"));
        QVERIFY(host.call(bad, {18, 5}).ok());
        QVERIFY(!host.storage[bad].contains("/count/5"));
        QVERIFY(host.call(bad, {19, 5}).ok());
        QCOMPARE(host.storage[bad].at("/count/5"), u128_bytes(1));
    }

    void the_fork_depends_on_what_came_before() {
        ContractHost host;
        host.put(bad, Contract::misbehaving);
        const Answer alone = host.call(bad, {11});
        QVERIFY(alone.ok() && alone.written.empty()); // a is not 1: the second writes nothing
        for (const std::uint32_t opcode : {10u, 11u, 12u}) QVERIFY(host.call(bad, {opcode}).ok());
        QCOMPARE(host.storage[bad].at("/b"), u128_bytes(7));
        QCOMPARE(host.storage[bad].at("/c"), u128_bytes(8));
    }
};

QTEST_APPLESS_MAIN(TestContracts)
#include "test_contracts.moc"
