// Where the tokens of random transactions end, against the recipe of
// docs/alkanes-protocol.md#where-tokens-go, restated in the plainest way.
#include "alkanes/block_world.h"
#include "alkanes/sheet.h"
#include "alkanes/wat_contract.h"

#include <QtTest>

#include <map>
#include <random>

using namespace blockloom;
using namespace blockloom::alkanes;

namespace {

constexpr AlkaneId echo{2, 1}, mint{2, 2}, keep{2, 3}, fail{2, 4}, absent{4, 9};
constexpr std::array tokens{AlkaneId{2, 7}, AlkaneId{2, 8}, AlkaneId{3, 1}};

using Amounts = std::map<AlkaneId, u128>;

void add(Amounts& to, const Amounts& from) {
    for (const auto& [id, value] : from) to[id] += value;
}

/// Gives back all that came with the call.
Bytes echoing() {
    return calls::contract(
        "(local $end i32)"
        "(drop (call $load_context (i32.const 5000)))"
        "(local.set $end (i32.add (i32.const 5096) (i32.mul (i32.const 48) (i32.load (i32.const "
        "5080)))))"
        "(i32.store (local.get $end) (i32.const 0))"
        "(i32.store (i32.const 5076) (i32.sub (i32.add (local.get $end) (i32.const 4)) (i32.const "
        "5080)))"
        "(i32.const 5080)");
}

state::MemoryState base_state() {
    static const Bytes echoes = echoing(),
                       mints = calls::contract(
                           "(i32.const 3000)",
                           calls::buffer(3000, parcel_bytes({{mint, 10}}) + std::string(4, '\0'))),
                       keeps = calls::contract("(call $empty)"),
                       fails = calls::contract("(call $stop) (call $empty)");
    state::MemoryState state;
    for (const auto& [id, code] : {std::pair(echo, &echoes), std::pair(mint, &mints),
                                   std::pair(keep, &keeps), std::pair(fail, &fails)})
        state.apply(code_entries(id, *code, CodeForm::plain));
    state.put(sequence_key(), u128_bytes(20));
    return state;
}

/// The recipe. Amounts stay far below 128 bits here.
class Recipe {
public:
    Recipe(std::vector<bool> burns, std::vector<Protostone> stones, std::uint64_t height,
           RuleLine line)
        : burns_(std::move(burns)), stones_(std::move(stones)), height_(height), line_(line),
          outputs_(static_cast<std::uint32_t>(burns_.size())) {
        while (first_plain_ < outputs_ && burns_[first_plain_]) ++first_plain_;
        if (first_plain_ == outputs_) first_plain_ = 0;
    }

