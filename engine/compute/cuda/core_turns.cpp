// Turns, and what waits for an idle device: turn.h.
#include "compute/cuda/core.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <thread>

namespace blockloom::compute::cuda {

namespace {

constexpr std::chrono::microseconds look_again{100};

} // namespace

void Turn::end() noexcept {
    if (core_ == nullptr) return;
    Core& core = *std::exchange(core_, nullptr);
    const std::lock_guard lock(core.mutex);
    if (is_shared_)
        --core.turns_shared;
    else
        core.turn_is_taken = false;
    if (core.turns_shared == 0) core.turn_is_over.notify_all();
}

Patience::Patience(Core& core) : core_(core), ended_(core.progress().ended), since_(now_ns()) {}

bool Patience::left() {
    const Core::Progress now = core_.progress();
    if (now.hangs) return false;
    if (std::exchange(ended_, now.ended) != now.ended) since_ = now_ns();
    return core_.time_limit == 0 || now_ns() - since_ < core_.time_limit;
}

Core::Progress Core::progress() {
    std::vector<std::shared_ptr<CommandList>> ended; // released without the lock
    const Current current(*this);
    const std::lock_guard lock(mutex);
    Progress now;
    for (LaneState& lane : lanes) {
        for (auto& list : look(lane)) ended.push_back(std::move(list));
        now.ended += lane.reached;
        now.is_idle = now.is_idle && lane.pending.empty();
        now.hangs = now.hangs || lane.reached < lane.overdue;
    }
    return now;
}

bool Core::hangs(std::optional<Lane> only) {
    const auto is_overdue = [&] {
        const std::lock_guard lock(mutex);
        return std::ranges::any_of(lanes, [&](const LaneState& each) {
            return each.reached < each.overdue && (!only || &each == &lane(*only));
        });
    };
    if (!is_overdue()) return false;
    (void)progress();
    return is_overdue();
}

void Core::give_up(Ticket ticket) {
    const std::lock_guard lock(mutex);
    lane(ticket.lane).overdue = std::max(lane(ticket.lane).overdue, ticket.value);
}

Error Core::overdue() const {
    return {timed_out, time_limit == 0
                           ? "CUDA: a submission did not finish in time"
                           : fmt::format("CUDA: a submission did not finish within {} ms",
                                         time_limit / 1'000'000)};
}

Result<Turn> Core::take_turn(bool is_shared) {
    std::unique_lock lock(mutex);
    // Those who want it alone come first: the others take it again and again.
    const auto is_free = [&] {
        return !turn_is_taken && (is_shared ? turns_wanted == 0 : turns_shared == 0);
    };
    if (!is_free()) {
        if (!is_shared) ++turns_wanted;
        lock.unlock();
        Patience patience(*this);
        lock.lock();
        Status waited;
        while (waited && !turn_is_over.wait_for(lock, look_again, is_free)) {
            lock.unlock();
            waited = alive();
            if (waited && !patience.left()) waited = overdue();
            lock.lock();
        }
        if (!is_shared && --turns_wanted == 0 && !waited) turn_is_over.notify_all();
        if (!waited) return waited.error();
    }
    if (is_shared)
        ++turns_shared;
    else
        turn_is_taken = true;
    return Turn(*this, is_shared);
}

Result<Turn> Core::take_turn_when_idle() {
    auto turn = take_turn();
    if (!turn) return turn;
    if (Status idle = await_idle(); !idle) return idle.error();
    return turn;
}

Status Core::await_idle() {
    for (Patience patience(*this); !progress().is_idle; std::this_thread::sleep_for(look_again)) {
        if (Status fine = alive(); !fine) return fine;
        if (!patience.left()) return overdue();
    }
    return {};
}

void Core::discard(Module module) noexcept {
    {
        const std::lock_guard lock(mutex);
        discarded.push_back(module);
    }
    tidy_if_idle();
}

void Core::tidy_if_idle() noexcept {
    {
        const std::lock_guard lock(mutex);
        if (turn_is_taken || turns_shared != 0) return; // the next one will do it
        if (discarded.empty() && surplus.empty()) return;
        turn_is_taken = true;
    }
    const Turn turn(*this, false);
    tidy();
}

void Core::tidy() noexcept {
    {
        const std::lock_guard lock(mutex);
        if (discarded.empty() && surplus.empty()) return;
    }
    if (!progress().is_idle) return;
    std::vector<Module> modules;
    std::vector<Block> blocks;
    {
        const std::lock_guard lock(mutex);
        modules.swap(discarded);
        blocks.swap(surplus);
    }
    const Current current(*this);
    for (Module module : modules) driver->module_unload(module);
    free(blocks);
}

} // namespace blockloom::compute::cuda
