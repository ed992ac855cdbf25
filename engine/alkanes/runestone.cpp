#include "alkanes/runestone.h"

#include "alkanes/leb128.h"
#include "alkanes/runestone_tags.h"
#include "alkanes/script.h"
#include "base/small_vector.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace blockloom::alkanes {

namespace {

constexpr std::uint8_t most_divisibility = 38;
constexpr std::uint32_t most_spacers = (1U << 27U) - 1;

template <typename Integer> std::optional<Integer> narrowed(u128 value) noexcept {
    if (value > std::numeric_limits<Integer>::max()) return std::nullopt;
    return static_cast<Integer>(value);
}

std::optional<u128> plus(u128 a, u128 b) noexcept {
    const u128 sum = a + b;
    return sum < a ? std::nullopt : std::optional(sum);
}

std::optional<u128> times(u128 a, u128 b) noexcept {
    if (a != 0 && b > ~u128{0} / a) return std::nullopt;
    return a * b;
}

std::optional<RuneId> rune_id(u128 block, u128 tx) noexcept {
    const auto narrow_block = narrowed<std::uint64_t>(block);
    const auto narrow_tx = narrowed<std::uint32_t>(tx);
    if (!narrow_block || !narrow_tx || (block == 0 && tx != 0)) return std::nullopt;
    return RuneId{*narrow_block, *narrow_tx};
}

/// The id after `from` by delta: the same block and so many transactions on, or a later block.
std::optional<RuneId> next_id(const RuneId& from, u128 block, u128 tx) noexcept {
    // Each delta must fit the id's own width; the sums then cannot leave 128 bits.
    if (!narrowed<std::uint64_t>(block) || !narrowed<std::uint32_t>(tx)) return std::nullopt;
    return rune_id(from.block + block, block == 0 ? from.tx + tx : tx);
}

/// The values of the fields in order. Tags that nobody knows leave only their parity behind.
class Fields {
public:
    void add(u128 tag, u128 value) {
        if (tag == tag::protocol) {
            protocol.push_back(value);
        } else if (tag <= tag::pointer) {
            known_.push_back({static_cast<std::size_t>(tag), value});
        } else if (tag % 2 == 0) {
            unknown_even_ = true;
        }
    }

    /// The first `count` values of a tag where `with` accepts them; they stay otherwise.
    template <std::size_t count, typename With>
    auto take(std::size_t tag, With with) -> decltype(with(std::array<u128, count>{})) {
        std::array<u128, count> first{};
        std::size_t found = 0;
        for (const auto& [of, value] : known_)
            if (found < count && of == tag) first[found++] = value;
        if (found < count) return std::nullopt;
        auto value = with(first);
        // What was taken gets a tag that nobody asks for.
        if (value)
            for (auto& [of, taken] : known_)
                if (found > 0 && of == tag) {
                    of = taken_tag;
                    --found;
                }
        return value;
    }

    std::optional<u128> take(std::size_t tag) {
        return take<1>(tag, [](const auto& value) { return std::optional(value[0]); });
    }
    template <typename Integer>
    std::optional<Integer> take(std::size_t tag,
                                Integer most = std::numeric_limits<Integer>::max()) {
        return take<1>(tag, [most](const auto& value) -> std::optional<Integer> {
            return value[0] <= most ? narrowed<Integer>(value[0]) : std::nullopt;
        });
    }

    [[nodiscard]] bool any_even() const {
        return unknown_even_ || std::any_of(known_.begin(), known_.end(),
                                            [](const auto& field) { return field.first % 2 == 0; });
    }

    SmallVector<u128, 8> protocol;

private:
    static constexpr std::size_t taken_tag = 127; ///< odd

    SmallVector<std::pair<std::size_t, u128>, 16> known_;
    bool unknown_even_ = false;
};

class RunestoneDecoder {
public:
    RunestoneDecoder(std::uint32_t outputs, bool pointer_anywhere, Arena* memory) noexcept
        : outputs_(outputs), pointer_anywhere_(pointer_anywhere), memory_(memory) {}

    Runestone decode(ByteView script) {
        const auto payload = payload_of(script);
        if (!payload) return std::move(stone_);
        const auto count = count_leb128(*payload, "runestone");
        if (!count) {
            flaw(Flaw::varint);
            return std::move(stone_);
        }
        read(*payload, *count);
        interpret();
        if (!stone_.flaw) stone_.protocol = kept(fields_.protocol, memory_);
        return std::move(stone_);
    }

private:
    void flaw(Flaw found) {
        if (!stone_.flaw) stone_.flaw = found;
    }

    /// The pushes behind the magic, joined where there are several.
    std::optional<ByteView> payload_of(ByteView script) {
        ScriptWalker walker(script.subspan(2));
        ByteView payload;
        for (Instruction instruction; walker.next(instruction);) {
            if (!instruction.push) {
                flaw(Flaw::opcode);
                return std::nullopt;
            }
            if (instruction.data.empty()) continue;
            if (payload.empty()) {
                payload = instruction.data;
                continue;
            }
            if (joined_.empty()) joined_.assign(payload.begin(), payload.end());
            joined_.insert(joined_.end(), instruction.data.begin(), instruction.data.end());
            payload = joined_;
        }
        if (walker.broken()) {
            flaw(Flaw::invalid_script);
            return std::nullopt;
        }
        return payload;
    }

