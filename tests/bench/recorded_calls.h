// The contract calls of an execution, recorded with what the host answered, and made again without
// a host: the same machine code on clean instances, with nothing of Alkanes around it.
#pragma once

#include "alkanes/runtime.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace blockloom::bench {

/// An answer of the host: what it returned, took and wrote.
struct RecordedAnswer {
    std::uint64_t fee = 0;
    wasm::Cell result = 0;
    std::uint32_t pointer = 0; ///< of the written bytes, with their length before them
    std::string bytes;
    bool writes = false, error = false;
};

/// A call of a contract, nested ones too.
struct RecordedCall {
    std::shared_ptr<const wasm::Program> program;
    std::uint64_t fuel = 0;
    std::vector<RecordedAnswer> answers;
};

/// Records while it lives: one at a time, one thread.
class CallRecording {
public:
    CallRecording();
    ~CallRecording();
    CallRecording(const CallRecording&) = delete;
    CallRecording& operator=(const CallRecording&) = delete;

    /// For the runtime that is recorded.
    static wasm::Imports imports(alkanes::Frame* const& running);
    /// The calls of the host from here on belong to another message.
    void next_message();
    [[nodiscard]] std::vector<RecordedCall> take();
};

/// Makes calls from their record. One per thread.
class CallReplay {
public:
    explicit CallReplay(std::shared_ptr<alkanes::Contracts> contracts);

    /// `contract` runs the call's program. False: it went another way than when it was recorded.
    [[nodiscard]] bool make(const std::shared_ptr<const alkanes::Contract>& contract,
                            const RecordedCall& call);
    /// Ticks inside the contracts since the last call of this function, without clean instances
    /// being taken and given back.
    [[nodiscard]] std::uint64_t take_ticks() noexcept;

private:
    static wasm::Imports imports(alkanes::Frame* const& running);

    alkanes::Runtime runtime_;
    std::uint64_t ticks_ = 0;
};

} // namespace blockloom::bench
