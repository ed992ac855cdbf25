// Loads, stores and the bulk instructions.
#include "native/function_translation.h"

namespace blockloom::native {

using wasm::Opcode;

void FunctionTranslation::look_at_memory_again() {
    set_wide(memory_size_, field(offsetof(Context, memory_size), module_.i64, false));
}

llvm::Align FunctionTranslation::alignment_of(const Instruction&) const {
    return llvm::Align(1);
}

llvm::Value* FunctionTranslation::pointer_to(llvm::Type* type, Value* address) {
    return build_.CreateBitCast(address,
                                type->getPointerTo(address->getType()->getPointerAddressSpace()));
}

llvm::Value* FunctionTranslation::global_cell(std::uint32_t index) {
    return field(sizeof(Context) + index * sizeof(Cell*), module_.i64->getPointerTo(), true);
}

llvm::Value* FunctionTranslation::reference(std::uint32_t function) {
    Value* all = field(offsetof(Context, references), module_.i64, true);
    return build_.CreateAdd(all, number(function * sizeof(wasm::FunctionReference)));
}

void FunctionTranslation::load(const Instruction& i, llvm::Type* stored, bool is_signed,
                               bool is_wide) {
    Value* at = pointer_to(stored, address_of(i));
    llvm::LoadInst* loaded = build_.CreateAlignedLoad(stored, at, alignment_of(i));
    module_.tag(loaded, Region::linear);
    llvm::Type* type = is_wide ? module_.i64 : module_.i32;
    Value* value = is_signed ? build_.CreateSExt(loaded, type) : build_.CreateZExt(loaded, type);
    is_wide ? set_wide(i.a, value) : set_narrow(i.a, value);
}

void FunctionTranslation::store(const Instruction& i, llvm::Type* stored, bool immediate) {
    Value* at = pointer_to(stored, address_of(i));
    Value* value;
    if (immediate)
        value = number(static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(i.y)}));
    else
        value = stored == module_.i64 ? wide(i.c) : narrow(i.c);
    if (value->getType() != stored) value = build_.CreateTrunc(value, stored);
    module_.tag(build_.CreateAlignedStore(value, at, alignment_of(i)), Region::linear);
}

void FunctionTranslation::execute(const Instruction& i, bool answers) {
    // Operands that the instruction does not read may be undefined, and so may not be read here.
    const auto op = static_cast<Opcode>(i.op);
    const bool three = op == Opcode::memory_copy || op == Opcode::memory_fill ||
                       op == Opcode::memory_init || op == Opcode::table_fill ||
                       op == Opcode::table_copy || op == Opcode::table_init;
    const bool takes_b = three || op == Opcode::memory_grow || op == Opcode::table_get ||
                         op == Opcode::table_set || op == Opcode::table_grow;
    const bool takes_c = three || op == Opcode::table_set || op == Opcode::table_grow;
    Value* fuel = call_service(offsetof(Context, execute),
                               {context_, wide(fuel_), number32(pc_), three ? wide(i.a) : number(0),
                                takes_b ? wide(i.b) : number(0), takes_c ? wide(i.c) : number(0)});
    set_wide(fuel_, fuel);
    if (answers) set_wide(i.a, field(offsetof(Context, value), module_.i64, false));
    if (op == Opcode::memory_grow) look_at_memory_again();
}

bool FunctionTranslation::memory(const Instruction& i, Opcode op) {
    switch (op) {
    case Opcode::i32_load8_s:
        return load(i, module_.i8, true, false), true;
    case Opcode::i32_load8_u:
        return load(i, module_.i8, false, false), true;
    case Opcode::i32_load16_s:
        return load(i, module_.i16, true, false), true;
    case Opcode::i32_load16_u:
        return load(i, module_.i16, false, false), true;
    case Opcode::i32_load:
        return load(i, module_.i32, false, false), true;
    case Opcode::i64_load8_s:
        return load(i, module_.i8, true, true), true;
    case Opcode::i64_load16_s:
        return load(i, module_.i16, true, true), true;
    case Opcode::i64_load32_s:
        return load(i, module_.i32, true, true), true;
    case Opcode::i64_load:
        return load(i, module_.i64, false, true), true;
    case Opcode::store8:
    case Opcode::store8_imm:
        return store(i, module_.i8, op == Opcode::store8_imm), true;
    case Opcode::store16:
    case Opcode::store16_imm:
        return store(i, module_.i16, op == Opcode::store16_imm), true;
    case Opcode::store32:
    case Opcode::store32_imm:
        return store(i, module_.i32, op == Opcode::store32_imm), true;
    case Opcode::store64:
    case Opcode::store64_imm:
        return store(i, module_.i64, op == Opcode::store64_imm), true;
    case Opcode::memory_size:
        set_wide(i.a, build_.CreateLShr(wide(memory_size_), number(16)));
        return true;
    case Opcode::global_get:
    case Opcode::global_set: {
        Value* at = global_cell(i.x);
        if (op == Opcode::global_get) {
            llvm::LoadInst* loaded = build_.CreateLoad(module_.i64, at);
            module_.tag(loaded, Region::global);
            set_wide(i.a, loaded);
        } else {
            module_.tag(build_.CreateStore(wide(i.b), at), Region::global);
        }
        return true;
    }
    case Opcode::ref_func:
        set_wide(i.a, reference(i.x));
        return true;
    case Opcode::memory_grow:
    case Opcode::table_get:
    case Opcode::table_size:
    case Opcode::table_grow:
        execute(i, true);
        return true;
    case Opcode::memory_copy:
    case Opcode::memory_fill:
    case Opcode::memory_init:
    case Opcode::table_set:
    case Opcode::table_fill:
    case Opcode::table_copy:
    case Opcode::table_init:
    case Opcode::data_drop:
    case Opcode::elem_drop:
        execute(i, false);
        return true;
    default:
        return false;
    }
}

} // namespace blockloom::native
