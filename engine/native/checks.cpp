// Bounds and dirty pages of loads and stores. Checks are explicit. Where several addresses that
// follow are sums of one register and constants, one check covers them all; if it fails, one of
// them is outside, and the code up to there runs once more with a check for each, to trap at the
// right one with everything done that comes before.
#include "native/function_translation.h"

#include <algorithm>

namespace blockloom::native {

using wasm::TrapKind;

namespace {

constexpr std::uint64_t small_page_bits = 12; // a dirty byte each (wasm/memory.h)
constexpr std::int64_t small_page = 1 << small_page_bits;
/// Instructions that are looked at ahead: so many are translated twice at most.
constexpr std::uint32_t far_ahead = 64;

} // namespace

llvm::Value* FunctionTranslation::address_of(const Instruction& i) {
    const Access made = *access_of(i);
    const auto simple = [&] { return build_.CreateAdd(wide(i.b), number(i.x)); };
    if (exactly_) {
        check(wide(i.b), made.offset + made.bytes);
        Value* address = simple();
        if (made.store) mark(address, address);
        return build_.CreateInBoundsGEP(module_.i8, memory_, address);
    }
    const Place at = facts_.place(i.b);
    if (!facts_.inside(at, made.offset, made.bytes) && !check_ahead()) {
        if (module_.checks_bounds()) check(wide(i.b), made.offset + made.bytes);
        facts_.learn(at, made.offset, made.bytes);
    }
    const std::uint32_t anchor = facts_.of(at.symbol).anchor;
    Anchor& known = anchors_[at.symbol];
    if (at.offset == anchor && (known.value == nullptr || known.offset != anchor))
        known = {anchor, wide(i.b)};
    if (made.store && !facts_.marked(at, made.offset)) mark_ahead(at, made.offset);
    return build_.CreateInBoundsGEP(module_.i8, memory_, from(i.b, at, made.offset));
}

/// The address of an access that is known to be inside.
llvm::Value* FunctionTranslation::from(std::uint32_t index, Place at, std::int64_t offset) {
    const Anchor known = anchors_.lookup(at.symbol);
    const auto distance = facts_.from_anchor(at);
    if (known.value == nullptr || known.offset != facts_.of(at.symbol).anchor || !distance)
        return build_.CreateAdd(wide(index), number(static_cast<std::uint64_t>(offset)));
    return build_.CreateAdd(known.value, number(static_cast<std::uint64_t>(*distance + offset)));
}

llvm::Value* FunctionTranslation::outside(Value* address, std::int64_t bytes) {
    // Memory never shrinks while code runs; where it has the extent from the start the limit
    // cannot be negative, and stays the same for all addresses.
    Value* size = wide(memory_size_);
    const auto extent = static_cast<std::uint64_t>(bytes);
    return extent <= module_.least_memory()
               ? build_.CreateICmpUGT(address, build_.CreateSub(size, number(extent)))
               : build_.CreateICmpUGT(build_.CreateAdd(address, number(extent)), size);
}

void FunctionTranslation::check(Value* address, std::int64_t bytes) {
    trap_if(outside(address, bytes), TrapKind::out_of_bounds_memory);
}

std::optional<FunctionTranslation::Source> FunctionTranslation::source_ahead(const Ahead& ahead,
                                                                             std::uint32_t index) {
    const auto found = ahead.find(index);
    return found == ahead.end() ? Source{index, 0} : found->second;
}

std::optional<Place> FunctionTranslation::place_ahead(const Ahead& ahead, std::uint32_t index) {
    const auto source = source_ahead(ahead, index);
    if (!source) return std::nullopt;
    const Place now = facts_.place(source->index);
    return Place{now.symbol, now.offset + source->added};
}

void FunctionTranslation::step_ahead(Ahead& ahead, const Instruction& i) {
    const auto written = written_by(i);
    if (!written) return;
    const auto added = added_by(i);
    std::optional<Source> result;
    if (added || i.op == static_cast<std::uint16_t>(Opcode::mov)) result = source_ahead(ahead, i.b);
    if (result) result->added += added.value_or(0);
    ahead[*written] = result;
}

/// The instruction belongs to the block that is translated.
bool FunctionTranslation::may_look_at(std::uint32_t pc) const {
    return pc < about_.end && pc - pc_ < far_ahead && (pc == pc_ || !graph_.begins(pc)) &&
           goes_straight_on(program_.code[pc]);
}

llvm::Value* FunctionTranslation::value_of(const Source& source, std::uint32_t symbol,
                                           std::uint32_t offset) {
    const Anchor known = anchors_.lookup(symbol);
    if (known.value != nullptr && known.offset == offset) return known.value;
    if (symbol == AddressFacts::zero) return number(offset);
    const std::uint32_t added = offset - facts_.place(source.index).offset;
    if (added == 0) return wide(source.index);
    return build_.CreateZExt(build_.CreateAdd(narrow(source.index), number32(added)), module_.i64);
}

/// Checks the access that is translated together with those after it, one check a symbol; false:
/// nothing would be saved, and nothing was done.
bool FunctionTranslation::check_ahead() {
    if (!module_.relates() || !module_.checks_bounds()) return false;
    struct Group {
        std::uint32_t symbol = 0;
        Source source;
        SymbolFacts before;
    };
    llvm::SmallVector<Group, 8> groups;
    std::size_t single = 0; // checks, made one by one
    std::uint32_t last = pc_;
    Ahead ahead;
    for (std::uint32_t pc = pc_; may_look_at(pc); ++pc) {
        const Instruction& i = program_.code[pc];
        const auto made = access_of(i);
        const auto at = made ? place_ahead(ahead, made->base) : std::nullopt;
        if (at && !facts_.inside(*at, made->offset, made->bytes)) {
            const auto group = std::find_if(groups.begin(), groups.end(),
                                            [&](const Group& g) { return g.symbol == at->symbol; });
            const bool first = group == groups.end();
            if (first)
                groups.push_back(
                    {at->symbol, *source_ahead(ahead, made->base), facts_.of(at->symbol)});
            // What is too far from the others of its symbol waits for its turn.
            if (first || facts_.from_anchor(*at)) {
                facts_.learn(*at, made->offset, made->bytes);
                last = pc;
                ++single;
            }
        }
        step_ahead(ahead, i);
    }
    if (single == groups.size()) {
        for (const Group& group : groups) facts_.assume(group.symbol, group.before);
        return false;
    }
    // All values first: what is computed between the branches would be unknown where they meet.
    llvm::SmallVector<Value*, 8> conditions;
    for (const Group& group : groups) {
        const SymbolFacts& now = facts_.of(group.symbol);
        Value* anchor = value_of(group.source, group.symbol, now.anchor);
        anchors_[group.symbol] = {now.anchor, anchor};
        conditions.push_back(outside(anchor, now.extent));
    }
    Block* exact = new_block();
    for (Value* condition : conditions) {
        Block* go_on = new_block();
        build_.CreateCondBr(condition, exact, go_on, module_.unlikely());
        build_.SetInsertPoint(go_on);
    }
    check_exactly(exact, last);
    return true;
}

/// From here to `last` once more, each access with its own check, one of which must fail.
void FunctionTranslation::check_exactly(Block* first, std::uint32_t last) {
    Block* const here = build_.GetInsertBlock();
    const std::uint32_t pc = pc_;
    const std::size_t known = known_.size();
    build_.SetInsertPoint(first);
    exactly_ = true;
    for (; pc_ <= last; ++pc_) step(program_.code[pc_]);
    --pc_;
    trap_fuel_->addIncoming(wide(fuel_), build_.GetInsertBlock());
    trap_site_->addIncoming(number32(trap_site(pc_, TrapKind::out_of_bounds_memory)),
                            build_.GetInsertBlock());
    build_.CreateBr(trapped_); // nobody comes here; an end without a way on disturbs LLVM
    exactly_ = false;
    for (; !undo_.empty(); undo_.pop_back()) {
        Register& changed = registers_[undo_.back().first];
        llvm::AllocaInst* const home = changed.home; // made at the entry: stays
        changed = undo_.back().second;
        changed.home = home;
    }
    known_.resize(known);
    pc_ = pc;
    build_.SetInsertPoint(here);
}

/// Marks the page of a store, and with it those of stores that follow before anything can trap.
void FunctionTranslation::mark_ahead(Place at, std::int64_t offset) {
    const std::int64_t here = *facts_.from_anchor(at);
    std::int64_t low = offset, high = offset;
    Ahead ahead;
    for (std::uint32_t pc = pc_; may_look_at(pc); ++pc) {
        const Instruction& i = program_.code[pc];
        if (computes_with_traps(i)) break;
        if (const auto made = access_of(i)) {
            const auto there = place_ahead(ahead, made->base);
            if (!there || !facts_.inside(*there, made->offset, made->bytes)) break;
            if (made->store && there->symbol == at.symbol) {
                const std::int64_t to = *facts_.from_anchor(*there) - here + made->offset;
                if (std::max(high, to) - std::min(low, to) < small_page)
                    low = std::min(low, to), high = std::max(high, to);
            }
        }
        step_ahead(ahead, i);
    }
    const SymbolFacts& known = facts_.of(at.symbol);
    // Beside what is marked already only the new ends are looked at.
    const bool joins = facts_.joins(at, low, high);
    const std::int64_t first = joins && here + low >= known.low ? high : low;
    const std::int64_t second = joins && here + high <= known.high ? low : high;
    const std::uint32_t index = program_.code[pc_].b;
    Value* low_address = from(index, at, first);
    mark(low_address, first == second ? low_address : from(index, at, second));
    facts_.mark(at, low, high);
}

void FunctionTranslation::mark(Value* low, Value* high) {
    const auto marked = [&](Value* address) {
        Value* page = build_.CreateLShr(address, number(small_page_bits));
        llvm::LoadInst* byte =
            build_.CreateLoad(module_.i8, build_.CreateInBoundsGEP(module_.i8, dirty_, page));
        module_.tag(byte, Region::context);
        return byte;
    };
    Value* both = marked(low);
    if (high != low) both = build_.CreateAnd(both, marked(high));
    Block *unmarked = new_block(), *go_on = new_block();
    build_.CreateCondBr(build_.CreateICmpEQ(both, llvm::ConstantInt::get(module_.i8, 0)), unmarked,
                        go_on, module_.unlikely());
    build_.SetInsertPoint(unmarked);
    call_stub(module_.mark(), {context_, low});
    if (high != low) call_stub(module_.mark(), {context_, high});
    build_.CreateBr(go_on);
    build_.SetInsertPoint(go_on);
}

} // namespace blockloom::native
