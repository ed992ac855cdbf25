// Contracts in the shape of compiled ones that call the host with any arguments: both engines give
// the same responses, storage, transfers, host calls in their order, fuel, reads and writes
// (docs/alkanes-protocol.md#host-functions).
#include "alkanes/host_player.h"
#include "alkanes/message_world.h"
#include "state/acceptance.h"

#include <QtTest>

#include <random>

using namespace calls;
using alkanes::CallStatus;

namespace {

constexpr AlkaneId self{2, 5}, other{2, 6}, third{4, 1}, held{2, 0};
constexpr std::array<std::uint64_t, 4> heights{890'000, 945'000, 949'999, 960'000};

using Group = std::array<std::uint32_t, 4>;

/// Pointers that mean nothing, nearly nothing, or the memory's last bytes.
constexpr std::array<std::uint32_t, 14> hostile{
    0,
    1,
    3,
    4,
    0xffff'ffff,
    0xffff'fffc,
    0x8000'0000,
    0x7fff'ffff,
    player::memory_end - 4,
    player::memory_end - 1,
    player::memory_end,
    player::memory_end + 4,
    player::pointer(player::past_the_end),
    player::pointer(player::key) - 4,
};

class Dice {
public:
    explicit Dice(std::uint32_t seed) : engine_(seed) {}
    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>(engine_() % bound);
    }
    bool chance(std::uint32_t percent) { return below(100) < percent; }
    /// A buffer from `first` to `last`, or now and then any pointer.
    std::uint32_t pointer(std::uint32_t first, std::uint32_t last) {
        if (chance(12)) return hostile[below(hostile.size())];
        if (chance(8)) return player::pointer(below(player::buffer_count));
        return player::pointer(first + below(last - first + 1));
    }
    std::uint32_t room() {
        return chance(15) ? hostile[below(hostile.size())]
                          : player::scratch + (chance(70) ? 4 * below(64) : below(200));
    }

private:
    std::mt19937 engine_;
};

Group random_group(Dice& dice) {
    using namespace player;
    const std::uint32_t function = dice.chance(3) ? std::uint32_t{trap} : dice.below(trap);
    switch (function) {
    case request_storage:
        return {function, dice.pointer(key, empty), 0, 0};
    case load_storage:
        return {function, dice.pointer(key, empty), dice.room(), 0};
    case log_text:
        return {function, dice.pointer(text, dice.chance(80) ? text : broken_text), 0, 0};
    case player::balance:
        return {function, dice.pointer(own_id, long_id), dice.pointer(own_id, long_id),
                dice.room()};
    case player::call:
    case player::delegatecall:
    case player::staticcall:
        return {function, dice.pointer(call_other, odd_cellpack),
                dice.pointer(no_tokens, dice.chance(70) ? held_tokens : double_parcel),
                dice.pointer(empty_map, dice.chance(80) ? unsorted_map : long_value_map)};
    case abort_call:
        return {dice.chance(20) ? function : std::uint32_t{height}, dice.room(), 0, 0};
    case grow_memory:
        return {function, dice.chance(50) ? dice.below(3) : dice.below(200), 0, 0};
    case trap:
        return {function, dice.chance(50) ? hostile[dice.below(hostile.size())] : scratch, 0, 0};
    default:
        return {function, dice.room(), 0, 0};
    }
}

std::vector<u128> inputs_of(const std::vector<Group>& groups, std::uint32_t response = 0) {
    std::vector<u128> inputs;
    for (const Group& group : groups) inputs.insert(inputs.end(), group.begin(), group.end());
    inputs.push_back(response);
    return inputs;
}

/// The results that the response begins with.
std::int32_t result_of(const Ran& ran, std::size_t index) {
    std::int32_t result = 0;
    const std::string& data = ran.data();
    if (data.size() >= 4 * (index + 1)) std::memcpy(&result, data.data() + 4 * index, 4);
    return result;
}

} // namespace

class TestHostProgram : public QObject {
    Q_OBJECT

