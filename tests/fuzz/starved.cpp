// Replays on machines that lack something, for as long as one likes: `starved
// [SECONDS [SEED]]` (3600, 1). Every call of the rarer kinds and limits of
// address space in every case, in an order that the seed gives, and drawn
// allocations between them and after them. Prints counts; status 1 where an
// answer is wrong.
#include "base/clock.h"
#include "starved/starved_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>

namespace {

using namespace blockloom;
using namespace blockloom::test;

/// One case, and which calls are still to fail.
struct Work {
    StarvedCase of;
    std::unique_ptr<StarvedBlocks> blocks;
    std::string right;
    std::array<std::uint64_t, std::size(call_kinds)> calls{};
};

struct Turn {
    std::size_t work = 0;
    Lack lack;
};

std::vector<Work> all_work() {
    std::vector<Work> all;
    for (const StarvedCase& each : starved_cases()) {
        Work work{each, std::make_unique<StarvedBlocks>(each), {}, {}};
        const auto folder =
            std::filesystem::temp_directory_path() / fmt::format("blockloom-whole-{}", std::rand());
        const Ended whole = work.blocks->run({}, folder);
        std::filesystem::remove_all(folder);
        if (whole.how != Ended::How::answered) {
            fmt::print(stderr, "{}: {}\n", each.text(), whole.text);
            std::exit(2);
        }
        work.right = whole.text;
        work.calls = whole.calls;
        all.push_back(std::move(work));
    }
    return all;
}

/// Every call of the rare kinds and every limit of address space, in an order
/// that the seed gives.
std::vector<Turn> rare_turns(const std::vector<Work>& all, std::mt19937_64& random) {
    std::vector<Turn> turns;
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (const CallKind kind : call_kinds)
            for (std::uint64_t n = 1;
                 kind != CallKind::memory && n <= all[i].calls[static_cast<std::size_t>(kind)]; ++n)
                turns.push_back({i, {kind, n, random() % 4 == 0, 0}});
        for (std::uint64_t megabytes = 200; megabytes <= 6000; megabytes += 100)
            turns.push_back({i, {CallKind::memory, 0, false, megabytes * 1'000'000}});
    }
    std::shuffle(turns.begin(), turns.end(), random);
    return turns;
}

/// Allocations are too many: one is drawn.
Turn any_allocation(const std::vector<Work>& all, std::mt19937_64& random) {
    const std::size_t work = random() % all.size();
    const std::uint64_t calls = all[work].calls[static_cast<std::size_t>(CallKind::memory)];
    return {work, {CallKind::memory, 1 + random() % calls, random() % 4 == 0, 0}};
}

} // namespace

int main(int count, char** arguments) {
    const std::int64_t seconds = count > 1 ? std::strtoll(arguments[1], nullptr, 10) : 3600;
    std::mt19937_64 random(count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1);
    const std::vector<Work> all = all_work();
    const std::vector<Turn> rare = rare_turns(all, random);
    std::array<std::uint64_t, std::size(call_kinds)> calls{};
    for (const Work& work : all)
        for (std::size_t kind = 0; kind < calls.size(); ++kind) calls[kind] += work.calls[kind];
    fmt::print("{} cases, calls in all:", all.size());
    for (const CallKind kind : call_kinds)
        fmt::print(" {} {}", name_of(kind), calls[static_cast<std::size_t>(kind)]);
    fmt::print("\n");
    const Nanoseconds end = now_ns() + seconds * 1'000'000'000;
    std::map<std::string, StarvedCounts> by_kind;
    // An allocation after each other call, until the time is over.
    for (std::size_t i = 0; now_ns() < end; ++i) {
        const Turn turn =
            i % 2 == 0 && i / 2 < rare.size() ? rare[i / 2] : any_allocation(all, random);
        const Work& work = all[turn.work];
        const char* const kind =
            turn.lack.address_space != 0 ? "address space" : name_of(turn.lack.kind);
        StarvedCounts counts;
        check_starved(*work.blocks, work.of, turn.lack, work.right, counts);
        for (const std::string& wrong : counts.wrong) fmt::print("WRONG {}\n", wrong);
        std::fflush(stdout);
        by_kind[kind].add(counts);
    }
    std::size_t wrong = 0;
    for (const auto& [kind, counts] : by_kind) {
        fmt::print("{:14} {:8} runs {:8} right {:8} errors {:8} ended with status "
                   "3 {:4} wrong\n",
                   kind, counts.runs, counts.answered, counts.failed, counts.gave_up,
                   counts.wrong.size());
        wrong += counts.wrong.size();
    }
    return wrong == 0 ? 0 : 1;
}
