#include "gpuvm/packing.h"

#include "gpuvm/codes.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace blockloom::gpuvm {
namespace {

std::uint32_t low(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);
}
std::uint32_t high(std::uint64_t value) {
    return static_cast<std::uint32_t>(value >> 32);
}

std::uint32_t code_of(HostRule::Kind kind) {
    switch (kind) {
    case HostRule::Kind::yield:
        return GPUVM_RULE_YIELD;
    case HostRule::Kind::constant:
        return GPUVM_RULE_CONSTANT;
    case HostRule::Kind::blob_length:
        return GPUVM_RULE_BLOB_LENGTH;
    case HostRule::Kind::blob_copy:
        return GPUVM_RULE_BLOB_COPY;
    case HostRule::Kind::value_length:
        return GPUVM_RULE_VALUE_LENGTH;
    case HostRule::Kind::value_copy:
        return GPUVM_RULE_VALUE_COPY;
    case HostRule::Kind::fuel:
        return GPUVM_RULE_FUEL;
    case HostRule::Kind::text:
        return GPUVM_RULE_TEXT;
    case HostRule::Kind::pair_copy:
        return GPUVM_RULE_PAIR_COPY;
    case HostRule::Kind::single_copy:
        return GPUVM_RULE_SINGLE_COPY;
    case HostRule::Kind::given_copy:
        return GPUVM_RULE_GIVEN_COPY;
    case HostRule::Kind::known_call:
        return GPUVM_RULE_KNOWN_CALL;
    }
    return GPUVM_RULE_YIELD;
}

} // namespace

std::uint32_t PackedProgram::function_at(std::uint32_t pc) const {
    const auto& functions = image.program->functions;
    const std::uint32_t line = pc - places.code;
    const std::uint32_t at = line < origin.size() ? origin[line] : 0;
    const auto own = functions.begin() + image.program->module->imported_functions;
    const auto after = std::upper_bound(
        own, functions.end(), at, [](std::uint32_t wanted, const wasm::ProgramFunction& each) {
            return wanted < each.entry;
        });
    return static_cast<std::uint32_t>(after - functions.begin()) - (after == own ? 0 : 1);
}

std::uint32_t PackedProgram::offset_at(std::uint32_t pc, bool no_fuel) const {
    const std::uint32_t line = pc - places.code;
    const auto& instructions = no_fuel ? first : origin;
    return line < origin.size() ? image.program->offset[instructions[line]] : 0;
}

ByteView PackedProgram::page(std::span<const std::uint32_t> data, std::uint32_t number) const {
    const auto found =
        std::lower_bound(image.page_numbers.begin(), image.page_numbers.end(), number);
    if (found == image.page_numbers.end() || *found != number) return {};
    const auto index = static_cast<std::size_t>(found - image.page_numbers.begin());
    return {reinterpret_cast<const Byte*>(data.data() + page_words + index * small_page / 4),
            small_page};
}

std::uint32_t Packing::append(std::span<const std::uint32_t> words) {
    const auto at = static_cast<std::uint32_t>(data_.size());
    data_.insert(data_.end(), words.begin(), words.end());
    return at;
}

std::uint32_t Packing::append_bytes(ByteView bytes) {
    const auto at = static_cast<std::uint32_t>(data_.size());
    // One word more: reads at odd addresses look at two.
    data_.resize(at + (bytes.size() + 3) / 4 + 1);
    if (!bytes.empty()) std::memcpy(data_.data() + at, bytes.data(), bytes.size());
    return at;
}

std::uint32_t Packing::append_rules(const InstanceImage& image, std::span<const HostRule> rules) {
    const wasm::Module& module = *image.program->module;
    const auto at = static_cast<std::uint32_t>(data_.size());
    for (std::uint32_t i = 0; i < module.imported_functions; ++i) {
        const wasm::FunctionType& type = module.types[module.functions[i]];
        HostRule rule = i < rules.size() ? rules[i] : HostRule{};
        if (!suits(rule, type)) rule = {};
        std::uint32_t kind = code_of(rule.kind);
        if (rule.deducts) kind |= GPUVM_RULE_DEDUCTS;
        if (type.results.size() == 1) kind |= GPUVM_RULE_ANSWERS;
        if (rule.answers_pointer) kind |= GPUVM_RULE_ANSWERS_POINTER;
        const bool constant = rule.kind == HostRule::Kind::constant;
        const std::uint32_t words[GPUVM_RULE_WORDS] = {
            kind,
            i,
            constant ? low(rule.value) : rule.slot,
            constant ? high(rule.value) : 0,
            low(rule.fee),
            high(rule.fee),
            rule.fee_per_byte,
            static_cast<std::uint32_t>(type.parameters.size())};
        append(words);
    }
    return at;
}

std::uint32_t Packing::append_pages(const InstanceImage& image, std::uint32_t& table_pages,
                                    std::uint32_t& page_words) {
    table_pages = image.page_numbers.empty() ? 0 : image.page_numbers.back() + 1;
    page_words = append_bytes(image.page_bytes);
    std::vector<std::uint32_t> table(table_pages);
    for (std::size_t i = 0; i < image.page_numbers.size(); ++i)
        table[image.page_numbers[i]] =
            page_words + static_cast<std::uint32_t>(i) * (small_page / 4);
    return append(table);
}

