#include "wasm/generator/module_writer.h"

#include "wasm/generator/module_bytes.h"
#include "wasm/host_functions.h"

namespace blockloom::tests {
namespace {

using wasm::FunctionType;
using wasm::ValueType;

void append(Bytes& to, std::initializer_list<unsigned> bytes) {
    for (const unsigned byte : bytes) to.push_back(static_cast<Byte>(byte));
}

Bytes types_of(const Shape& shape) {
    Bytes section;
    append_unsigned(section, shape.types.size());
    for (const FunctionType& type : shape.types) {
        section.push_back(0x60);
        append_types(section, type.parameters);
        append_types(section, type.results);
    }
    return section;
}

Bytes imports_of(ModulePlan& plan) {
    Bytes section;
    std::size_t count = 0;
    const auto begin = [&](const char* module, const std::string& name, unsigned kind) {
        append_name(section, module), append_name(section, name);
        section.push_back(static_cast<Byte>(kind));
        ++count;
    };
    std::size_t function = 0;
    if (plan.shape.options.linked)
        for (const HostSignature& host : host_signatures()) {
            begin("host", host.name, 0);
            append_unsigned(section, plan.shape.type_index(host.type));
            ++function;
        }
    for (const std::string& name : plan.provided) {
        begin("provider", name, 0);
        append_unsigned(section, plan.shape.type_index(plan.shape.imported[function++]));
    }
    if (plan.imports_table) begin("provider", "t", 1), append(section, {0x70, 0, first_table_size});
    if (plan.imports_memory) begin("provider", "m", 2), append(section, {1, 1, 3});
    if (plan.provider) {
        for (unsigned i = 0; i < globals_of_a_module; ++i) {
            begin("provider", "g" + std::to_string(i), 3);
            append(section, {static_cast<unsigned>(number_types[i]), 1});
        }
        begin("provider", "c", 3), append(section, {0x7f, 0});
    }
    Bytes whole;
    append_unsigned(whole, count);
    append_bytes(whole, section);
    return whole;
}

Bytes globals_section(ModulePlan& plan) {
    Bytes section;
    append_unsigned(section, globals_of_a_module + 1);
    for (const ValueType type : number_types) {
        append(section, {static_cast<unsigned>(type), 1});
        append_constant(section, type, interesting_cell(type, plan.shape.random()));
        section.push_back(0x0b);
    }
    append(section, {0x7f, 0}); // immutable: a copy of the provider's, or a number
    if (plan.provider)
        append(section, {0x23, globals_of_a_module});
    else
        append_constant(section, ValueType::i32, plan.shape.below(100));
    section.push_back(0x0b);
    return section;
}

Bytes exports_of(const ModulePlan& plan) {
    Bytes section;
    append_unsigned(section, function_count + globals_of_a_module + 3);
    const auto item = [&](const std::string& name, unsigned kind, std::size_t index) {
        append_name(section, name);
        section.push_back(static_cast<Byte>(kind));
        append_unsigned(section, index);
    };
    for (std::uint32_t i = 0; i < function_count; ++i)
        item("f" + std::to_string(i), 0, plan.shape.own(i));
    for (std::uint32_t i = 0; i < globals_of_a_module; ++i)
        item("g" + std::to_string(i), 3, plan.shape.first_own_global + i);
    item("c", 3, plan.shape.first_own_global + globals_of_a_module);
    item("t", 1, 0);
    item("m", 2, 0);
    return section;
}

/// Segment 0 fills table 0 with f1 …, 1 is passive and has a null, 2 declares all for ref.func.
Bytes elements_of(const ModulePlan& plan) {
    Bytes section;
    append(section, {3, 0});
    append_constant(section, ValueType::i32, 0);
    append(section, {0x0b, function_count - 1});
    for (std::uint32_t i = 1; i < function_count; ++i) append_unsigned(section, plan.shape.own(i));
    append(section, {5, 0x70, function_count});
    for (std::uint32_t i = 1; i < function_count; ++i) {
        section.push_back(0xd2);
        append_unsigned(section, plan.shape.own(i));
        section.push_back(0x0b);
    }
    append(section, {0xd0, 0x70, 0x0b});
    append(section, {3, 0, function_count});
    for (std::uint32_t i = 0; i < function_count; ++i) append_unsigned(section, plan.shape.own(i));
    return section;
}

Bytes data_of(ModulePlan& plan) {
    Bytes section;
    append_unsigned(section, 1 + passive_data);
    append(section, {0});
    append_constant(section, ValueType::i32, plan.misplaced ? 0xffff'fff0 : 0);
    append(section, {0x0b, 64});
    for (int i = 0; i < 64; ++i) section.push_back(static_cast<Byte>(plan.shape.random()));
    for (std::uint32_t segment = 0; segment < passive_data; ++segment) {
        append(section, {1, passive_data_size});
        for (std::uint32_t i = 0; i < passive_data_size; ++i)
            section.push_back(static_cast<Byte>(plan.shape.random()));
    }
    return section;
}

Bytes code_of(const ModulePlan& plan) {
    Bytes section;
    append_unsigned(section, plan.bodies.size());
    for (const Bytes& body : plan.bodies) {
        append_unsigned(section, body.size());
        append_bytes(section, body);
    }
    return section;
}

Bytes functions_of(ModulePlan& plan) {
    Bytes section;
    append_unsigned(section, plan.bodies.size());
    for (std::uint32_t i = 0; i < function_count; ++i) append_unsigned(section, i);
    if (plan.has_start) append_unsigned(section, plan.shape.type_index({}));
    return section;
}

} // namespace

Bytes write_module(ModulePlan& plan) {
    // These may still meet new types.
    const Bytes imports = imports_of(plan), functions = functions_of(plan);
    Bytes tables{static_cast<Byte>(plan.shape.tables - (plan.imports_table ? 1 : 0))};
    if (!plan.imports_table) append(tables, {0x70, 1, first_table_size, first_table_size + 6});
    if (plan.shape.tables > 1) append(tables, {0x70, 0, second_table_size});
    Bytes start, data_count;
    append_unsigned(start, plan.shape.own(function_count));
    append_unsigned(data_count, 1 + passive_data);

    Bytes module{0, 'a', 's', 'm', 1, 0, 0, 0};
    append_section(module, 1, types_of(plan.shape));
    append_section(module, 2, imports);
    append_section(module, 3, functions);
    append_section(module, 4, tables);
    append_section(module, 5, plan.imports_memory ? Bytes{0} : Bytes{1, 1, 1, 3});
    append_section(module, 6, globals_section(plan));
    append_section(module, 7, exports_of(plan));
    if (plan.has_start) append_section(module, 8, start);
    append_section(module, 9, elements_of(plan));
    append_section(module, 12, data_count);
    append_section(module, 10, code_of(plan));
    append_section(module, 11, data_of(plan));
    return module;
}

} // namespace blockloom::tests
