#include "gpuvm_mint.h"
#include "alkanes/host_functions.h"

#include "alkanes/message.h"
#include "recipes/block_writer.h"
#include "state/memory_state.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace blockloom::bench {
namespace {

using namespace alkanes;

constexpr AlkaneId mint{2, 5};

[[noreturn]] void give_up(const std::string& why) {
    std::cerr << why << "\n";
    std::exit(1);
}

Bytes transaction_of(std::size_t number) {
    Sha256 hasher;
    recipes::Coin coin;
    coin.txid.fill(7);
    std::copy_n(reinterpret_cast<const Byte*>(&number), sizeof number, coin.txid.begin());
    const std::array<recipes::Payment, 3> payments{};
    return recipes::write_transaction({&coin, 1}, payments, hasher).bytes;
}

class World {
public:
    explicit World(ByteView code) {
        state_.apply(code_entries(mint, code, CodeForm::plain));
        state_.put(sequence_key(), u128_bytes(10));
        around_.height = 960'000;
        around_.rules = rules_at(Network::mainnet, around_.height);
        around_.window_sequence = 10;
        around_.record = around_.keep_response = true;
        MintMessage first;
        run({0, 1'000'000, 5'000, 0, 'a', 'b', 'c'}, transaction_of(0), first, true);
    }

    [[nodiscard]] bool fees_deducted() const { return around_.rules.host_fees_deducted; }

    void run(const std::vector<u128>& inputs, const Bytes& transaction, MintMessage& message,
             bool keeps) {
        around_.transaction = around_.coinbase = around_.block = around_.header = transaction;
        state::Overlay overlay(state_);
        overlay.begin_task();
        MessageRequest request;
        request.cellpack = {mint, inputs};
        MessageRun work(runtime_, around_, overlay, 4);
        Budget budget(100'000'000);
        const auto outcome = run_message(work, request, budget);
        if (!outcome || !outcome->verdict.ok())
            give_up(outcome ? outcome->verdict.text : outcome.error().message);
        message.transaction.assign(transaction.begin(), transaction.end());
        message.context = context_bytes({mint, {0, 0}, 4}, {}, inputs);
        message.steps = work.steps;
        for (const HostCallRecord& call : work.host_calls) note(call, message);
        auto log = overlay.finish();
        if (keeps) state_.apply(log->writes);
    }

private:
    void note(const HostCallRecord& call, MintMessage& message) {
        HostAnswer answer;
        answer.number = static_cast<std::uint32_t>(call.result.value_or(0));
        if (call.name == "__load_context") answer.bytes = message.context;
        if (call.name == "__load_transaction") answer.bytes = message.transaction;
        if (call.name.ends_with("_storage")) {
            const std::string name = *storage_key_from_text(call.arguments[0]);
            const auto value = state_.get(storage_key(mint, name));
            std::string bytes = value ? std::string(value->bytes()) : std::string();
            if (call.name == "__load_storage") answer.bytes = bytes;
            std::pair<std::string, std::string> known{name, std::move(bytes)};
            if (std::find(message.values.begin(), message.values.end(), known) ==
                message.values.end())
                message.values.push_back(std::move(known));
        }
        message.answers.push_back(std::move(answer));
    }

    state::MemoryState state_;
    Surroundings around_;
    std::shared_ptr<Contracts> contracts_ = std::make_shared<Contracts>();
    Runtime runtime_{alkanes::host_imports, contracts_};
};

} // namespace

Mint mint_messages(ByteView code, std::size_t count, bool mixed) {
    World world(code);
    Mint result;
    result.code = code;
    const auto contract = *load_contract({}, CodeForm::plain, code);
    result.program = contract->program;
    result.execute = contract->execute;
    result.fees_deducted = world.fees_deducted();
    std::vector<u128> inputs{77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    result.messages.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        inputs[0] = mixed && i % 2 == 1 ? 99 : 77; // the name, or a mint
        world.run(inputs, transaction_of(i + 1), result.messages[i], false);
    }
    return result;
}

} // namespace blockloom::bench
