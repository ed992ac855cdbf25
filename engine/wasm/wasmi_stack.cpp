#include "wasm/wasmi_stack.h"

#include <algorithm>

namespace blockloom::wasm::wasmi {
namespace {

/// From this height on wasmi keeps locals of the stack in a table ordered by their index.
constexpr std::uint32_t tall_stack = 16;

constexpr std::size_t most_constants = 32'767;

std::uint32_t slot_of(Register reg) noexcept {
    return static_cast<std::uint32_t>(Stack::first_preserved - reg);
}

} // namespace

std::uint32_t Slots::put(std::uint32_t count) {
    const std::uint32_t slot = free_;
    if (slot == entries_.size()) {
        entries_.push_back({count, 0});
        ++free_;
    } else {
        free_ = entries_[slot].next_free;
        entries_[slot].count = count;
    }
    ++used_;
    return slot;
}

void Slots::add_one(std::uint32_t slot) {
    if (count(slot) != 0) ++entries_[slot].count;
}

void Slots::take_one(std::uint32_t slot) {
    if (count(slot) > 1)
        --entries_[slot].count;
    else
        take_all(slot);
}

void Slots::take_all(std::uint32_t slot) {
    if (count(slot) == 0) return;
    release(slot);
}

void Slots::release(std::uint32_t slot) {
    entries_[slot] = {0, free_};
    free_ = slot;
    if (--used_ != 0) return;
    entries_.clear(); // numbering begins again
    free_ = 0;
}

Stack::Stack(std::uint32_t locals)
    : locals_(
          static_cast<Register>(std::min(locals, static_cast<std::uint32_t>(first_preserved - 1)))),
      next_dynamic_(locals_), most_dynamic_(locals_) {
    exhausted_ = locals >= static_cast<std::uint32_t>(first_preserved);
}

Space Stack::space(Register reg) const noexcept {
    if (reg < 0) return Space::constant;
    if (reg < locals_) return Space::local;
    return reg > least_preserved_ ? Space::preserved : Space::dynamic;
}

void Stack::push_entry(const Value& value) {
    if (!value.is_constant && space(value.reg) == Space::local)
        places_[value.reg].push_back(height());
    values_.push_back(value);
}

void Stack::push(const Value& value) {
    if (!value.is_constant) {
        const Space where = space(value.reg);
        if (where == Space::dynamic) bump_dynamic(1);
        if (where == Space::preserved) preserved_.add_one(slot_of(value.reg));
    }
    push_entry(value);
}

void Stack::push_local(std::uint32_t local) {
    push_entry(Value::in(static_cast<Register>(local)));
}

void Stack::bump_dynamic(std::uint32_t count) {
    const std::int64_t next = std::int64_t{next_dynamic_} + count;
    if (next >= least_preserved_) {
        exhausted_ = true;
        return;
    }
    next_dynamic_ = static_cast<Register>(next);
    most_dynamic_ = std::max(most_dynamic_, next_dynamic_);
}

Register Stack::push_dynamic() {
    return push_dynamic(1);
}

Register Stack::push_dynamic(std::uint32_t count) {
    const Register first = next_dynamic_;
    bump_dynamic(count);
    for (std::uint32_t i = 0; i < count; ++i)
        push_entry(Value::in(first + static_cast<Register>(i)));
    return first;
}

Register Stack::peek_dynamic(std::uint32_t count) {
    const Register first = next_dynamic_;
    bump_dynamic(count);
    next_dynamic_ = first;
    return first;
}

Value Stack::pop() {
    const Value popped = values_.back();
    values_.pop_back();
    if (popped.is_constant) return popped;
    switch (space(popped.reg)) {
    case Space::local: {
        const auto found = places_.find(popped.reg);
        found->second.pop_back();
        if (found->second.empty()) places_.erase(found);
        break;
    }
    case Space::dynamic:
        if (next_dynamic_ > locals_) --next_dynamic_;
        break;
    case Space::preserved:
        popped_.insert(slot_of(popped.reg));
        preserved_.take_one(slot_of(popped.reg));
        break;
    case Space::constant:
        break;
    }
    return popped;
}

void Stack::pop(std::uint32_t count, std::vector<Value>& to) {
    to.clear();
    for (std::uint32_t i = 0; i < count; ++i) to.push_back(pop());
    std::reverse(to.begin(), to.end());
}

void Stack::peek(std::uint32_t count, std::vector<Value>& to) const {
    to.assign(values_.end() - static_cast<std::ptrdiff_t>(count), values_.end());
}

void Stack::truncate(std::uint32_t height) {
    while (values_.size() > height) pop();
}

Register Stack::constant_register(Cell bits) {
    const auto next = -1 - static_cast<Register>(constants_.size());
    const auto [found, added] = constants_.try_emplace(bits, next);
    if (constants_.size() > most_constants) exhausted_ = true;
    return found->second;
}

Register Stack::new_preserved() {
    popped_.clear();
    const std::uint32_t slot =
        preserved_.put(2); // one more than its uses: freed by collection only
    const Register reg = first_preserved - static_cast<Register>(slot);
    least_preserved_ = std::min(least_preserved_, reg - 1);
    if (next_dynamic_ >= least_preserved_) exhausted_ = true;
    return reg;
}

void Stack::occupy(Register local, Register preserved, bool first) {
    const auto found = places_.find(local);
    for (const std::uint32_t place : found->second) {
        values_[place].reg = preserved;
        if (!first) preserved_.add_one(slot_of(preserved));
        first = false;
    }
    places_.erase(found);
}

/// Sticky: once a tall stack was met with a local on it, the order by index stays.
void Stack::switch_order() {
    by_index_ = by_index_ || height() >= tall_stack;
}

std::optional<Register> Stack::preserve(std::uint32_t local) {
    if (places_.empty()) return std::nullopt;
    switch_order();
    if (!places_.contains(static_cast<Register>(local))) return std::nullopt;
    const Register preserved = new_preserved();
    occupy(static_cast<Register>(local), preserved, true);
    return preserved;
}

void Stack::preserve_all(std::vector<PreservedLocal>& to) {
    to.clear();
    if (places_.empty()) return;
    switch_order();
    for (const auto& [local, places] : places_) to.push_back({local, 0});
    if (!by_index_)
        std::sort(to.begin(), to.end(), [&](const PreservedLocal& a, const PreservedLocal& b) {
            return places_.at(a.local).back() > places_.at(b.local).back();
        });
    for (PreservedLocal& each : to) {
        each.preserved = new_preserved();
        occupy(each.local, each.preserved, true);
    }
}

void Stack::collect_preserved() {
    for (const std::uint32_t slot : popped_)
        if (preserved_.count(slot) == 1) preserved_.take_all(slot);
}

void Stack::hold(Register reg) {
    if (space(reg) == Space::preserved) preserved_.add_one(slot_of(reg));
}

void Stack::let_go(Register reg) {
    if (space(reg) != Space::preserved) return;
    popped_.insert(slot_of(reg));
    preserved_.take_one(slot_of(reg));
}

std::uint32_t Stack::registers() const noexcept {
    return static_cast<std::uint32_t>(constants_.size()) +
           static_cast<std::uint32_t>(most_dynamic_) +
           static_cast<std::uint32_t>(first_preserved - least_preserved_);
}

} // namespace blockloom::wasm::wasmi
