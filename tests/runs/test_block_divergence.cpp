// Where two executions first differ: a fault put in at a known place is found there and nowhere
// else.
#include "alkanes/contract_machine.h"
#include "alkanes/guest_memory.h"
#include "alkanes/host_functions.h"
#include "alkanes/state_keys.h"
#include "execute/replayed_recipes.h"
#include "runs/divergence_place.h"
#include "state/memory_state.h"
#include "wasm/instantiate.h"

#include <QTest>

using namespace blockloom;
using namespace blockloom::execute;
using namespace blockloom::runs;
using alkanes::MessageRecord;

namespace {

ReplayOptions recorded(alkanes::Engine engine) {
    ReplayOptions options;
    options.engine = engine;
    options.record = true;
    return options;
}

/// The state below, but for one key.
class OtherValue final : public state::StateView {
public:
    OtherValue(const state::StateView& below, std::string key, std::string value)
        : below_(below), key_(std::move(key)), value_(std::move(value)) {}
    [[nodiscard]] Result<state::Value> get(const state::KeyView& key) const override {
        if (key == key_) return state::Value(std::string_view(value_));
        return below_.get(key);
    }

private:
    const state::StateView& below_;
    std::string key_, value_;
};

/// An engine that is wrong once: after host call `call` of the message at `vout` of transaction
/// `height`'s it changes a byte of what a host function wrote into the contract's memory.
class WrongMachine final : public alkanes::ContractMachine {
public:
    std::uint32_t vout = 0;
    std::size_t call = 0;
    bool armed = false; ///< the transaction meant is running
    bool spoiled = false;

    Result<alkanes::MachineRun> run(alkanes::Runtime& runtime, alkanes::Frame& frame,
                                    const std::shared_ptr<const alkanes::Contract>& contract,
                                    std::uint64_t fuel) override {
        std::size_t calls = 0;
        const bool meant = armed && frame.run.vout() == vout;
        auto imports = alkanes::host_imports(runtime.running);
        for (auto& [name, import] : imports) {
            auto& reference = std::get<wasm::FunctionReference>(import);
            auto host = std::make_shared<wasm::HostFunction>(*reference.host);
            host->call = [this, meant, &calls, inner = reference.host](wasm::HostCall& asked) {
                const auto answer = inner->call(asked);
                if (meant && calls++ == call && !asked.arguments.empty()) {
                    // The last byte of the context: an input of the message.
                    const auto pointer = static_cast<std::uint32_t>(asked.arguments.back());
                    wasm::Memory& memory = *asked.instance.memory();
                    const auto size = read_le<std::uint32_t>(memory.data() + pointer - 4);
                    for (std::uint32_t i = 0; i < size; ++i) memory.data()[pointer + i] ^= 0x5a;
                    spoiled = true;
                }
                return answer;
            };
            reference.host = std::move(host);
        }
        wasm::InstanceLimits limits;
        {
            const auto acquired = runtime.acquire(contract);
            limits = std::get<alkanes::Runtime::Machine>(*acquired).instance().limits();
        }
        const auto made = wasm::instantiate(contract->program, imports, limits);
        wasm::Instance& instance = *std::get<0>(made);
        wasm::RunLimits with;
        with.fuel = fuel;
        alkanes::MachineRun ran;
        alkanes::Frame* const before = std::exchange(runtime.running, &frame);
        ran.result = wasm::Interpreter(instance).invoke(contract->execute, {}, with);
        runtime.running = before;
        ran.pages = instance.memory()->pages();
        ran.least_left = fuel - ran.result.fuel_used;
        if (ran.result.outcome == wasm::Outcome::returned)
            if (const auto bytes =
                    alkanes::GuestMemory(*instance.memory())
                        .read(static_cast<std::uint32_t>(ran.result.results.front())))
                ran.response = std::string(*bytes);
        return ran;
    }
};

/// Arms the machine for one transaction of the block.
class Arm final : public alkanes::TransactionWatch {
public:
    Arm(WrongMachine& machine, std::uint32_t transaction)
        : machine_(machine), transaction_(transaction) {}
    void begins(std::uint32_t transaction) override {
        machine_.armed = transaction == transaction_;
    }
    void ended(std::uint32_t, const Result<alkanes::TransactionResult>&) override {
        machine_.armed = false;
    }

private:
    WrongMachine& machine_;
    std::uint32_t transaction_;
};

} // namespace

