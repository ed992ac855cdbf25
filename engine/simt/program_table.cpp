#include "simt/program_table.h"

#include "gpuvm/invocation.h"
#include "simt/kernel/layout.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace blockloom::simt {
namespace {

using Kind = gpuvm::HostRule::Kind;
static_assert(static_cast<u32>(Kind::yield) == LANE_RULE_YIELD &&
              static_cast<u32>(Kind::constant) == LANE_RULE_CONSTANT &&
              static_cast<u32>(Kind::blob_length) == LANE_RULE_BLOB_LENGTH &&
              static_cast<u32>(Kind::blob_copy) == LANE_RULE_BLOB_COPY &&
              static_cast<u32>(Kind::value_length) == LANE_RULE_VALUE_LENGTH &&
              static_cast<u32>(Kind::value_copy) == LANE_RULE_VALUE_COPY &&
              static_cast<u32>(Kind::fuel) == LANE_RULE_FUEL &&
              static_cast<u32>(Kind::text) == LANE_RULE_TEXT &&
              static_cast<u32>(Kind::given_copy) == LANE_RULE_GIVEN_COPY &&
              static_cast<u32>(Kind::known_call) == LANE_RULE_KNOWN_CALL &&
              static_cast<u32>(Kind::pair_copy) == LANE_RULE_PAIR_COPY &&
              static_cast<u32>(Kind::single_copy) == LANE_RULE_SINGLE_COPY);
static_assert(LANE_PAGE == gpuvm::small_page && LANE_BLOBS == gpuvm::blob_slots &&
              static_cast<u32>(LANE_NO_BLOB) == gpuvm::no_blob.offset);
static_assert(sizeof(LaneOwn) == sizeof(native::LaneHeader::own));

template <typename Item> u32 append(Bytes& to, const Item* items, std::size_t count) {
    to.resize((to.size() + 7) / 8 * 8);
    const auto at = static_cast<u32>(to.size());
    to.resize(at + count * sizeof(Item));
    if (count != 0) std::memcpy(to.data() + at, items, count * sizeof(Item));
    return at;
}

std::vector<LaneRule> lane_rules(const wasm::Program& program,
                                 std::span<const gpuvm::HostRule> given) {
    const wasm::Module& module = *program.module;
    std::vector<LaneRule> rules(module.imported_functions);
    for (std::size_t i = 0; i < rules.size(); ++i) {
        const wasm::FunctionType& type = module.types[module.functions[i]];
        gpuvm::HostRule rule;
        if (i < given.size() && gpuvm::suits(given[i], type)) rule = given[i];
        LaneRule& to = rules[i];
        to.kind = static_cast<u32>(rule.kind);
        to.value = rule.value;
        to.slot = rule.slot;
        to.fee = rule.fee;
        to.fee_per_byte = rule.fee_per_byte;
        to.deducts = rule.deducts ? 1 : 0;
        to.answers_pointer = rule.answers_pointer ? 1 : 0;
        to.parameters = static_cast<u32>(type.parameters.size());
        to.results = static_cast<u32>(type.results.size());
    }
    return rules;
}

} // namespace

std::uint32_t most_cells(const wasm::Program& program, std::uint32_t function) {
    std::uint32_t most = std::max(1u, program.functions[function].results);
    for (std::uint32_t i = 0; i < program.module->imported_functions; ++i)
        most = std::max(most, program.functions[i].parameters);
    return most;
}

Bytes program_table(const gpuvm::InstanceImage& image, const native::LanePlan& plan,
                    std::span<const gpuvm::HostRule> rules, std::uint32_t function) {
    LaneProgram about{};
    about.memory_bytes = plan.memory_bytes;
    about.frame_bytes = plan.frame_bytes;
    about.globals_at = plan.globals_at;
    Bytes table(sizeof about);
    std::vector<LaneWindow> windows;
    for (const native::Window& window : plan.windows)
        windows.push_back({window.begin, window.bytes, window.at});
    about.windows = append(table, windows.data(), windows.size());
    about.window_count = static_cast<u32>(windows.size());
    const std::vector<LaneRule> all = lane_rules(*image.program, rules);
    about.rules = append(table, all.data(), all.size());
    about.rule_count = static_cast<u32>(all.size());
    about.globals = append(table, image.globals.data(), image.globals.size());
    about.global_count = static_cast<u32>(image.globals.size());
    // What of the image lies in a window.
    std::vector<LaneImagePage> pages;
    Bytes bytes;
    for (std::size_t i = 0; i < image.page_numbers.size(); ++i) {
        const std::uint64_t address = std::uint64_t{image.page_numbers[i]} * LANE_PAGE;
        for (const native::Window& window : plan.windows) {
            if (address < window.begin ||
                address + LANE_PAGE > std::uint64_t{window.begin} + window.bytes)
                continue;
            pages.push_back(
                {image.page_numbers[i], static_cast<u32>(window.at + (address - window.begin))});
            bytes.insert(
                bytes.end(), image.page_bytes.begin() + static_cast<std::ptrdiff_t>(i * LANE_PAGE),
                image.page_bytes.begin() + static_cast<std::ptrdiff_t>((i + 1) * LANE_PAGE));
        }
    }
    about.pages = append(table, pages.data(), pages.size());
    about.page_count = static_cast<u32>(pages.size());
    about.page_bytes = append(table, bytes.data(), bytes.size());
    about.parameters = image.program->functions[function].parameters;
    about.results = image.program->functions[function].results;
    std::memcpy(table.data(), &about, sizeof about);
    return table;
}

} // namespace blockloom::simt
