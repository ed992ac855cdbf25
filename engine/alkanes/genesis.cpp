#include "alkanes/genesis.h"

#include "alkanes/host_functions.h"
#include "alkanes/message_run.h"
#include "alkanes/sheet.h"

#include <array>
#include <fmt/format.h>

namespace blockloom::alkanes {
namespace {

/// As Bitcoin prints it.
constexpr std::string_view genesis_txid =
    "3977b30a97c9b9d609afb4b7cc138e17b21d1e0c5e360d25debf1441de933bf4";

/// The transaction that initializers see: version 1, without inputs and outputs, which is written
/// with the marker of a witness.
constexpr std::array<Byte, 12> empty_transaction{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};

struct Initializer {
    AlkaneId id;
    std::array<u128, 2> inputs;
    std::size_t count;
    bool pays; ///< its transfers go to the genesis outpoint
};
constexpr std::array initializers{Initializer{{2, 0}, {0, 0}, 1, true},
                                  Initializer{{32, 0}, {0, 0}, 1, false},
                                  Initializer{{32, 1}, {0, 1}, 2, true}};

Outpoint genesis_outpoint() {
    return {*hash_from_reversed_hex(genesis_txid), 0};
}

} // namespace

Result<state::WriteSet> genesis_writes(const BuiltInCode& code, const Rules& rules,
                                       std::uint64_t height, ByteView block,
                                       const state::StateView& before) {
    const auto counter = before.get(sequence_key());
    if (!counter) return counter.error();
    if (*counter) return state::WriteSet();

    Surroundings around;
    around.height = height;
    around.rules = rules;
    around.block = block;
    around.header = block.first(80);
    around.transaction = empty_transaction;
    around.window_sequence = 1;
    around.built_ins = &code;

    Runtime runtime(host_imports, std::make_shared<Contracts>());
    state::Overlay overlay(before);
    overlay.begin_task();
    overlay.set(sequence_key(), u128_bytes(1));
    MessageRun run(runtime, around, overlay, 0);
    Sheet premine;
    for (const Initializer& first : initializers) {
        const auto contract = code.at(first.id, height);
        if (!contract) return contract.error();
        const Calldata calldata{std::span(first.inputs).first(first.count), {}};
        Frame frame(run, first.id, {}, calldata, 0);
        auto outcome = run.execute(frame, *contract, ~std::uint64_t{0});
        if (!outcome) return outcome.error();
        if (!outcome->verdict.ok() || (first.pays && !premine.add(outcome->response.transfers)))
            return Error{ErrorCode::bad_input,
                         fmt::format("genesis at height {}: expected the initializer of {} (module "
                                     "{}) to succeed, found {}: {}",
                                     height, id_text(first.id), to_hex((*contract)->hash),
                                     name_of(outcome->verdict.status), outcome->verdict.text)};
        run.store(first.id, outcome->response.storage);
    }
    overlay.set(sheet_key(genesis_outpoint()), premine.value());
    auto log = overlay.finish();
    if (!log) return log.error();
    return state::WriteSet(std::as_const(log->tasks.front().writes)); // a copy: the log ends here
}

} // namespace blockloom::alkanes