class TestBlockDivergence : public QObject {
    Q_OBJECT

    std::vector<ReplaySource> sources_ = tests::sources_of("mixed", 40, 2);

    /// The second block on the state that the first one left (`before`).
    std::shared_ptr<const ReplayedBlock> run(alkanes::Engine engine,
                                             const state::StateView& before) const {
        SilentProgress silent;
        std::shared_ptr<const ReplayedBlock> made;
        const auto summary =
            replay_on(&before, std::span(sources_).subspan(1), recorded(engine), false,
                      [&](const std::shared_ptr<const ReplayedBlock>& block) {
                          made = block;
                          return Status();
                      },
                      silent, {});
        if (!summary) qFatal("%s", summary.error().message.c_str());
        return made;
    }

    state::MemoryState before_;

private Q_SLOTS:
    void initTestCase() {
        const auto blocks =
            tests::replay(std::span(sources_).first(1), recorded(alkanes::Engine::interpreter));
        QVERIFY(blocks);
        for (const state::Change& change : blocks->front()->execution->changes)
            before_.put(change.key, change.after);
    }

    void engines_do_not_differ() {
        const auto a = run(alkanes::Engine::interpreter, before_),
                   b = run(alkanes::Engine::native, before_);
        QVERIFY(!first_divergence(*a->execution, *b->execution));
    }

    /// A key that one side finds changed: the first message that reads it, at the host call that
    /// asks for it, with both values, and the instruction that calls.
    void another_value_below() {
        const auto a = run(alkanes::Engine::native, before_);
        std::size_t tried = 0;
        for (const auto& transaction : a->execution->transactions) {
            if (transaction.records.empty() || transaction.log.tasks.empty() || tried > 4) continue;
            const state::Read* asked = nullptr;
            for (const state::Read& read : transaction.log.tasks[0].reads)
                if (read.key.front() == static_cast<char>(alkanes::KeyKind::storage) &&
                    read.value.size() == 16 && !read.inside)
                    asked = &read;
            if (asked == nullptr) continue;
            // The first of the block that reads it at all.
            const alkanes::TransactionResult* first = nullptr;
            for (const auto& other : a->execution->transactions)
                for (const state::Read& read : other.log.reads)
                    if (first == nullptr && read.key == asked->key) first = &other;
            if (first != &transaction) continue;
            ++tried;
            const OtherValue other(before_, asked->key, std::string(16, '\x01'));
            const auto b = run(alkanes::Engine::native, other);
            auto divergence = first_divergence(*a->execution, *b->execution);
            QVERIFY(divergence);
            QCOMPARE(divergence->transaction, transaction.transaction);
            QCOMPARE(divergence->protostone, std::optional(transaction.records[0].protostone));
            QVERIFY(divergence->key && divergence->key->key == asked->key && divergence->key->read);
            QVERIFY(divergence->key->a == asked->value);
            QCOMPARE(divergence->key->b.bytes(), std::string_view(std::string(16, '\x01')));
            QVERIFY(divergence->call);
            const MessageRecord& record = transaction.records[0];
            std::size_t expected = 0;
            const std::string name = alkanes::storage_key_text(
                std::string_view(asked->key).substr(alkanes::storage_key({}, {}).size()));
            while (record.host_calls[expected].arguments.empty() ||
                   record.host_calls[expected].arguments[0] != name)
                ++expected;
            QCOMPARE(divergence->call->index, expected);
            QVERIFY(locate(*divergence, *a, *b, {}));
            QVERIFY2(divergence->first_different, divergence->no_place.c_str());
            QVERIFY(divergence->first_different->code == record.code);
            QCOMPARE(divergence->last_same.has_value(), expected > 0);
            // Both sides did what the interpreter does with what they read.
            QCOMPARE(divergence->a_as_interpreter, std::optional(true));
            QCOMPARE(divergence->b_as_interpreter, std::optional(true));
        }
        QVERIFY(tried > 0);
    }

