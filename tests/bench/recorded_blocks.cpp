#include "recorded_blocks.h"

#include "alkanes/block_execution.h"
#include "base/progress.h"
#include "execute/layered_state.h"

#include <unordered_map>

namespace blockloom::bench {
namespace {

using ByProgram =
    std::unordered_map<const wasm::Program*, std::shared_ptr<const alkanes::Contract>>;

/// Contracts' calls part where messages do.
class Parting final : public alkanes::TaskWatch, public alkanes::TransactionWatch {
public:
    explicit Parting(CallRecording& recording) : recording_(recording) {}
    void next_task() override { recording_.next_message(); }
    void begins(std::uint32_t) override { recording_.next_message(); }
    void ended(std::uint32_t, const Result<alkanes::TransactionResult>&) override {}

private:
    CallRecording& recording_;
};

void add_contracts(ByProgram& programs, const alkanes::BlockExecution& block,
                   alkanes::Contracts& contracts) {
    for (const alkanes::TransactionResult& result : block.transactions)
        for (const alkanes::MessageRecord& message : result.records)
            if (message.code != Hash256{})
                for (const auto form : {alkanes::CodeForm::gzip, alkanes::CodeForm::plain})
                    if (const auto contract = contracts.find(message.code, form))
                        if (contract->program) programs.emplace(contract->program.get(), contract);
}

} // namespace

Result<RecordedBlocks> record_blocks(std::span<const chain::BlockRef> blocks,
                                     const std::shared_ptr<alkanes::Contracts>& contracts) {
    alkanes::Runtime recorded(CallRecording::imports, contracts, alkanes::Engine::native,
                              alkanes::Runtime::MachineCode::awaited);
    CallRecording recording;
    Parting parting(recording);
    recorded.tasks = &parting;
    execute::LayeredState state(nullptr);
    SilentProgress silent;
    const alkanes::BlockOptions how;
    ByProgram programs;
    for (const chain::BlockRef& ref : blocks) {
        auto decoded = chain::load_block(ref);
        if (!decoded) return decoded.error();
        auto context = alkanes::open_block(
            std::make_shared<const chain::Block>(*std::move(decoded)), how, state);
        if (!context) return context.error();
        auto done = alkanes::execute_block(recorded, *context, state, {}, silent, &parting);
        if (!done) return done.error();
        add_contracts(programs, *done, *contracts);
        state.apply(done->changes);
        if (&ref == &blocks.front()) (void)recording.take();
    }
    for (const auto& [program, contract] : programs) contracts->wait_until_optimised(*contract);
    RecordedBlocks found;
    CallReplay replay(contracts);
    for (RecordedCall& call : recording.take()) {
        const auto known = programs.find(call.program.get());
        if (known == programs.end() || !replay.make(known->second, call)) {
            ++found.left_out;
            continue;
        }
        found.contracts.push_back(known->second);
        found.calls.push_back(std::move(call));
    }
    return found;
}

} // namespace blockloom::bench