    Bytes module_;

    World world(std::uint64_t height = 960'000) const {
        World made(height);
        made.surroundings.rules.watched_imports = true; // the player has all of them
        for (const AlkaneId& id : {self, other, third}) made.put(id, module_);
        made.put_storage(self, "key", "value");
        made.put_storage(other, "key", "another");
        made.put_balance(self, held, 1'000);
        return made;
    }

private Q_SLOTS:
    void initTestCase() {
        if (!can_assemble()) QSKIP("wat2wasm is not installed (package wabt)");
        module_ = assemble(player::module_text());
    }

    /// The shape of compiled contracts: the heap begins at 32 MiB, whatever the module declares.
    void heap_begins_at_the_page_that_the_host_grew_to() {
        World one = world();
        const Ran ran = one.call(self, inputs_of({{player::load_context, player::scratch, 0, 0},
                                                  {player::grow_memory, 151, 0, 0},
                                                  {player::grow_memory, 1, 0, 0}}));
        QVERIFY2(ran.ok(), ran.outcome.verdict.text.c_str());
        QCOMPARE(result_of(ran, 0), static_cast<std::int32_t>(player::scratch));
        QCOMPARE(result_of(ran, 1), 513);
        QCOMPARE(result_of(ran, 2), -1); // 664 pages and no more
        QCOMPARE(ran.outcome.call.final_pages, 664u);
        QVERIFY(ran.outcome.call.touched_pages < 16);
    }

    /// Every function with every hostile pointer in each place: what it reads or writes outside the
    /// memory fails the message, answers -1, and never ends the contract.
    void hostile_pointers_one_by_one() {
        using namespace player;
        struct Case {
            Group group;
            int place;
            bool reads; ///< a length and as many bytes; else room for `size` bytes
            std::uint32_t size;
            bool answers;
        };
        const std::uint32_t k = pointer(key), none = pointer(no_tokens), m = pointer(empty_map);
        const std::vector<Case> cases{
            {{request_storage, 0, 0, 0}, 1, true, 0, true},
            {{load_storage, 0, scratch, 0}, 1, true, 0, true},
            {{load_storage, k, 0, 0}, 2, false, 5, true},
            {{load_storage, pointer(missing_key), 0, 0}, 2, false, 0, true},
            {{log_text, 0, 0, 0}, 1, true, 0, false},
            {{player::balance, 0, pointer(own_id), scratch}, 1, true, 0, false},
            {{player::balance, pointer(own_id), 0, scratch}, 2, true, 0, false},
            {{player::balance, pointer(own_id), pointer(long_id), 0}, 3, false, 16, false},
            {{load_context, 0, 0, 0}, 1, false, 16 * 11, true},
            {{player::sequence, 0, 0, 0}, 1, false, 16, false},
            {{player::fuel, 0, 0, 0}, 1, false, 8, false},
            {{player::height, 0, 0, 0}, 1, false, 8, false},
            {{player::returndatacopy, 0, 0, 0}, 1, false, 0, false},
            {{load_transaction, 0, 0, 0}, 1, false, 90, false},
            {{load_block, 0, 0, 0}, 1, false, 200, false},
            {{player::call, 0, none, m}, 1, true, 0, true},
            {{player::delegatecall, pointer(call_other), 0, m}, 2, true, 0, true},
            {{player::staticcall, pointer(call_other), none, 0}, 3, true, 0, true},
        };
        World one = world();
        for (const Case& each : cases)
            for (const std::uint32_t bad : hostile) {
                Group group = each.group;
                group[static_cast<std::size_t>(each.place)] = bad;
                const Ran ran = one.call(self, inputs_of({group}));
                // Memory is zero where nothing was put: a length of 0 is there to be read.
                const bool holds = each.reads ? bad == 4 || bad == memory_end - 4 ||
                                                    bad == memory_end - 1 || bad == memory_end ||
                                                    bad == pointer(key) - 4
                                              : bad >= 4 && bad <= memory_end - each.size;
                const bool empty_buffer =
                    holds && each.reads && (each.group[0] >= player::call || each.group[0] == 4);
                const QByteArray at = QByteArray::number(each.group[0]) + " place " +
                                      QByteArray::number(each.place) + " pointer " +
                                      QByteArray::number(bad, 16);
                // An empty buffer can be read, but is no id, cellpack, parcel or map.
                QVERIFY2(ran.ok() == (holds && !empty_buffer), at);
                QVERIFY2(ran.ok() || ran.status() == CallStatus::revert, at);
                QVERIFY2(!ran.data().empty(), at); // it went on to its end
                if (!ran.ok() && each.answers)
                    QVERIFY2(each.group[0] >= player::call ? result_of(ran, 0) < -16
                                                           : result_of(ran, 0) == -1,
                             at);
                QVERIFY2(ran.ok() || ran.log.writes.empty(), at);
            }
    }

    void responses_are_read_strictly() {
        World one = world();
        const auto give = [&](std::uint32_t response) {
            return one.call(self, inputs_of({}, response));
        };
        const Ran own = give(player::pointer(player::response_own));
        QCOMPARE(own.status(), CallStatus::error); // 1 of `other`, which it does not hold
        const Ran held_ones = give(player::pointer(player::response_held));
        QVERIFY(held_ones.ok());
        QCOMPARE(held_ones.written(alkanes::storage_key(self, "key")),
                 std::optional<state::Value>(state::Value("lost")));
        QCOMPARE(held_ones.written(alkanes::balance_key(self, held)),
                 std::optional<state::Value>(state::Value(u128_bytes(996))));
        QCOMPARE(give(player::pointer(player::response_endless)).status(), CallStatus::error);
        QCOMPARE(give(player::pointer(player::response_longer)).status(), CallStatus::error);
        // Data like a revert's alone make none: the contract did not abort.
        QVERIFY(give(player::pointer(player::response_revert)).ok());
        for (const std::uint32_t bad : hostile) QVERIFY(!give(bad == 0 ? 1 : bad).ok());
    }

    void any_sequence_gives_one_outcome() {
        std::array<int, 6> seen{};
        int nested = 0;
        for (std::uint32_t seed = 0; seed < 400; ++seed) {
            Dice dice(seed);
            World one = world(heights[seed % heights.size()]);
            one.surroundings.dry_run = dice.chance(20);
            one.fuel = dice.chance(70) ? 10'000'000 : 500 + dice.below(20'000);
            std::vector<Group> groups(1 + dice.below(dice.chance(50) ? 3 : 12));
            for (Group& group : groups) group = random_group(dice);
            const std::uint32_t response =
                dice.chance(70) ? 0 : dice.pointer(player::response_own, player::past_the_end);
            alkanes::Parcel incoming;
            if (dice.chance(40)) incoming = {{held, 10}, {self, 5}};
            const Ran ran = one.call(self, inputs_of(groups, response), incoming);
            if (QTest::currentTestFailed()) {
                qWarning("seed %u", seed);
                return;
            }
            ++seen[static_cast<std::size_t>(ran.status())];
            nested += ran.host_calls.size() > groups.size() + 2 ? 1 : 0;
            QVERIFY(ran.ok() || ran.log.writes.empty());
            const auto accepted = state::accepts(ran.log, one.state);
            QVERIFY(accepted.ok() && *accepted);
            QCOMPARE(ran.fuel.drained, !ran.ok());
            QVERIFY(ran.fuel.gas <= one.fuel);
        }
        // Every ending came, and calls of calls did.
        for (const CallStatus status : {CallStatus::success, CallStatus::revert, CallStatus::trap,
                                        CallStatus::out_of_fuel, CallStatus::error})
            QVERIFY2(seen[static_cast<std::size_t>(status)] > 5, alkanes::name_of(status));
        QVERIFY(nested > 30);
    }
};

QTEST_GUILESS_MAIN(TestHostProgram)
#include "test_host_program.moc"
