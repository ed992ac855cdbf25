// Sections of the binary format (WebAssembly core specification, chapter 5).
#include "wasm/binary_reader.h"

#include <fmt/format.h>

#include <array>

namespace blockloom::wasm {
namespace {

enum Section : Byte {
    custom = 0,
    type = 1,
    import = 2,
    function = 3,
    table = 4,
    memory = 5,
    global = 6,
    export_ = 7,
    start = 8,
    element = 9,
    code = 10,
    data = 11,
    data_count = 12,
};

/// Where a section stands in the prescribed order; data count comes before code.
int rank_of(Byte id) {
    constexpr std::array<int, 13> ranks{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 10};
    return ranks[id];
}

class Decoder {
public:
    explicit Decoder(std::shared_ptr<const Bytes> bytes)
        : in_(*bytes, 0, static_cast<std::uint32_t>(bytes->size())) {
        module_.bytes = std::move(bytes);
    }

    std::variant<Module, ModuleError> run();

private:
    void section(Byte id, std::uint32_t end);
    void types();
    void imports();
    void functions();
    void globals();
    void exports();
    void elements();
    void element_segment();
    void bodies();
    void data_segments();
    void names(std::uint32_t end);
    void function_names(std::uint32_t end);

    ValueType value_type();
    ValueType reference_type();
    Limits limits(std::uint32_t most);
    TableType table_type();
    Limits memory_type();
    GlobalType global_type();
    ConstantExpression constant_expression();
    ConstantExpression function_item();

