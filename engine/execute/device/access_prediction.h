// Access prediction: what a contract will probably read, because it read it before. A wrong
// prediction costs a little time and changes nothing.
#pragma once

#include "alkanes/contract_read.h"
#include "alkanes/ids.h"
#include "base/bytes.h"
#include "base/u128.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::execute {

/// Identifies calls of the same kind to a contract.
struct CallKind {
    Hash256 contract{}; ///< of its code
    u128 opcode = 0;
    auto operator<=>(const CallKind&) const = default;
};

using alkanes::ContractRead;

/// Who reads, which a name may contain.
struct KeyReader {
    Hash256 txid{};           ///< of its transaction
    std::uint64_t height = 0; ///< of its block
    alkanes::AlkaneId contract{};
};

/// Reads by contract and opcode, learned from those that the host answered. In the name of a
/// storage key, the id of the reader's own transaction and the height of its block (little-endian,
/// or as decimal digits) stand for those of later readers; in a balance, so does the contract's id.
class AccessPrediction {
public:
    /// What some calls have shown, to be learned when nobody looks the prediction up.
    struct Lessons {
        struct Read {
            CallKind who;
            ContractRead read;
            KeyReader reader;
        };
        std::vector<Read> reads;
        std::vector<CallKind> met;
    };
    /// Learns them, and leaves none.
    void learn(Lessons& lessons);

    /// Records what a contract read. It is learned once it is read twice.
    void learn(const CallKind& who, ContractRead read, const KeyReader& reader);
    static constexpr std::uint32_t unmet = ~std::uint32_t{0};
    /// Records that a call was seen, whatever it reads.
    void meet(const CallKind& who) { ++learned_of(who).met; }
    /// The number of a kind, below `count`; `unmet`: it was not seen twice.
    [[nodiscard]] std::uint32_t number_of(const CallKind& who) const;
    [[nodiscard]] std::size_t count() const noexcept { return kinds_.size(); }
    /// visit(kind, name) for what a call is expected to read; the name is the callee's only during
    /// the visit.
    template <typename Visit>
    void expect(const CallKind& who, const KeyReader& reader, const Visit& visit) const {
        const auto found = kinds_.find(who);
        if (found == kinds_.end()) return;
        std::string made;
        for (const Pattern& pattern : found->second.patterns) {
            if (!pattern.pieces.empty()) pattern.make(made, reader);
            visit(pattern.read.kind,
                  std::string_view(pattern.pieces.empty() ? pattern.read.name : made));
        }
    }

private:
    static constexpr std::size_t most_names = 16, most_once = 256, most_bytes = 256;

    /// What of a reader a name may contain.
    enum class Part : std::uint8_t { text, contract, txid, digits, height };
    struct Piece {
        Part part = Part::text;
        std::string text;
    };
    struct Pattern {
        explicit Pattern(ContractRead general);
        /// The name for a reader.
        void make(std::string& name, const KeyReader& reader) const;

        ContractRead read;         ///< with placeholders for what the reader gives
        std::vector<Piece> pieces; ///< of the name; none: it has no placeholders
    };
    struct Learned {
        std::uint32_t number = 0;
        std::uint32_t met = 0; ///< how often it was seen
        std::vector<Pattern> patterns;
        std::map<ContractRead, int> once;
    };
    Learned& learned_of(const CallKind& who);

    std::map<CallKind, Learned> kinds_;
};

} // namespace blockloom::execute