    /// What each real output that burns nothing carries; nothing at all where it is void.
    std::optional<std::map<std::uint32_t, Amounts>> perform(const Amounts& incoming) {
        for (std::uint32_t i = 0; i < stones_.size(); ++i)
            if (stones_[i].protocol == 1) {
                add(balances_[outputs_ + 1 + i], incoming);
                break;
            }
        for (std::uint32_t i = 0; i < stones_.size(); ++i)
            if (!work(i)) return std::nullopt;
        std::map<std::uint32_t, Amounts> left;
        for (std::uint32_t vout = 0; vout < outputs_; ++vout) {
            if (burns_[vout]) continue;
            for (const auto& [id, value] : balances_[vout])
                if (value != 0) left[vout][id] = value;
        }
        return left;
    }

private:
    bool work(std::uint32_t place) {
        const Protostone& stone = stones_[place];
        const std::uint32_t shadow = outputs_ + 1 + place;
        const std::uint32_t to = stone.pointer.value_or(first_plain_);
        Amounts source;
        if (stone.protocol == 1 && !stone.message.empty()) {
            const std::uint64_t last = outputs_ + stones_.size();
            const bool sound =
                stone.pointer && stone.refund && *stone.pointer <= last && *stone.refund <= last;
            if ((line_ == RuleLine::released || height_ < 975'000) &&
                (!sound || shadow >= outputs_ + 100))
                return false;
            Amounts held = std::exchange(balances_[shadow], {});
            if (!sound) {
                const bool real = stone.refund && *stone.refund < outputs_;
                add(balances_[real ? *stone.refund : first_plain_], held);
                return true;
            }
            if (!run(stone, held)) {
                add(balances_[*stone.refund], held);
                return true;
            }
            add(balances_[to], held);
            source = std::exchange(balances_[to], {});
        } else {
            source = std::exchange(balances_[shadow], {});
        }
        for (const Edict& edict : stone.edicts)
            if (!apply(edict, source)) return false;
        add(balances_[to], source);
        return true;
    }

    /// Turns what a message brought into what it returns; false, and nothing changed: it failed.
    bool run(const Protostone& stone, Amounts& held) {
        const auto cellpack = decode_cellpack(stone.message);
        if (!cellpack || cellpack->target == absent) return false; // before the tank
        if (drained_ || cellpack->target == fail) return !(drained_ = true);
        if (cellpack->target == keep) held = {};
        if (cellpack->target == mint) held = {{mint, 10}};
        return true;
    }

    bool apply(const Edict& edict, Amounts& source) {
        if (edict.id.block == 0 && edict.id.tx != 0) return false;
        const auto move = [&](std::uint32_t vout, u128 amount) {
            const u128 taken = std::min(amount, source[edict.id]);
            source[edict.id] -= taken;
            balances_[vout][edict.id] += taken;
        };
        const u128 all = source[edict.id];
        if (edict.output != outputs_) {
            move(static_cast<std::uint32_t>(edict.output), edict.amount == 0 ? all : edict.amount);
            return true;
        }
        const auto plain = static_cast<u128>(std::count(burns_.begin(), burns_.end(), false));
        if (plain == 0) return true;
        u128 place = 0, left = all;
        for (std::uint32_t vout = 0; vout < outputs_; ++vout) {
            if (edict.amount != 0) {
                const u128 amount = std::min(edict.amount, left);
                if (!burns_[vout] || height_ < 943'500) left -= amount;
                // Nothing left of the share is, as in any edict, everything that the sheet has.
                if (!burns_[vout]) move(vout, amount == 0 ? source[edict.id] : amount);
            } else if (!burns_[vout]) {
                move(vout, all / plain + (place++ < all % plain ? 1 : 0));
            }
        }
        return true;
    }

    std::vector<bool> burns_;
    std::vector<Protostone> stones_;
    std::uint64_t height_;
    RuleLine line_;
    std::uint32_t outputs_, first_plain_ = 0;
    bool drained_ = false;
    std::map<std::uint32_t, Amounts> balances_;
};

struct Case {
    model::Transaction tx;
    std::vector<bool> burns;
    std::vector<Protostone> stones;
};

Case random_case(std::mt19937& random) {
    const auto below = [&](unsigned bound) { return static_cast<unsigned>(random() % bound); };
    Case made;
    const unsigned before = below(3), after = below(4), outputs = before + after + 1;
    const unsigned count = 1 + below(4);
    const auto vout = [&] { return below(outputs + count + 2); };
    for (unsigned i = 0; i < count; ++i) {
        static constexpr std::array targets{echo, echo, echo, mint, keep, fail, absent};
        Protostone stone = stones::calling({targets[below(targets.size())], {1}});
        if (below(3) == 0) stone.message.clear();
        if (below(10) == 0) stone.message = Bytes(15, 0x80); // no cellpack
        if (below(6) == 0) stone.protocol = 2 + below(2);
        stone.pointer = vout();
        stone.refund = vout();
        if (below(6) == 0) stone.pointer.reset();
        if (below(10) == 0) stone.refund.reset();
        while (below(2) == 0) {
            const AlkaneId id = below(12) == 0 ? mint : tokens[below(tokens.size())];
            stone.edicts.push_back(
                {below(60) == 0 ? AlkaneId{0, 1} : id, below(3) == 0 ? 0 : below(60), vout()});
        }
        std::sort(stone.edicts.begin(), stone.edicts.end(),
                  [](const Edict& a, const Edict& b) { return a.id < b.id; });
        made.stones.push_back(stone);
    }
    made.tx = stones::carrying(made.stones, before, after);
    made.tx.inputs.resize(1 + below(3), made.tx.inputs[0]);
    for (unsigned i = 0; i < made.tx.inputs.size(); ++i) made.tx.inputs[i].vout = i;
    for (unsigned i = 0; i < outputs; ++i) {
        if (i != before && below(4) == 0) made.tx.outputs[i].script = {0x6a, 1, 7};
        made.burns.push_back(made.tx.outputs[i].script.front() == 0x6a);
    }
    return made;
}

} // namespace

class TestTokenFlow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (!calls::can_assemble()) QSKIP("wat2wasm is not installed (package wabt)");
    }

