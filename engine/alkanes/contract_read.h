// What contracts read through their host functions, for whoever wants to know.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace blockloom::alkanes {

struct Frame;

struct ContractRead {
    enum class Kind : std::uint8_t {
        storage,  ///< a value of its own; `name` is its key
        balance,  ///< `name`: the ids of holder and token, 32 bytes each
        sequence, ///< the next id; no name
        block,    ///< the bytes of the block; no name
    };
    Kind kind = Kind::storage;
    std::string name;
    auto operator<=>(const ContractRead&) const = default;
    bool operator==(const ContractRead&) const = default;
};

/// Is notified of reads, on the thread that runs the contract (Runtime::reads).
class ReadWatch {
public:
    virtual ~ReadWatch() = default;
    /// `by` called the host function. The name is the callee's only during the call.
    virtual void contract_reads(const Frame& by, ContractRead::Kind kind,
                                std::string_view name) = 0;
};

} // namespace blockloom::alkanes
