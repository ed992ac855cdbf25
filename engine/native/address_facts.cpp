#include "native/address_facts.h"

#include <algorithm>
#include <limits>

namespace blockloom::native {

using wasm::Instruction;
using wasm::Opcode;

namespace {

constexpr std::int64_t guard_page = 4096;
constexpr std::int64_t nearness = 65'536; // see `near`
/// Keeps a walk linear: facts about more registers are not passed on to other blocks.
constexpr std::size_t most_noted = 32;

} // namespace

void meet(BlockFacts& into, const BlockFacts& other) {
    auto kept = into.begin();
    auto theirs = other.begin();
    for (const RegisterFact& mine : into) {
        while (theirs != other.end() && theirs->index < mine.index) ++theirs;
        if (theirs == other.end()) break;
        if (theirs->index != mine.index) continue;
        *kept = mine;
        kept->extent = std::min(mine.extent, theirs->extent);
        kept->low = std::max(mine.low, theirs->low);
        kept->high = std::min(mine.high, theirs->high);
        if (kept->low > kept->high) kept->low = 1, kept->high = 0;
        ++kept;
    }
    into.erase(kept, into.end());
}

AddressFacts::AddressFacts(std::uint32_t registers, std::int64_t least_memory, bool near)
    : registers_(registers), least_memory_(least_memory), near_(near) {
    begin({});
}

void AddressFacts::begin(const BlockFacts& known) {
    ++epoch_;
    noted_.clear();
    known_.clear();
    known_.push_back({0, least_memory_, 1, 0}); // zero
    for (const RegisterFact& fact : known) {
        const SymbolFacts learnt{0, fact.extent, fact.low, fact.high};
        if (fact.index == registers_.size()) {
            known_[zero] = learnt;
            continue;
        }
        Register& about = use(fact.index);
        known_[about.place.symbol] = learnt;
        note(fact.index);
    }
}

std::uint32_t AddressFacts::new_symbol() {
    known_.emplace_back();
    return static_cast<std::uint32_t>(known_.size() - 1);
}

AddressFacts::Register& AddressFacts::use(std::uint32_t index) {
    Register& found = registers_[index];
    if (found.epoch != epoch_) found = {epoch_, false, {new_symbol(), 0}};
    return found;
}

void AddressFacts::note(std::uint32_t index) {
    Register& about = use(index);
    if (about.noted || noted_.size() == most_noted) return;
    about.noted = true;
    noted_.push_back(index);
}

Place AddressFacts::place(std::uint32_t index) {
    return use(index).place;
}

std::optional<std::int64_t> AddressFacts::from_anchor(Place at) const {
    if (at.symbol == zero) return std::int64_t{at.offset};
    const SymbolFacts& known = known_[at.symbol];
    if (known.extent == 0) return std::nullopt;
    const auto distance = std::int64_t{static_cast<std::int32_t>(at.offset - known.anchor)};
    if (distance == 0) return distance;
    if (!near_ || distance >= nearness || distance <= -nearness) return std::nullopt;
    return distance;
}

bool AddressFacts::inside(Place at, std::int64_t offset, std::int64_t bytes) const {
    const auto distance = from_anchor(at);
    return distance && *distance >= 0 && *distance + offset + bytes <= known_[at.symbol].extent;
}

bool AddressFacts::marked(Place at, std::int64_t offset) const {
    const auto distance = from_anchor(at);
    const SymbolFacts& known = known_[at.symbol];
    return distance && *distance + offset >= known.low && *distance + offset <= known.high;
}

void AddressFacts::learn(Place at, std::int64_t offset, std::int64_t bytes) {
    SymbolFacts& known = known_[at.symbol];
    const auto distance = from_anchor(at);
    if (!distance) {
        known = {at.offset, offset + bytes, 1, 0};
    } else if (*distance >= 0) {
        known.extent = std::max(known.extent, *distance + offset + bytes);
    } else { // counted from here now: all else moves up
        known = {at.offset, std::max(known.extent - *distance, offset + bytes),
                 known.low - *distance, known.high - *distance};
    }
}

bool AddressFacts::joins(Place at, std::int64_t low, std::int64_t high) const {
    const SymbolFacts& known = known_[at.symbol];
    const auto distance = from_anchor(at);
    return distance && known.low <= known.high &&
           std::max(known.high, *distance + high) - std::min(known.low, *distance + low) <
               guard_page;
}

void AddressFacts::mark(Place at, std::int64_t low, std::int64_t high) {
    const auto distance = from_anchor(at);
    if (!distance) return;
    SymbolFacts& known = known_[at.symbol];
    const bool joined = joins(at, low, high);
    known.low = joined ? std::min(known.low, *distance + low) : *distance + low;
    known.high = joined ? std::max(known.high, *distance + high) : *distance + high;
}

void AddressFacts::access(const Access& made) {
    note(made.base);
    const Place at = place(made.base);
    if (!inside(at, made.offset, made.bytes)) learn(at, made.offset, made.bytes);
    if (made.store && !marked(at, made.offset)) mark(at, made.offset, made.offset);
}

void AddressFacts::step(const Instruction& i, const wasm::Program& program) {
    const auto forget = [this](std::uint32_t index) { use(index).place = {new_symbol(), 0}; };
    switch (format_of(static_cast<Opcode>(i.op))) {
    case wasm::Format::call: {
        const wasm::FunctionType& type = program.module->types[program.module->functions[i.x]];
        for (std::uint32_t r = 0; r < type.results.size(); ++r) forget(i.b + r);
        return;
    }
    case wasm::Format::call_indirect:
        for (std::uint32_t r = 0; r < program.module->types[i.x].results.size(); ++r)
            forget(i.b + r);
        return;
    default:
        break;
    }
    const auto written = written_by(i);
    if (!written) return;
    const auto added = added_by(i);
    if (i.op == static_cast<std::uint16_t>(Opcode::constant)) {
        use(*written).place = {zero, static_cast<std::uint32_t>(i.imm64())};
        note(*written);
    } else if (i.op == static_cast<std::uint16_t>(Opcode::mov) || (added && near_)) {
        const Place from = place(i.b);
        use(*written).place = {from.symbol, from.offset + added.value_or(0)};
        if (from.symbol == zero || known_[from.symbol].extent > 0) note(*written);
    } else {
        forget(*written);
    }
}

BlockFacts AddressFacts::facts() {
    BlockFacts all;
    for (const std::uint32_t index : noted_) {
        const Place at = place(index);
        const auto distance = from_anchor(at);
        const SymbolFacts& known = known_[at.symbol];
        if (!distance || *distance < 0 || known.extent <= *distance) continue;
        all.push_back({index, known.extent - *distance, 1, 0});
        if (known.low <= known.high)
            all.back().low = known.low - *distance, all.back().high = known.high - *distance;
    }
    std::sort(all.begin(), all.end(),
              [](const RegisterFact& a, const RegisterFact& b) { return a.index < b.index; });
    const SymbolFacts& fixed = known_[zero];
    if (fixed.extent > least_memory_ || fixed.low <= fixed.high)
        all.push_back(
            {static_cast<std::uint32_t>(registers_.size()), fixed.extent, fixed.low, fixed.high});
    return all;
}

} // namespace blockloom::native
