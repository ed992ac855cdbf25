#include "simt/lane_answers.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace blockloom::simt {

using gpuvm::HostRule;
using native::Exit;

namespace {

/// As shaders/gpuvm_host.glsl has them.
constexpr std::uint32_t most_key_bytes = 256, most_text_bytes = 1024, length_bytes = 4;

} // namespace

LaneAnswers::LaneAnswers(const CompiledProgram& program, const native::LanePlan& plan,
                         const KnownValues& values, const gpuvm::Invocation& invocation,
                         const std::vector<TapeEntry>& tape, std::uint64_t held_back,
                         std::uint32_t read_log, LaneRecord& record)
    : program_(program), plan_(plan), values_(values), invocation_(invocation), tape_(tape),
      held_back_(held_back), read_log_(read_log), record_(record), use_values_(invocation.values) {
    record_.reads.clear();
    record_.fuel_read = false;
    record_.least_left = invocation.fuel;
    record_.played = 0;
    record_.pending.reset();
}

Exit LaneAnswers::answer(std::span<Byte> frame, std::uint64_t& fuel, std::uint32_t function,
                         wasm::Cell* cells, std::uint32_t pc) {
    const LaneMemory memory(plan_, frame);
    Exit exit = Exit::none;
    if (by_rule(program_.rule(function), memory, fuel, cells, exit) || exit != Exit::none)
        return exit;
    if (record_.played < tape_.size()) return by_tape(memory, fuel, function, cells);
    PendingCall& pending = record_.pending.emplace();
    pending.import = function;
    pending.pc = pc;
    const wasm::ProgramFunction& called = program_.program().functions[function];
    pending.arguments.assign(cells, cells + called.parameters);
    pending.fuel_left = fuel + held_back_;
    return Exit::host;
}

std::optional<ByteView> LaneAnswers::text_at(const LaneMemory& memory, std::uint32_t pointer,
                                             std::uint32_t most, Exit& exit) {
    const std::uint64_t size = memory.size();
    if (pointer < length_bytes || pointer > size) return std::nullopt;
    std::array<Byte, length_bytes> word{};
    if (!memory.get(pointer - length_bytes, word)) {
        exit = Exit::window;
        return std::nullopt;
    }
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, word.data(), sizeof bytes);
    if (std::uint64_t{pointer} + bytes > size || bytes > most) return std::nullopt;
    if (!memory.get(pointer, std::span(text_).first(bytes))) {
        exit = Exit::window;
        return std::nullopt;
    }
    return ByteView(text_).first(bytes);
}

std::optional<LaneAnswers::Found> LaneAnswers::look(const HostRule& rule, const LaneMemory& memory,
                                                    const wasm::Cell* cells, std::uint64_t left,
                                                    Exit& exit) {
    using Kind = HostRule::Kind;
    const auto first = static_cast<std::uint32_t>(cells[0]);
    Found found;
    found.to = first;
    switch (rule.kind) {
    case Kind::yield:
        return std::nullopt;
    case Kind::constant:
        found.answer = rule.value;
        return found;
    case Kind::blob_length:
    case Kind::blob_copy:
        found.bytes = values_.bytes(invocation_.blobs[rule.slot]);
        found.answer = found.counted = found.bytes.size();
        found.copies = rule.kind == Kind::blob_copy;
        return found;
    case Kind::value_length:
    case Kind::value_copy: {
        if (values_.empty() || !use_values_ || record_.reads.size() >= read_log_)
            return std::nullopt;
        const auto key = text_at(memory, first, most_key_bytes, exit);
        if (!key) return std::nullopt;
        found.value = values_.find(invocation_.owner, *key);
        if (found.value == nullptr) return std::nullopt;
        found.bytes = values_.bytes(found.value->value);
        found.counted = key->size() + found.bytes.size();
        found.answer = found.bytes.size();
        found.copies = rule.kind == Kind::value_copy;
        if (found.copies) found.to = static_cast<std::uint32_t>(cells[1]);
        return found;
    }
    case Kind::fuel:
        std::memcpy(fuel_bytes_.data(), &left, sizeof left);
        found.bytes = fuel_bytes_;
        found.copies = true;
        return found;
    case Kind::given_copy:
        if (given_ == nullptr) return std::nullopt;
        found.bytes = as_bytes(*given_);
        found.counted = found.bytes.size();
        found.copies = true;
        return found;
    case Kind::text: {
        const auto text = text_at(memory, first, most_text_bytes, exit);
        if (!text || std::ranges::any_of(*text, [](Byte byte) { return byte >= 0x80; }))
            return std::nullopt;
        return found;
    }
    }
    return std::nullopt;
}

bool LaneAnswers::by_rule(const HostRule& rule, const LaneMemory& memory, std::uint64_t& fuel,
                          wasm::Cell* cells, Exit& exit) {
    const std::uint64_t left = fuel + held_back_;
    auto found = look(rule, memory, cells, left, exit);
    if (!found) return false;
    const std::uint64_t place = std::uint64_t{found->to} - length_bytes;
    if (found->copies) {
        found->answer = rule.answers_pointer ? found->to : 0;
        if (found->to < length_bytes ||
            std::uint64_t{found->to} + found->bytes.size() > memory.size())
            return false;
    }
    const std::uint64_t fee = rule.fee + std::uint64_t{rule.fee_per_byte} * found->counted;
    if (fee > left) return false;
    if (rule.deducts && fee > fuel) { // what is held back is not there
        exit = Exit::fuel;
        return false;
    }
    if (found->copies) {
        if (!memory.has(place, length_bytes + found->bytes.size())) {
            exit = Exit::window;
            return false;
        }
        const auto length = static_cast<std::uint32_t>(found->bytes.size());
        std::array<Byte, length_bytes> word{};
        std::memcpy(word.data(), &length, sizeof length);
        memory.put(place, word);
        memory.put(found->to, found->bytes);
    }
    record_.least_left = std::min(record_.least_left, left - fee);
    if (found->value != nullptr) record_.reads.push_back(found->value->id);
    if (rule.kind == HostRule::Kind::fuel) record_.fuel_read = true;
    if (rule.deducts) {
        fuel -= fee;
        memory.charge(fee);
    }
    cells[0] = found->answer;
    return true;
}

Exit LaneAnswers::by_tape(const LaneMemory& memory, std::uint64_t& fuel, std::uint32_t function,
                          wasm::Cell* cells) {
    const TapeEntry& entry = tape_[record_.played++];
    // A run repeats itself up to here: its answers are the same.
    assert(entry.import == function &&
           std::equal(entry.arguments.begin(), entry.arguments.end(), cells));
    (void)function;
    if (entry.pages != 0) memory.set_size(std::uint64_t{entry.pages} << 16);
    for (std::size_t i = 0; i < entry.page_numbers.size(); ++i) {
        const std::uint64_t address = std::uint64_t{entry.page_numbers[i]} * gpuvm::small_page;
        if (!memory.has(address, gpuvm::small_page)) return Exit::window;
        memory.put(address,
                   ByteView(entry.page_bytes).subspan(i * gpuvm::small_page, gpuvm::small_page));
    }
    if (!entry.values) use_values_ = false;
    if (entry.bytes) given_ = &*entry.bytes;
    if (entry.fee > fuel) return Exit::fuel;
    fuel -= entry.fee;
    memory.charge(entry.fee);
    std::copy(entry.results.begin(), entry.results.end(), cells);
    return Exit::none;
}

} // namespace blockloom::simt
