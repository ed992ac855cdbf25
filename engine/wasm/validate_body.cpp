#include "wasm/validate_body.h"

#include "wasm/code_reader.h"

#include <fmt/format.h>

#include <span>

namespace blockloom::wasm {
namespace {

/// A value's type on the operand stack of unreachable code may be unknown.
using Operand = std::optional<ValueType>;

const char* text_of(Operand operand) {
    return operand ? name_of(*operand) : "any";
}

struct Frame {
    CodeOpcode opcode = 0;
    std::span<const ValueType> parameters, results;
    std::size_t height = 0;
    bool unreachable = false;

    [[nodiscard]] std::span<const ValueType> label() const noexcept {
        return opcode == 0x03 ? parameters : results;
    }
};

class BodyChecker {
public:
    BodyChecker(BodyContext& context, std::uint32_t function)
        : context_(context), module_(context.module),
          type_(module_.types[module_.functions[function]]),
          body_(module_.bodies[function - module_.imported_functions]),
          in_(*module_.bytes, body_.begin, body_.end) {}

    std::optional<ModuleError> run();

private:
    void fail(std::string rule);
    void count_listed(std::size_t values);
    [[nodiscard]] bool failed() const noexcept { return error_.has_value(); }

    void push(Operand operand) { stack_.push_back(operand); }
    Operand pop();
    Operand pop(Operand expected);
    void pop_all(std::span<const ValueType> types);
    void push_all(std::span<const ValueType> types);
    void push_frame(CodeOpcode opcode, std::span<const ValueType> parameters,
                    std::span<const ValueType> results);
    void end_frame();
    void leave_unreachable();

    void block(CodeOpcode opcode);
    void branch_table();
    void select();
    void call(const FunctionType& type);
    void local();
    void bulk();
    void reference();
    void step();

    const Frame* label(std::uint32_t depth);
    bool need_memory();
    bool need_table(std::uint32_t index);
    bool need_element(std::uint32_t index);
    bool need_data(std::uint32_t index);

