// A state, its surroundings, and messages run on it by both engines.
#pragma once

#include "alkanes/message.h"
#include "alkanes/wat_contract.h"
#include "state/memory_state.h"

namespace calls {

using namespace blockloom;
using alkanes::AlkaneId;

/// How a message ended and what it left in the log.
struct Ran {
    alkanes::MessageOutcome outcome;
    state::TransactionLog log;
    alkanes::FuelUse fuel;
    std::vector<alkanes::HostCallRecord> host_calls;
    std::vector<std::string> printed; ///< by __log
    std::uint64_t steps = 0;
    std::string fuel_doubt;
    std::vector<alkanes::CallEvent> events;

    [[nodiscard]] alkanes::CallStatus status() const { return outcome.verdict.status; }
    [[nodiscard]] bool ok() const { return outcome.verdict.ok(); }
    [[nodiscard]] std::string data() const {
        return std::string(outcome.call.response.data.view());
    }
    /// The bytes that `$give` was called with: the data without its length.
    [[nodiscard]] std::string given() const {
        return data().substr(std::min<std::size_t>(4, data().size()));
    }
    /// What the log says is written at a key; absent: it is not written.
    [[nodiscard]] std::optional<state::Value> written(const std::string& key) const;
    [[nodiscard]] bool reads(const std::string& key) const;
};

class World {
public:
    explicit World(std::uint64_t height = 960'000);

    void put(const AlkaneId& id, const Bytes& module);
    void put_storage(const AlkaneId& id, const std::string& key, const std::string& value) {
        state.put(alkanes::storage_key(id, key), value);
    }
    void put_balance(const AlkaneId& who, const AlkaneId& what, u128 value) {
        state.put(alkanes::balance_key(who, what), u128_bytes(value));
    }

    /// Runs a message on the interpreter and on machine code; the test fails where they differ.
    /// Changes nothing in `state`.
    Ran call(const AlkaneId& target, std::vector<u128> inputs = {}, alkanes::Parcel incoming = {});

    state::MemoryState state;
    alkanes::Surroundings surroundings;
    std::uint64_t fuel = 10'000'000;
    Bytes block, transaction;

private:
    Ran run(alkanes::Engine engine, const alkanes::MessageRequest& request);
    std::shared_ptr<alkanes::Contracts> contracts_ = std::make_shared<alkanes::Contracts>();
};

/// What differs between two runs; empty: nothing.
[[nodiscard]] std::string difference(const Ran& a, const Ran& b);

/// Little-endian bytes of a number.
template <typename Integer> std::string le(Integer value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

} // namespace calls