    BinaryReader in_;
    Module module_;
    std::vector<std::uint32_t> declared_; ///< types of own functions
};

ValueType Decoder::value_type() {
    const std::uint32_t at = in_.at();
    switch (const Byte code = in_.byte()) {
    case 0x7f:
    case 0x7e:
    case 0x7d:
    case 0x7c:
    case 0x70:
    case 0x6f:
        return static_cast<ValueType>(code);
    default:
        in_.fail_at(at, "malformed value type");
        return ValueType::i32;
    }
}

ValueType Decoder::reference_type() {
    const std::uint32_t at = in_.at();
    const Byte code = in_.byte();
    if (code != 0x70 && code != 0x6f) in_.fail_at(at, "malformed reference type");
    return code == 0x6f ? ValueType::externref : ValueType::funcref;
}

Limits Decoder::limits(std::uint32_t most) {
    const std::uint32_t at = in_.at();
    const Byte flag = in_.byte();
    if (flag > 1)
        in_.fail_at(at, flag > 0x7f ? "integer representation too long" : "integer too large");
    Limits limits{0, most, flag == 1};
    limits.min = in_.u32();
    if (limits.has_max) limits.max = in_.u32();
    return limits;
}

TableType Decoder::table_type() {
    TableType result;
    result.element = reference_type();
    result.limits = limits(0xffff'ffff);
    return result;
}

Limits Decoder::memory_type() {
    return limits(most_pages);
}

GlobalType Decoder::global_type() {
    GlobalType result;
    result.type = value_type();
    const std::uint32_t at = in_.at();
    const Byte mutability = in_.byte();
    if (mutability > 1) in_.fail_at(at, "malformed mutability");
    result.is_mutable = mutability == 1;
    return result;
}

ConstantExpression Decoder::constant_expression() {
    ConstantExpression result;
    result.offset = in_.at();
    using Kind = ConstantExpression::Kind;
    switch (const Byte opcode = in_.byte()) {
    case 0x41:
        result.value = static_cast<std::uint32_t>(in_.s32());
        break;
    case 0x42:
        result.type = ValueType::i64;
        result.value = static_cast<std::uint64_t>(in_.s64());
        break;
    case 0x43:
        result.type = ValueType::f32;
        result.value = in_.fixed32();
        break;
    case 0x44:
        result.type = ValueType::f64;
        result.value = in_.fixed64();
        break;
    case 0x23:
        result.kind = Kind::global_get;
        result.index = in_.u32();
        break;
    case 0xd0:
        result.kind = Kind::ref_null;
        result.type = reference_type();
        break;
    case 0xd2:
        result.kind = Kind::ref_func;
        result.index = in_.u32();
        break;
    case 0x0b:
        result.kind = Kind::empty;
        return result;
    default:
        // Any other instruction makes the expression invalid, not malformed: its end is found where
        // it can be.
        result.kind = Kind::not_constant;
        if (opcode > 0xd2 && opcode != 0xfc) in_.fail_at(result.offset, "illegal opcode");
        break;
    }
    if (in_.peek() == 0x0b) {
        in_.byte();
        return result;
    }
    // More than one instruction: also invalid. The terminator is searched among the simple
    // instructions.
    result.kind = Kind::not_constant;
    result.arithmetic = true;
    while (!in_.failed()) {
        switch (in_.byte()) {
        case 0x0b:
            return result;
        case 0x20:
        case 0x23:
        case 0x10:
        case 0xd2:
            in_.u32();
            break;
        case 0x41:
            in_.s32();
            break;
        case 0x42:
            in_.s64();
            break;
        case 0x43:
            in_.fixed32();
            break;
        case 0x44:
            in_.fixed64();
            break;
        case 0xd0:
            reference_type();
            break;
        case 0x6a: // i32 and i64: add, sub, mul
        case 0x6b:
        case 0x6c:
        case 0x7c:
        case 0x7d:
        case 0x7e:
            break;
        default:
            result.arithmetic = false;
            break;
        }
    }
    return result;
}

ConstantExpression Decoder::function_item() {
    ConstantExpression item;
    item.kind = ConstantExpression::Kind::ref_func;
    item.type = ValueType::funcref;
    item.offset = in_.at();
    item.index = in_.u32();
    return item;
}

void Decoder::types() {
    const std::uint32_t items = in_.count(3);
    for (std::uint32_t i = 0; i < items && !in_.failed(); ++i) {
        const std::uint32_t at = in_.at();
        if (in_.byte() != 0x60) in_.fail_at(at, "malformed function type");
        FunctionType result;
        for (std::vector<ValueType>* list : {&result.parameters, &result.results}) {
            const std::uint32_t values = in_.count(1);
            for (std::uint32_t k = 0; k < values && !in_.failed(); ++k)
                list->push_back(value_type());
        }
        module_.types.push_back(std::move(result));
    }
}

void Decoder::imports() {
    const std::uint32_t items = in_.count(4);
    for (std::uint32_t i = 0; i < items && !in_.failed(); ++i) {
        Import result;
        result.offset = in_.at();
        result.module = in_.name();
        result.name = in_.name();
        const std::uint32_t at = in_.at();
        switch (in_.byte()) {
        case 0:
            result.type = in_.u32();
            module_.functions.push_back(result.type);
            ++module_.imported_functions;
            break;
        case 1:
            result.kind = ExternalKind::table;
            result.table = table_type();
            module_.tables.push_back(result.table);
            ++module_.imported_tables;
            break;
        case 2:
            result.kind = ExternalKind::memory;
            result.memory = memory_type();
            module_.memories.push_back(result.memory);
            ++module_.imported_memories;
            break;
        case 3:
            result.kind = ExternalKind::global;
            result.global = global_type();
            module_.global_types.push_back(result.global);
            ++module_.imported_globals;
            break;
        default:
            in_.fail_at(at, "malformed import kind");
            break;
        }
        module_.imports.push_back(std::move(result));
    }
}

void Decoder::functions() {
    const std::uint32_t items = in_.count(1);
    for (std::uint32_t i = 0; i < items && !in_.failed(); ++i) declared_.push_back(in_.u32());
    module_.functions.insert(module_.functions.end(), declared_.begin(), declared_.end());
}

void Decoder::globals() {
    const std::uint32_t items = in_.count(3);
    for (std::uint32_t i = 0; i < items && !in_.failed(); ++i) {
        Global result;
        result.type = global_type();
        result.start = constant_expression();
        module_.global_types.push_back(result.type);
        module_.globals.push_back(result);
    }
}

void Decoder::exports() {
    const std::uint32_t items = in_.count(3);
    for (std::uint32_t i = 0; i < items && !in_.failed(); ++i) {
        Export result;
        result.name = in_.name();
        const std::uint32_t at = in_.at();
        const Byte kind = in_.byte();
        if (kind > 3) in_.fail_at(at, "malformed export kind");
        result.kind = static_cast<ExternalKind>(kind & 3);
        result.index = in_.u32();
        module_.exports.push_back(std::move(result));
    }
}

void Decoder::element_segment() {
    ElementSegment result;
    result.offset = in_.at();
    const std::uint32_t flags = in_.u32();
    if (flags > 7) in_.fail_at(result.offset, "malformed elements segment kind");
    const bool passive = (flags & 1) != 0, explicit_index = (flags & 2) != 0,
               expressions = (flags & 4) != 0;
    if (passive) {
        result.mode =
            explicit_index ? ElementSegment::Mode::declared : ElementSegment::Mode::passive;
    } else {
        if (explicit_index) result.table = in_.u32();
        result.place = constant_expression();
    }
    if (passive || explicit_index) {
        const std::uint32_t at = in_.at();
        if (expressions) {
            result.type = reference_type();
        } else if (in_.byte() != 0) {
            in_.fail_at(at, "malformed element kind");
        }
    }
    const std::uint32_t items = in_.count(1);
    for (std::uint32_t k = 0; k < items && !in_.failed(); ++k)
        result.items.push_back(expressions ? constant_expression() : function_item());
    module_.elements.push_back(std::move(result));
}

void Decoder::elements() {
    const std::uint32_t items = in_.count(1);
    for (std::uint32_t i = 0; i < items && !in_.failed(); ++i) element_segment();
}

void Decoder::bodies() {
    const std::uint32_t items = in_.count(2);
    if (items != declared_.size()) in_.fail("function and code section have inconsistent lengths");
    for (std::uint32_t i = 0; i < items && !in_.failed(); ++i) {
        const std::uint32_t size = in_.u32();
        if (size > in_.left()) {
            in_.fail("unexpected end");
            return;
        }
        Body body;
        body.end = in_.at() + size;
        const std::uint32_t runs = in_.count(2);
        std::uint64_t locals = 0;
        for (std::uint32_t k = 0; k < runs && !in_.failed(); ++k) {
            LocalRun run;
            run.count = in_.u32();
            run.type = value_type();
            locals += run.count;
            if (locals > 0xffff'ffff) in_.fail("too many locals");
            if (run.count > 0) body.locals.push_back(run);
        }
        body.begin = in_.at();
        if (!in_.failed() && body.begin > body.end) in_.fail("unexpected end");
        if (in_.failed()) return;
        in_.skip_to(body.end);
        module_.bodies.push_back(std::move(body));
    }
}

void Decoder::data_segments() {
    const std::uint32_t items = in_.count(2);
    for (std::uint32_t i = 0; i < items && !in_.failed(); ++i) {
        DataSegment result;
        result.offset = in_.at();
        const std::uint32_t flags = in_.u32();
        if (flags > 2) in_.fail_at(result.offset, "malformed data segment kind");
        result.active = flags != 1;
        if (flags == 2) result.memory = in_.u32();
        if (result.active) result.place = constant_expression();
        result.size = in_.u32();
        result.begin = in_.at();
        in_.take(result.size);
        module_.data.push_back(result);
    }
}

void Decoder::function_names(std::uint32_t end) {
    // A name section is optional: an invalid one is ignored, never an error.
    BinaryReader in(*module_.bytes, in_.at(), end);
    std::vector<std::string> found(module_.functions.size());
    const std::uint32_t items = in.count(2);
    for (std::uint32_t i = 0; i < items; ++i) {
        const std::uint32_t index = in.u32();
        std::string text = in.name();
        if (in.failed() || index >= found.size()) return;
        found[index] = std::move(text);
    }
    module_.function_names = std::move(found);
}

void Decoder::names(std::uint32_t end) {
    while (in_.at() < end) {
        BinaryReader head(*module_.bytes, in_.at(), end);
        const Byte id = head.byte();
        const std::uint32_t size = head.u32();
        if (head.failed() || size > head.left()) return;
        in_.skip_to(head.at());
        if (id == 1) function_names(head.at() + size);
        in_.skip_to(head.at() + size);
    }
}

void Decoder::section(Byte id, std::uint32_t end) {
    switch (id) {
    case type:
        types();
        break;
    case import:
        imports();
        break;
    case function:
        functions();
        break;
    case table:
        for (std::uint32_t i = in_.count(3); i > 0 && !in_.failed(); --i)
            module_.tables.push_back(table_type());
        break;
    case memory:
        for (std::uint32_t i = in_.count(2); i > 0 && !in_.failed(); --i)
            module_.memories.push_back(memory_type());
        break;
    case global:
        globals();
        break;
    case export_:
        exports();
        break;
    case start:
        module_.start = in_.u32();
        break;
    case element:
        elements();
        break;
    case code:
        bodies();
        break;
    case data:
        data_segments();
        break;
    case data_count:
        module_.data_count = in_.u32();
        break;
    default:
        break;
    }
    if (!in_.failed() && in_.at() != end) in_.fail("section size mismatch");
}

std::variant<Module, ModuleError> Decoder::run() {
    constexpr std::array<Byte, 4> magic{0, 'a', 's', 'm'}, version{1, 0, 0, 0};
    const auto is = [](ByteView found, const std::array<Byte, 4>& wanted) {
        return std::equal(found.begin(), found.end(), wanted.begin(), wanted.end());
    };
    const ByteView found_magic = in_.take(4);
    if (!in_.failed() && !is(found_magic, magic)) in_.fail_at(0, "magic header not detected");
    const ByteView found_version = in_.take(4);
    if (!in_.failed() && !is(found_version, version)) in_.fail_at(4, "unknown binary version");

    int last = 0;
    const std::uint32_t whole = in_.end();
    while (!in_.failed() && !in_.done()) {
        const std::uint32_t at = in_.at();
        const Byte id = in_.byte();
        if (id > data_count) in_.fail_at(at, "malformed section id");
        const std::uint32_t size = in_.u32();
        if (in_.failed()) break;
        if (size > in_.left()) {
            in_.fail("unexpected end");
            break;
        }
        const std::uint32_t end = in_.at() + size;
        BinaryReader outer = in_;
        in_ = BinaryReader(*module_.bytes, outer.at(), end);
        if (id == custom) {
            const std::string title = in_.name();
            if (!in_.failed() && title == "name") names(end);
        } else {
            if (rank_of(id) <= last) in_.fail_at(at, "unexpected content after last section");
            last = rank_of(id);
            if (!in_.failed()) section(id, end);
        }
        if (in_.failed()) break;
        in_ = BinaryReader(*module_.bytes, end, whole);
    }
    if (!in_.failed() && module_.bodies.size() != declared_.size())
        in_.fail("function and code section have inconsistent lengths");
    if (!in_.failed() && module_.data_count.value_or(static_cast<std::uint32_t>(
                             module_.data.size())) != module_.data.size())
        in_.fail("data count and data section have inconsistent lengths");
    if (in_.failed()) return in_.error();
    return std::move(module_);
}

} // namespace

std::variant<Module, ModuleError> decode(std::shared_ptr<const Bytes> bytes) {
    if (bytes->size() > 0x7fff'ffff)
        return ModuleError{Refusal::malformed, 0, "module is larger than 2 GiB"};
    return Decoder(std::move(bytes)).run();
}

Result<std::shared_ptr<const Module>> load_module(Bytes bytes, const std::string& place) {
    auto decoded = decode(std::make_shared<const Bytes>(std::move(bytes)));
    std::optional<ModuleError> error;
    if (const auto* refused = std::get_if<ModuleError>(&decoded))
        error = *refused;
    else
        error = validate(std::get<Module>(decoded));
    if (error)
        return Error{error->unclaimed ? ErrorCode::unavailable : ErrorCode::bad_input,
                     fmt::format("{}: offset {}: {} module: {}", place, error->offset,
                                 error->unclaimed                       ? "unsupported"
                                 : error->refusal == Refusal::malformed ? "malformed"
                                                                        : "invalid",
                                 error->rule)};
    return std::make_shared<const Module>(std::move(std::get<Module>(decoded)));
}

} // namespace blockloom::wasm