    void read(ByteView payload, std::size_t count) {
        for (; count > 0; count -= 2) {
            const u128 tag = take_leb128(payload);
            if (tag == tag::body) return read_edicts(payload, count - 1);
            if (count == 1) return flaw(Flaw::truncated_field);
            fields_.add(tag, take_leb128(payload));
        }
    }

    void read_edicts(ByteView payload, std::size_t count) {
        SmallVector<RuneEdict, 4> edicts;
        read_edicts(payload, count, edicts);
        stone_.edicts = kept(edicts, memory_);
    }

    void read_edicts(ByteView payload, std::size_t count, SmallVector<RuneEdict, 4>& edicts) {
        RuneId id;
        for (; count > 0; count -= 4) {
            if (count < 4) return flaw(Flaw::trailing_integers);
            const u128 block = take_leb128(payload), tx = take_leb128(payload);
            const u128 amount = take_leb128(payload), output = take_leb128(payload);
            const auto next = next_id(id, block, tx);
            if (!next) return flaw(Flaw::edict_rune_id);
            if (output > outputs_) return flaw(Flaw::edict_output);
            id = *next;
            edicts.push_back({id, amount, static_cast<std::uint32_t>(output)});
        }
    }

    void interpret() {
        u128 flags = fields_.take(tag::flags).value_or(0);
        const auto take_flag = [&flags](u128 mask) {
            const bool set = (flags & mask) != 0;
            flags &= ~mask;
            return set;
        };
        if (take_flag(flag::etching)) {
            Etching& etching = stone_.etching.emplace();
            etching.divisibility = fields_.take(tag::divisibility, most_divisibility);
            etching.premine = fields_.take(tag::premine);
            etching.rune = fields_.take(tag::rune);
            etching.spacers = fields_.take(tag::spacers, most_spacers);
            etching.symbol = fields_.take<1>(tag::symbol, [](const auto& value) {
                const bool scalar =
                    value[0] <= 0x10ffff && (value[0] < 0xd800 || value[0] > 0xdfff);
                return scalar ? narrowed<std::uint32_t>(value[0]) : std::nullopt;
            });
            if (take_flag(flag::terms)) take_terms(etching.terms.emplace());
            etching.turbo = take_flag(flag::turbo);
        }
        stone_.mint = fields_.take<2>(
            tag::mint, [](const auto& value) { return rune_id(value[0], value[1]); });
        if (pointer_anywhere_)
            stone_.pointer = fields_.take<std::uint32_t>(tag::pointer);
        else if (outputs_ != 0)
            stone_.pointer = fields_.take<std::uint32_t>(tag::pointer, outputs_ - 1);
        if (stone_.etching && !has_supply(*stone_.etching)) flaw(Flaw::supply_overflow);
        if (flags != 0) flaw(Flaw::unrecognized_flag);
        if (fields_.any_even()) flaw(Flaw::unrecognized_even_tag);
    }

    void take_terms(Terms& terms) {
        terms.cap = fields_.take(tag::cap);
        terms.height_start = fields_.take<std::uint64_t>(tag::height_start);
        terms.height_end = fields_.take<std::uint64_t>(tag::height_end);
        terms.amount = fields_.take(tag::amount);
        terms.offset_start = fields_.take<std::uint64_t>(tag::offset_start);
        terms.offset_end = fields_.take<std::uint64_t>(tag::offset_end);
    }

    [[nodiscard]] static bool has_supply(const Etching& etching) noexcept {
        const Terms terms = etching.terms.value_or(Terms{});
        const auto minted = times(terms.cap.value_or(0), terms.amount.value_or(0));
        return minted && plus(etching.premine.value_or(0), *minted);
    }

    std::uint32_t outputs_;
    bool pointer_anywhere_;
    Arena* memory_;
    Bytes joined_;
    Runestone stone_;
    Fields fields_;
};

} // namespace

const char* flaw_name(Flaw flaw) noexcept {
    switch (flaw) {
    case Flaw::opcode:
        return "opcode";
    case Flaw::invalid_script:
        return "invalid_script";
    case Flaw::varint:
        return "varint";
    case Flaw::trailing_integers:
        return "trailing_integers";
    case Flaw::edict_rune_id:
        return "edict_rune_id";
    case Flaw::edict_output:
        return "edict_output";
    case Flaw::truncated_field:
        return "truncated_field";
    case Flaw::supply_overflow:
        return "supply_overflow";
    case Flaw::unrecognized_flag:
        return "unrecognized_flag";
    case Flaw::unrecognized_even_tag:
        return "unrecognized_even_tag";
    }
    return "unknown";
}

Runestone decode_runestone(ByteView script, std::uint32_t outputs, bool pointer_anywhere,
                           Arena* memory) {
    return RunestoneDecoder(outputs, pointer_anywhere, memory).decode(script);
}

std::optional<std::uint32_t> find_runestone(const chain::Block& block,
                                            const chain::Transaction& tx) noexcept {
    for (std::uint32_t i = 0; i < tx.output_count; ++i)
        if (is_runestone_script(block.script(block.outputs[tx.first_output + i]))) return i;
    return std::nullopt;
}

} // namespace blockloom::alkanes
