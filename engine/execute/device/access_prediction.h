// Access prediction: the storage keys that a contract will probably read, because it read them
// before. A wrong prediction costs a little time and changes nothing.
#pragma once

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

/// The transaction that reads a key, which the key's name may contain.
struct KeyReader {
    Hash256 txid{};
    std::uint64_t height = 0; ///< of its block
};

/// Names of keys by contract and opcode, learned from reads that the host answered. The id of the
/// reader's own transaction and the height of its block in a name (little-endian, or as decimal
/// digits) stand for those of later readers.
class AccessPrediction {
public:
    /// Records that a contract read `name`. A name is learned once it is read twice.
    void learn(const CallKind& who, std::string_view name, const KeyReader& reader);
    static constexpr std::uint32_t unmet = ~std::uint32_t{0};
    /// Records that a call was seen, whatever it reads.
    void meet(const CallKind& who) { (void)learned_of(who); }
    /// The number of a kind that was seen, below `count`; `unmet`: none was.
    [[nodiscard]] std::uint32_t number_of(const CallKind& who) const;
    [[nodiscard]] std::size_t count() const noexcept { return kinds_.size(); }
    /// Names that a call is expected to read.
    [[nodiscard]] std::vector<std::string> expected(const CallKind& who,
                                                    const KeyReader& reader) const;
    /// Whether one was seen before.
    [[nodiscard]] bool knows(const CallKind& who) const { return number_of(who) != unmet; }

private:
    static constexpr std::size_t most_names = 16, most_once = 256, most_bytes = 256;

    struct Name {
        std::string text;
        bool is_general = false; ///< contains placeholders for what the reader gives
    };
    struct Learned {
        std::uint32_t number = 0;
        std::vector<Name> names;
        std::map<std::string, int> once;
    };
    Learned& learned_of(const CallKind& who);

    std::map<CallKind, Learned> kinds_;
};

} // namespace blockloom::execute