    /// An engine that spoils what it was given after one host call of one message: no earlier
    /// message, no earlier host call is named, and the interpreter tells which side is wrong.
    void a_wrong_engine() {
        const auto a = run(alkanes::Engine::interpreter, before_);
        const auto& all = a->execution->transactions;
        std::size_t tried = 0;
        for (std::size_t entry = all.size() / 3; entry < all.size() && tried < 3; ++entry) {
            if (all[entry].records.empty() || !all[entry].records[0].ok()) continue;
            const MessageRecord& record = all[entry].records[0];
            std::size_t at = 0;
            while (at < record.host_calls.size() && record.host_calls[at].name != "__load_context")
                ++at;
            if (at == record.host_calls.size()) continue;
            WrongMachine wrong;
            wrong.vout = record.shadow_vout;
            wrong.call = at;
            Arm arm(wrong, all[entry].transaction);
            alkanes::Runtime runtime(alkanes::host_imports, a->contracts,
                                     alkanes::Engine::interpreter);
            runtime.machine = &wrong;
            alkanes::TransactionOptions how;
            how.record = true;
            SilentProgress silent;
            auto spoiled = alkanes::execute_block(runtime, *a->context, before_, how, silent, &arm);
            QVERIFY(spoiled);
            QVERIFY(wrong.spoiled);
            ReplayedBlock b = *a;
            b.execution = std::make_shared<const alkanes::BlockExecution>(*std::move(spoiled));
            auto divergence = first_divergence(*a->execution, *b.execution);
            QVERIFY(divergence);
            QCOMPARE(divergence->transaction, record.transaction);
            QCOMPARE(divergence->protostone, std::optional(record.protostone));
            if (divergence->call) QVERIFY(divergence->call->index > at);
            QVERIFY(locate(*divergence, *a, b, {}));
            QCOMPARE(divergence->a_as_interpreter, std::optional(true));
            QCOMPARE(divergence->b_as_interpreter, std::optional(false));
            QVERIFY2(divergence->last_same, divergence->no_place.c_str());
            QVERIFY(divergence->last_same->offset > 0 && !divergence->last_same->name.empty());
            // Of no earlier call than the one that was spoiled.
            const auto offsets = a->contracts->find(record.code, alkanes::CodeForm::gzip);
            QVERIFY(offsets && divergence->last_same->code == record.code);
            ++tried;
        }
        QVERIFY(tried > 0);
    }

    void a_side_without_the_transaction() {
        const auto a = run(alkanes::Engine::interpreter, before_);
        alkanes::BlockExecution b = *a->execution;
        b.transactions.pop_back();
        const auto divergence = first_divergence(*a->execution, b);
        QVERIFY(divergence);
        QCOMPARE(divergence->transaction, a->execution->transactions.back().transaction);
        QVERIFY(!divergence->protostone);
    }

    void cancelled() {
        const auto a = run(alkanes::Engine::interpreter, before_);
        alkanes::BlockExecution other = *a->execution;
        for (auto& transaction : other.transactions)
            if (!transaction.records.empty())
                transaction.records[0].data = std::string(transaction.records[0].data) + "x";
        ReplayedBlock b = *a;
        b.execution = std::make_shared<const alkanes::BlockExecution>(std::move(other));
        auto divergence = first_divergence(*a->execution, *b.execution);
        QVERIFY(divergence);
        QCOMPARE(divergence->what, std::string("response data"));
        std::stop_source stop;
        stop.request_stop();
        const Status ended = locate(*divergence, *a, b, stop.get_token());
        QVERIFY(!ended && ended.error().code == ErrorCode::cancelled);
    }
};

QTEST_GUILESS_MAIN(TestBlockDivergence)
#include "test_block_divergence.moc"