    void tokens_end_where_the_recipe_says_data() {
        QTest::addColumn<quint64>("height");
        QTest::addColumn<RuleLine>("line");
        for (const RuleLine line : {RuleLine::released, RuleLine::develop})
            for (const quint64 height : {880'000, 943'499, 943'500, 974'999, 975'000})
                QTest::addRow("%s %llu", name_of(line), height) << height << line;
    }

    void tokens_end_where_the_recipe_says() {
        QFETCH(quint64, height);
        QFETCH(RuleLine, line);
        std::mt19937 random(static_cast<unsigned>(height));
        int whole = 0, voided = 0;
        for (int round = 0; round < 400; ++round) {
            const Case made = random_case(random);
            state::MemoryState before = base_state();
            Amounts incoming;
            for (const model::Input& input : made.tx.inputs) {
                Sheet sheet;
                for (const AlkaneId& token : tokens)
                    if (random() % 2 == 0) (void)sheet.add(token, 1 + random() % 200);
                if (sheet.empty()) continue;
                Hash256 txid;
                std::copy(input.txid.begin(), input.txid.end(), txid.begin());
                before.put(sheet_key({txid, input.vout}), sheet.value());
                for (const Transfer& token : sheet.tokens()) incoming[token.id] += token.value;
            }
            const auto expected = Recipe(made.burns, made.stones, height, line).perform(incoming);
            const BlockContext context =
                calls::opened(calls::decoded({made.tx}), before, height, Network::mainnet, line);
            const BlockExecution done = calls::executed(context, before);
            const state::MemoryState left = calls::after(before, done);
            // One without tasks and tokens says nothing of itself.
            for (const TransactionResult& result : done.transactions)
                if (result.transaction == 1) {
                    QCOMPARE(result.void_reason.empty(), expected.has_value());
                    ++(expected ? whole : voided);
                }
            for (std::uint32_t vout = 0; vout < made.burns.size(); ++vout) {
                Amounts found;
                for (const Transfer& token : calls::tokens_at(left, made.tx, vout))
                    found[token.id] = token.value;
                const bool some = expected && expected->contains(vout);
                QVERIFY2(found == (some ? expected->at(vout) : Amounts{}),
                         qPrintable(QStringLiteral("round %1, output %2").arg(round).arg(vout)));
            }
            // What it spent is spent, whatever else happened.
            for (const auto& [key, value] : left.entries())
                QVERIFY(key.front() != static_cast<char>(KeyKind::sheet) ||
                        !std::string_view(key).substr(1).starts_with(std::string(32, '\7')));
        }
        QVERIFY(whole > 100 && voided > 3);
    }

    /// Row 16: no message stands a hundred places or more above the outputs, in the development
    /// branch below 975,000, in releases ever.
    void row_16_shadow_vouts_are_capped() {
        const state::MemoryState before = base_state();
        for (const std::size_t count : {99U, 100U}) {
            std::vector<Protostone> many(count - 1);
            for (Protostone& stone : many) stone.protocol = 3;
            many.push_back(stones::calling({mint, {77}}));
            const model::Transaction tx = stones::carrying(many);
            for (const RuleLine line : {RuleLine::released, RuleLine::develop})
                for (const std::uint64_t height : {974'999, 975'000}) {
                    const auto block = calls::decoded({tx});
                    const BlockContext context =
                        calls::opened(block, before, height, Network::mainnet, line);
                    const BlockExecution done = calls::executed(context, before);
                    const bool whole =
                        count == 99 || (height == 975'000 && line == RuleLine::develop);
                    QCOMPARE(done.succeeded, std::uint64_t{whole});
                    QCOMPARE(calls::result_of(done, 1).void_reason.empty(), whole);
                }
        }
    }

    /// The one transaction whose protostones are passed over is not this one; a cenotaph and a
    /// protocol field that does not decode run nothing, and spend what they spend.
    void cenotaphs_and_broken_fields_spend_their_inputs() {
        Runestone cenotaph;
        cenotaph.protocol = encode_protostones(std::vector{stones::calling({mint, {77}})});
        Bytes with_opcode = encode_runestone(cenotaph);
        with_opcode.push_back(0x51);
        Runestone broken;
        broken.protocol = {u128{0x80} << 112U | 1U};
        for (const Bytes& script : {with_opcode, encode_runestone(broken)}) {
            const model::Transaction tx = stones::carrying(script);
            state::MemoryState before = base_state();
            Hash256 txid;
            std::copy(tx.inputs[0].txid.begin(), tx.inputs[0].txid.end(), txid.begin());
            const std::string spent = sheet_key({txid, tx.inputs[0].vout});
            before.put(spent, sheet_value({{tokens[0], 5}}));
            const BlockContext context = calls::opened(calls::decoded({tx}), before, 900'000);
            const BlockExecution done = calls::executed(context, before);
            QCOMPARE(done.tasks, std::uint64_t{0});
            QCOMPARE(done.host_tasks, std::uint64_t{1});
            QCOMPARE(done.changes.size(), std::size_t{1});
            QCOMPARE(done.changes[0].key, spent);
            QVERIFY(!done.changes[0].after);
        }
    }
};

QTEST_GUILESS_MAIN(TestTokenFlow)
#include "test_token_flow.moc"