    BodyContext& context_;
    const Module& module_;
    const FunctionType& type_;
    const Body& body_;
    BinaryReader in_;
    CodeInstruction now_;
    std::vector<ValueType> locals_;
    std::vector<Operand> stack_;
    std::vector<Frame> frames_;
    std::optional<ModuleError> error_;
};

void BodyChecker::fail(std::string rule) {
    if (!error_) error_ = ModuleError{Refusal::invalid, now_.offset, std::move(rule)};
}

void BodyChecker::count_listed(std::size_t values) {
    context_.listed_values += values;
    const std::uint64_t most = most_listed_values(module_.bytes->size());
    if (context_.listed_values <= most || error_) return;
    fail(fmt::format("expected at most {} values of blocks, branches and calls in a module of {} "
                     "bytes, found more (limit of this engine)",
                     most, module_.bytes->size()));
    error_->unclaimed = true;
}

Operand BodyChecker::pop() {
    const Frame& frame = frames_.back();
    if (stack_.size() == frame.height) {
        if (!frame.unreachable) fail("type mismatch: expected an operand, found an empty stack");
        return std::nullopt;
    }
    const Operand top = stack_.back();
    stack_.pop_back();
    return top;
}

Operand BodyChecker::pop(Operand expected) {
    const Operand found = pop();
    if (found && expected && *found != *expected)
        fail(
            fmt::format("type mismatch: expected {}, found {}", text_of(expected), text_of(found)));
    return found; // an unknown type stays unknown: br_table's labels may differ there
}

void BodyChecker::pop_all(std::span<const ValueType> types) {
    count_listed(types.size());
    for (std::size_t i = types.size(); i > 0 && !failed(); --i) pop(types[i - 1]);
}

void BodyChecker::push_all(std::span<const ValueType> types) {
    count_listed(types.size());
    for (const ValueType type : types) push(type);
}

void BodyChecker::push_frame(CodeOpcode opcode, std::span<const ValueType> parameters,
                             std::span<const ValueType> results) {
    frames_.push_back({opcode, parameters, results, stack_.size(), false});
    push_all(parameters);
}

void BodyChecker::end_frame() {
    const Frame frame = frames_.back();
    pop_all(frame.results);
    if (failed()) return;
    if (stack_.size() != frame.height) return fail("type mismatch: values remain on the stack");
    frames_.pop_back();
}

void BodyChecker::leave_unreachable() {
    stack_.resize(frames_.back().height);
    frames_.back().unreachable = true;
}

const Frame* BodyChecker::label(std::uint32_t depth) {
    if (depth < frames_.size()) return &frames_[frames_.size() - 1 - depth];
    fail("unknown label");
    return nullptr;
}

bool BodyChecker::need_memory() {
    if (module_.memories.empty()) fail("unknown memory 0");
    return !failed();
}

bool BodyChecker::need_table(std::uint32_t index) {
    if (index >= module_.tables.size()) fail(fmt::format("unknown table {}", index));
    return !failed();
}

bool BodyChecker::need_element(std::uint32_t index) {
    if (index >= module_.elements.size()) fail(fmt::format("unknown elem segment {}", index));
    return !failed();
}

bool BodyChecker::need_data(std::uint32_t index) {
    // The binary grammar asks for the section; without any segment the index is what is wrong.
    if (!module_.data_count && !module_.data.empty() && !error_)
        error_ = ModuleError{Refusal::malformed, now_.offset, "data count section required"};
    if (!failed() && index >= module_.data_count.value_or(0))
        fail(fmt::format("unknown data segment {}", index));
    return !failed();
}

void BodyChecker::block(CodeOpcode opcode) {
    if (opcode == 0x04) pop(ValueType::i32);
    std::span<const ValueType> parameters, results;
    switch (now_.block.kind) {
    case BlockType::Kind::empty:
        break;
    case BlockType::Kind::value: {
        // One-value lists that outlive the frame.
        static constexpr ValueType single[] = {ValueType::i32,     ValueType::i64,
                                               ValueType::f32,     ValueType::f64,
                                               ValueType::funcref, ValueType::externref};
        for (const ValueType& type : single)
            if (type == now_.block.value) results = {&type, 1};
        break;
    }
    case BlockType::Kind::index:
        if (now_.block.index >= module_.types.size()) return fail("unknown type");
        parameters = module_.types[now_.block.index].parameters;
        results = module_.types[now_.block.index].results;
        break;
    }
    pop_all(parameters);
    push_frame(opcode, parameters, results);
}

void BodyChecker::branch_table() {
    pop(ValueType::i32);
    const Frame* last = label(now_.labels.back());
    if (last == nullptr) return;
    const std::size_t arity = last->label().size();
    std::vector<Operand> held;
    const ValueType* checked = nullptr; // long tables repeat few labels: one check a run
    for (const std::uint32_t depth : now_.labels) {
        const Frame* target = label(depth);
        if (target == nullptr) return;
        if (arity > 0 && target->label().size() == arity && target->label().data() == checked)
            continue;
        checked = target->label().data();
        if (target->label().size() != arity) return fail("type mismatch: labels differ in arity");
        held.clear();
        count_listed(arity);
        for (std::size_t i = arity; i > 0 && !failed(); --i)
            held.push_back(pop(target->label()[i - 1]));
        if (failed()) return;
        for (std::size_t i = arity; i > 0; --i) push(held[i - 1]);
    }
    pop_all(last->label());
    leave_unreachable();
}

void BodyChecker::select() {
    pop(ValueType::i32);
    if (now_.opcode == 0x1c) {
        if (now_.types != 1) return fail("invalid result arity");
        pop(now_.type);
        pop(now_.type);
        return push(now_.type);
    }
    const Operand first = pop();
    const Operand second = pop();
    const auto numeric = [](Operand operand) {
        return !operand || (*operand != ValueType::funcref && *operand != ValueType::externref);
    };
    if (!numeric(first) || !numeric(second) || (first && second && *first != *second))
        return fail("type mismatch: select needs two numbers of one type");
    push(first ? first : second);
}

void BodyChecker::call(const FunctionType& type) {
    pop_all(type.parameters);
    push_all(type.results);
}

void BodyChecker::local() {
    if (now_.index >= locals_.size()) return fail("unknown local");
    const ValueType type = locals_[now_.index];
    if (now_.opcode != 0x20) pop(type);
    if (now_.opcode != 0x21) push(type);
}

void BodyChecker::bulk() {
    using enum ValueType;
    const auto pop3 = [&](ValueType a, ValueType b, ValueType c) { pop(c), pop(b), pop(a); };
    const std::uint32_t index = now_.index, index2 = now_.index2;
    switch (now_.opcode) {
    case 0xfc08:
        if (need_memory() && need_data(index)) pop3(i32, i32, i32);
        break;
    case 0xfc09:
        need_data(index);
        break;
    case 0xfc0a:
    case 0xfc0b:
        if (need_memory()) pop3(i32, i32, i32);
        break;
    case 0xfc0c:
        if (!need_table(index2) || !need_element(index)) break;
        if (module_.tables[index2].element != module_.elements[index].type) fail("type mismatch");
        pop3(i32, i32, i32);
        break;
    case 0xfc0d:
        need_element(index);
        break;
    case 0xfc0e:
        if (!need_table(index) || !need_table(index2)) break;
        if (module_.tables[index].element != module_.tables[index2].element) fail("type mismatch");
        pop3(i32, i32, i32);
        break;
    case 0xfc0f:
        if (!need_table(index)) break;
        pop(i32), pop(module_.tables[index].element), push(i32);
        break;
    case 0xfc10:
        if (need_table(index)) push(i32);
        break;
    default: // 0xfc11, table.fill
        if (need_table(index)) pop3(i32, module_.tables[index].element, i32);
    }
}

void BodyChecker::reference() {
    using enum ValueType;
    switch (now_.opcode) {
    case 0xd0:
        push(now_.type);
        break;
    case 0xd1: {
        const Operand found = pop();
        if (found && *found != funcref && *found != externref)
            fail(fmt::format("type mismatch: expected a reference, found {}", name_of(*found)));
        push(i32);
        break;
    }
    case 0xd2:
        if (now_.index >= module_.functions.size()) return fail("unknown function");
        if (!context_.referenced[now_.index]) return fail("undeclared function reference");
        push(funcref);
        break;
    case 0x25:
        if (need_table(now_.index)) pop(i32), push(module_.tables[now_.index].element);
        break;
    default: // 0x26, table.set
        if (need_table(now_.index)) pop(module_.tables[now_.index].element), pop(i32);
    }
}

void BodyChecker::step() {
    using enum ValueType;
    switch (const CodeOpcode opcode = now_.opcode) {
    case 0x00:
        leave_unreachable();
        break;
    case 0x01:
        break;
    case 0x02:
    case 0x03:
    case 0x04:
        block(opcode);
        break;
    case 0x05: {
        if (frames_.back().opcode != 0x04) return fail("else without if");
        const Frame frame = frames_.back();
        end_frame();
        if (!failed()) push_frame(0x05, frame.parameters, frame.results);
        break;
    }
    case 0x0b: {
        const Frame frame = frames_.back();
        if (frame.opcode == 0x04 && !std::equal(frame.parameters.begin(), frame.parameters.end(),
                                                frame.results.begin(), frame.results.end()))
            return fail("type mismatch: an if without else must leave what it took");
        end_frame();
        if (!failed()) push_all(frame.results);
        break;
    }
    case 0x0c:
        if (const Frame* target = label(now_.index)) pop_all(target->label()), leave_unreachable();
        break;
    case 0x0d:
        pop(i32);
        if (const Frame* target = label(now_.index))
            pop_all(target->label()), push_all(target->label());
        break;
    case 0x0e:
        branch_table();
        break;
    case 0x0f:
        pop_all(type_.results), leave_unreachable();
        break;
    case 0x10:
        if (now_.index >= module_.functions.size()) return fail("unknown function");
        call(module_.types[module_.functions[now_.index]]);
        break;
    case 0x11:
        if (!need_table(now_.index2)) break;
        if (module_.tables[now_.index2].element != funcref)
            return fail("type mismatch: not a table of functions");
        if (now_.index >= module_.types.size()) return fail("unknown type");
        pop(i32), call(module_.types[now_.index]);
        break;
    case 0x1a:
        pop();
        break;
    case 0x1b:
    case 0x1c:
        select();
        break;
    case 0x20:
    case 0x21:
    case 0x22:
        local();
        break;
    case 0x23:
    case 0x24: {
        if (now_.index >= module_.global_types.size()) return fail("unknown global");
        const GlobalType& global = module_.global_types[now_.index];
        if (opcode == 0x23) return push(global.type);
        if (!global.is_mutable) return fail("global is immutable");
        pop(global.type);
        break;
    }
    case 0x3f:
        if (need_memory()) push(i32);
        break;
    case 0x40:
        if (need_memory()) pop(i32), push(i32);
        break;
    case 0x41:
        push(i32);
        break;
    case 0x42:
        push(i64);
        break;
    case 0x43:
        push(f32);
        break;
    case 0x44:
        push(f64);
        break;
    case 0x25:
    case 0x26:
    case 0xd0:
    case 0xd1:
    case 0xd2:
        reference();
        break;
    default: {
        if (opcode >= 0xfc08) return bulk();
        const Signature& signature = signature_of(opcode);
        if (signature.access != 0) {
            if (!need_memory()) return;
            if ((1u << now_.align) > signature.access)
                return fail("alignment must not be larger than natural");
        }
        if (signature.operands == 2) pop(signature.second);
        pop(signature.operand);
        if (signature.has_result) push(signature.result);
    }
    }
}

std::optional<ModuleError> BodyChecker::run() {
    locals_.assign(type_.parameters.begin(), type_.parameters.end());
    for (const LocalRun& run : body_.locals) {
        if (locals_.size() + run.count > type_.parameters.size() + most_locals)
            return ModuleError{Refusal::invalid, body_.begin,
                               "more than 4,096 declared locals (limit of this engine)", true};
        locals_.insert(locals_.end(), run.count, run.type);
    }
    push_frame(0x02, {}, type_.results);
    while (!frames_.empty()) {
        if (!read_instruction(in_, now_)) return in_.error();
        step();
        if (error_) return error_;
    }
    if (!in_.done()) return ModuleError{Refusal::malformed, in_.at(), "section size mismatch"};
    return std::nullopt;
}

} // namespace

std::optional<ModuleError> validate_body(BodyContext& context, std::uint32_t function) {
    return BodyChecker(context, function).run();
}

} // namespace blockloom::wasm
