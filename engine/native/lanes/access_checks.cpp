#include "native/lanes/access_checks.h"

#include <algorithm>

namespace blockloom::native {

using wasm::Format;
using wasm::Instruction;
using wasm::Opcode;

namespace {

/// Bytes that one test may be for. Windows are not smaller than a page, so what is near lies in
/// one.
constexpr std::int64_t nearness = 1 << 12;
/// Instructions that are looked at ahead, and registers whose facts are passed on: they keep a walk
/// linear.
constexpr std::uint32_t far_ahead = 256;
constexpr std::size_t most_noted = 48;

/// Both alignments as one; nothing: the address cannot have both.
std::optional<std::pair<std::uint32_t, std::uint32_t>>
both(const NearBytes& a, std::uint32_t alignment, std::uint32_t phase) {
    const std::uint32_t less = std::min(a.alignment, alignment);
    if ((a.phase - phase) % less != 0) return std::nullopt;
    return a.alignment >= alignment ? std::pair(a.alignment, a.phase) : std::pair(alignment, phase);
}

/// All of both, in one window; nothing: they cannot be tested together.
std::optional<NearBytes> joined(const NearBytes& a, const NearBytes& b) {
    const std::int64_t low = std::min(a.low, b.low), high = std::max(a.high, b.high);
    const auto aligned = both(a, b.alignment, b.phase);
    if ((a.windows & b.windows) == 0 || high - low > nearness || !aligned) return std::nullopt;
    return NearBytes{a.windows & b.windows, low, high, aligned->first, aligned->second};
}

/// What makes an access at that offset aligned.
std::uint32_t phase_of(std::int64_t offset, std::uint32_t claimed) {
    return static_cast<std::uint32_t>(offset) % claimed;
}

/// Whether the next instruction follows in the same block.
bool goes_on(const Instruction& i) {
    const Format format = format_of(static_cast<Opcode>(i.op));
    return goes_straight_on(i) || format == Format::call || format == Format::call_indirect;
}

} // namespace

std::uint32_t claimed_alignment(const wasm::Program& program, std::uint32_t pc) {
    const auto made = access_of(program.code[pc]);
    const ByteView bytes = *program.module->bytes;
    const std::size_t at = program.offset[pc];
    // Opcode, then the logarithm of the alignment in one byte of LEB128: it is 3 at most.
    if (!made || at + 1 >= bytes.size() || bytes[at] < 0x28 || bytes[at] > 0x3e ||
        bytes[at + 1] > 3)
        return 1;
    return std::min(made->bytes, 1u << bytes[at + 1]);
}

bool NearBytes::covers(std::int64_t offset, std::int64_t bytes, std::uint32_t claimed) const {
    return windows != 0 && low <= offset && offset + bytes <= high && alignment >= claimed &&
           (static_cast<std::uint32_t>(offset) - phase) % claimed == 0;
}

std::optional<NearBytes> NearBytes::from(std::int64_t distance) const {
    if (windows == 0 || (distance != 0 && (distance < low || distance >= high)))
        return std::nullopt;
    return NearBytes{windows, low - distance, high - distance, alignment,
                     (phase - static_cast<std::uint32_t>(distance)) % alignment};
}

void AccessChecks::find_frames() {
    std::unordered_map<std::uint32_t, std::uint32_t> writes;
    for (std::uint32_t pc = about_.entry; pc < about_.end; ++pc) {
        const Instruction& i = program_.code[pc];
        const Format format = format_of(static_cast<Opcode>(i.op));
        const wasm::Module& module = *program_.module;
        if (format == Format::call || format == Format::call_indirect) {
            const auto& type = module.types[format == Format::call ? module.functions[i.x] : i.x];
            for (std::uint32_t r = 0; r < type.results.size(); ++r) ++writes[i.b + r];
        } else if (const auto written = written_by(i)) {
            ++writes[*written];
        }
    }
    std::uint32_t stack = about_.cells; // a register that has a global's value; none
    for (std::uint32_t pc = about_.entry; pc < about_.end; ++pc) {
        const Instruction& i = program_.code[pc];
        const auto written = written_by(i);
        if (graph_.begins(pc)) stack = about_.cells;
        if (written && added_by(i) && i.b == stack && *written >= about_.parameters &&
            writes[*written] == 1)
            frames_.try_emplace(*written);
        if (i.op == static_cast<std::uint16_t>(Opcode::global_get))
            stack = *written;
        else if (written && *written == stack)
            stack = about_.cells;
    }
    for (std::uint32_t pc = about_.entry; pc < about_.end; ++pc) {
        const auto made = access_of(program_.code[pc]);
        if (!made || !plan_.is_live(pc)) continue;
        const auto frame = frames_.find(made->base);
        if (frame == frames_.end()) continue;
        const std::uint32_t claimed = claimed_alignment(program_, pc);
        const NearBytes bytes{plan_.windows_at(pc), made->offset, made->offset + made->bytes,
                              claimed, phase_of(made->offset, claimed)};
        if (frame->second.windows == 0)
            frame->second = bytes;
        else
            frame->second = joined(frame->second, bytes).value_or(frame->second);
    }
    std::erase_if(frames_, [](const auto& frame) { return frame.second.windows == 0; });
}

AccessChecks::AccessChecks(const LanePlan& plan, std::uint32_t function, const ControlGraph& graph)
    : plan_(plan), program_(*plan.program), about_(program_.functions[function]), graph_(graph),
      places_(about_.cells, 0, true) {
    constexpr std::uint32_t most_rounds = 8;
    find_frames();
    do {
        changed_ = false;
        walk();
    } while (changed_ && ++round_ < most_rounds);
    if (!changed_) return;
    // Facts that do not settle are not used.
    passes_on_ = false;
    blocks_.clear();
    walk();
}

AccessCheck AccessChecks::of(std::uint32_t pc) const {
    const auto found = checks_.find(pc);
    return found == checks_.end() ? AccessCheck{} : found->second; // nothing leads there
}

void AccessChecks::meet(Facts& into, const Facts& other) {
    Facts kept;
    auto theirs = other.begin();
    for (const RegisterFact& mine : into) {
        while (theirs != other.end() && theirs->index < mine.index) ++theirs;
        if (theirs == other.end()) break;
        if (theirs->index != mine.index) continue;
        NearBytes met{mine.bytes.windows | theirs->bytes.windows,
                      std::max(mine.bytes.low, theirs->bytes.low),
                      std::min(mine.bytes.high, theirs->bytes.high), 1, 0};
        const std::uint32_t less = std::min(mine.bytes.alignment, theirs->bytes.alignment);
        if ((mine.bytes.phase - theirs->bytes.phase) % less == 0)
            met.alignment = less, met.phase = mine.bytes.phase % less;
        if (met.low < met.high) kept.push_back({mine.index, met});
    }
    into = std::move(kept);
}

void AccessChecks::arrive(std::uint32_t pc, std::uint32_t from) {
    const Facts now = passes_on_ ? facts() : Facts();
    const auto [found, first] = blocks_.try_emplace(pc, now);
    const bool back = pc <= from;
    if (first) {
        changed_ = changed_ || back;
        return;
    }
    Facts& there = found->second;
    if (there.empty()) return;
    Facts met = there;
    meet(met, now);
    if (met == there) return;
    // What shrinks from round to round is not waited for.
    if (round_ >= 2)
        std::erase_if(met, [&there](const RegisterFact& fact) {
            return std::find(there.begin(), there.end(), fact) == there.end();
        });
    there = std::move(met);
    changed_ = changed_ || back;
}

void AccessChecks::begin(const Facts& known) {
    places_.begin({});
    symbols_.clear();
    noted_.clear();
    for (const RegisterFact& fact : known) {
        symbols_[places_.place(fact.index).symbol] = {0, fact.bytes};
        noted_.push_back(fact.index);
    }
}

void AccessChecks::note(std::uint32_t index) {
    if (noted_.size() < most_noted &&
        std::find(noted_.begin(), noted_.end(), index) == noted_.end())
        noted_.push_back(index);
}

std::optional<NearBytes> AccessChecks::known(Place at) const {
    const auto found = symbols_.find(at.symbol);
    if (found == symbols_.end()) return std::nullopt;
    return found->second.bytes.from(static_cast<std::int32_t>(at.offset - found->second.anchor));
}

AccessChecks::Facts AccessChecks::facts() {
    Facts all;
    for (const std::uint32_t index : noted_)
        if (const auto bytes = known(places_.place(index))) all.push_back({index, *bytes});
    std::ranges::sort(all, {}, &RegisterFact::index);
    return all;
}

/// The bytes with those that accesses of the same symbol use in what follows of the block.
NearBytes AccessChecks::with_later(std::uint32_t pc, const Access& made, NearBytes bytes) {
    struct Sum { // of a register's current value and a constant
        std::uint32_t index = 0, added = 0;
    };
    std::unordered_map<std::uint32_t, std::optional<Sum>> later;
    const auto sum_of = [&](std::uint32_t index) {
        const auto found = later.find(index);
        return found == later.end() ? std::optional(Sum{index, 0}) : found->second;
    };
    const Place here = places_.place(made.base);
    const std::uint32_t last = std::min(about_.end, pc + far_ahead);
    for (std::uint32_t at = pc;; ++at) {
        const Instruction& i = program_.code[at];
        if (const auto access = at == pc ? std::nullopt : access_of(i)) {
            const auto sum = sum_of(access->base);
            const Place base = sum ? places_.place(sum->index) : Place{};
            if (sum && base.symbol == here.symbol) {
                const std::int64_t distance =
                    static_cast<std::int32_t>(base.offset + sum->added - here.offset);
                // A sum that could exceed 32 bits must be known not to: it is in the window, too.
                const std::int64_t first = distance + (distance == 0 ? access->offset : 0);
                const std::int64_t begin = distance + access->offset;
                const std::uint32_t claimed = claimed_alignment(program_, at);
                const NearBytes more{plan_.windows_at(at), std::min(begin, first),
                                     std::max(begin + access->bytes, first + 1), claimed,
                                     phase_of(begin, claimed)};
                bytes = joined(bytes, more).value_or(bytes);
            }
        }
        if (at + 1 >= last || graph_.begins(at + 1) || !plan_.is_live(at + 1) || !goes_on(i))
            return bytes;
        switch (format_of(static_cast<Opcode>(i.op))) {
        case Format::call:
        case Format::call_indirect: {
            const bool direct = format_of(static_cast<Opcode>(i.op)) == Format::call;
            const wasm::Module& module = *program_.module;
            const auto& type = module.types[direct ? module.functions[i.x] : i.x];
            for (std::uint32_t r = 0; r < type.results.size(); ++r) later[i.b + r] = std::nullopt;
            break;
        }
        default:
            if (const auto written = written_by(i)) {
                const auto added = added_by(i);
                std::optional<Sum> result;
                if (added || i.op == static_cast<std::uint16_t>(Opcode::mov)) result = sum_of(i.b);
                if (result) result->added += added.value_or(0);
                later[*written] = result;
            }
            break;
        }
    }
}

void AccessChecks::access(std::uint32_t pc, const Access& made) {
    const Place at = places_.place(made.base);
    AccessCheck& check = checks_[pc];
    check = {AccessCheck::Kind::alone, {}, at};
    const LanePlan::WindowSet windows = plan_.windows_at(pc);
    if (at.symbol == AddressFacts::zero || windows == 0 || made.offset + made.bytes > nearness)
        return;
    const std::uint32_t claimed = claimed_alignment(program_, pc);
    const auto there = known(at);
    if (there && there->covers(made.offset, made.bytes, claimed)) {
        check = {AccessCheck::Kind::known, *there, at};
        return;
    }
    NearBytes bytes{windows, made.offset, made.offset + made.bytes, claimed,
                    phase_of(made.offset, claimed)};
    if (there && (there->windows & windows) != 0) {
        if (!both(*there, bytes.alignment, bytes.phase)) return; // it leaves
        bytes = joined(bytes, *there).value_or(bytes);
    }
    if (const auto frame = frames_.find(made.base); frame != frames_.end())
        bytes = joined(bytes, frame->second).value_or(bytes);
    bytes = with_later(pc, made, bytes);
    check = {AccessCheck::Kind::grouped, bytes, at};
    symbols_[at.symbol] = {at.offset, bytes};
    note(made.base);
}

void AccessChecks::walk() {
    begin({});
    bool reachable = plan_.is_live(about_.entry);
    for (std::uint32_t pc = about_.entry; pc < about_.end; ++pc) {
        if (graph_.begins(pc)) {
            // Not from `pc` itself: what is walked next sees the change.
            if (reachable && pc != about_.entry) arrive(pc, pc - 1);
            if (pc == about_.entry) blocks_[pc] = {};
            const auto found = blocks_.find(pc);
            reachable = found != blocks_.end();
            if (reachable) begin(found->second);
        }
        if (!reachable) continue;
        if (!plan_.is_live(pc)) { // its lanes leave
            reachable = false;
            continue;
        }
        const Instruction& i = program_.code[pc];
        if (const auto made = access_of(i)) access(pc, *made);
        places_.step(i, program_);
        if (const auto written = written_by(i);
            written && known(places_.place(*written)).has_value())
            note(*written);
        switch (format_of(static_cast<Opcode>(i.op))) {
        case Format::compare_rr:
        case Format::compare_ri:
        case Format::branch_if:
            arrive(i.x, pc);
            break;
        case Format::branch:
            arrive(i.x, pc);
            reachable = false;
            break;
        case Format::branch_table:
            for (std::uint32_t way = 0; way <= i.y; ++way)
                arrive(program_.branch_targets[i.x + way].pc, pc);
            reachable = false;
            break;
        case Format::return_reg:
        case Format::return_imm:
        case Format::trap:
            reachable = false;
            break;
        default:
            reachable = i.op != static_cast<std::uint16_t>(Opcode::ret);
            break;
        }
    }
}

} // namespace blockloom::native