std::uint32_t Packing::append_tables(const InstanceImage& image) {
    std::vector<std::uint32_t> heads;
    for (const InstanceImage::Table& table : image.tables) {
        heads.push_back(append(table.cells));
        heads.push_back(static_cast<std::uint32_t>(table.cells.size()));
    }
    return append(heads);
}

std::uint32_t Packing::append_segments(const InstanceImage& image) {
    const wasm::Module& module = *image.program->module;
    std::vector<std::uint32_t> heads;
    for (std::size_t i = 0; i < module.data.size(); ++i) {
        const wasm::DataSegment& segment = module.data[i];
        const bool there = !image.dropped_data[i];
        heads.push_back(
            there ? append_bytes(ByteView(*module.bytes).subspan(segment.begin, segment.size)) : 0);
        heads.push_back(there ? segment.size : 0);
    }
    return append(heads);
}

void Packing::append_code(const wasm::Program& program, const FusedProgram& fused,
                          PackedProgram& packed) {
    const Places& places = packed.places;
    for (const wasm::ProgramFunction& function : program.functions)
        code_.push_back({places.code + fused.moved[function.entry], function.cost, function.cells,
                         function.parameters | function.locals << 16});
    for (const Line& line : fused.lines) {
        code_.push_back(
            encode(line, program, places, fused.moved, static_cast<std::uint32_t>(code_.size())));
        packed.origin.push_back(line.origin);
        packed.first.push_back(line.first);
    }
    // Chains are short, so that the rounds of a slice bound its instructions.
    constexpr std::uint32_t longest = 7;
    std::uint32_t chained = 0;
    for (std::size_t i = 0; i + 1 < fused.lines.size(); ++i) {
        DeviceWord& word = code_[places.code + i];
        const bool chains = (word[0] & GPUVM_OPERATION) < GPUVM_OP_BRANCH &&
                            !fused.arrivals[i + 1] && chained < longest;
        chained = chains ? chained + 1 : 0;
        if (chains) word[0] |= GPUVM_CHAIN;
    }
    code_.push_back({GPUVM_OP_TRAP, 0, 1, 0}); // so that fetching ahead finds something
}

Result<std::uint32_t> Packing::add(InstanceImage image, std::span<const HostRule> rules) {
    const wasm::Program& program = *image.program;
    const std::uint64_t code = code_.size() + program.functions.size() + program.code.size() + 1;
    if (code > most_code)
        return Error{program_full, fmt::format("gpuvm: expected at most {} instructions of all "
                                               "programs, found {}",
                                               most_code, code)};
    PackedProgram packed;
    // The record's place is known first: idle lanes have program 0.
    packed.record = append(std::vector<std::uint32_t>(GPUVM_PROGRAM_WORDS));
    packed.places.headers = static_cast<std::uint32_t>(code_.size());
    packed.places.code =
        packed.places.headers + static_cast<std::uint32_t>(program.functions.size());
    std::vector<std::uint32_t> words;
    const FusedProgram fused = fuse(program);
    for (const wasm::BranchTarget& target : program.branch_targets)
        words.insert(words.end(), {packed.places.code + fused.moved[target.pc], target.cost});
    packed.places.branch_targets = append(words);
    packed.places.rules = append_rules(image, rules);
    words.clear();
    for (const wasm::Cell cell : image.globals) words.insert(words.end(), {low(cell), high(cell)});
    const std::uint32_t globals = append(words);
    words.clear();
    for (const std::uint32_t type : program.module->functions)
        words.push_back(program.canonical_type[type]);
    const std::uint32_t types = append(words);
    std::uint32_t table_pages = 0;
    const std::uint32_t pages = append_pages(image, table_pages, packed.page_words);
    const std::uint32_t tables = append_tables(image);
    const std::uint32_t segments = append_segments(image);
    std::uint32_t* const record = data_.data() + packed.record;
    record[GPUVM_PROGRAM_FUNCTIONS] = packed.places.headers;
    record[GPUVM_PROGRAM_GLOBALS] = globals;
    record[GPUVM_PROGRAM_TYPES] = types;
    record[GPUVM_PROGRAM_TABLES] = tables;
    record[GPUVM_PROGRAM_IMAGE] = pages;
    record[GPUVM_PROGRAM_IMAGE_PAGES] = table_pages;
    record[GPUVM_PROGRAM_MOST_PAGES] = image.most_pages;
    record[GPUVM_PROGRAM_SEGMENTS] = segments;
    record[GPUVM_PROGRAM_DEPTH] = image.call_depth;
    record[GPUVM_PROGRAM_STACK] = image.stack_cells;
    record[GPUVM_PROGRAM_GLOBAL_COUNT] = static_cast<std::uint32_t>(image.globals.size());
    append_code(program, fused, packed);
    packed.image = std::move(image);
    packed.image.page_bytes = {};
    programs_.push_back(std::move(packed));
    return static_cast<std::uint32_t>(programs_.size() - 1);
}

} // namespace blockloom::gpuvm
