#include "native/cache.h"

#include "base/contain.h"
#include "base/sha256.h"

#include <condition_variable>
#include <list>
#include <map>
#include <mutex>
#include <thread>

namespace blockloom::native {

struct Cache::Books {
    struct Entry {
        Answer answer;
        std::shared_ptr<const wasm::Program> program; ///< while it waits
        std::list<Hash256>::iterator place;           ///< in `order`
        std::size_t awaited = 0;                      ///< who waits for it keeps it here
    };

    std::size_t most = 0;
    mutable std::mutex mutex;
    std::condition_variable_any changed;
    std::map<Hash256, Entry> entries;
    std::list<Hash256> order; ///< asked for last: first
    std::list<Hash256> queue; ///< to be compiled quickly: first come, first served
    std::list<Hash256> later; ///< to be optimised, when nothing waits for quick code
    std::jthread worker;      ///< begun by the first module; last: it uses all of the above

    Entry& ask(const Hash256& id, const std::shared_ptr<const wasm::Program>& program);
    void forget_beyond();
    void compile_next(std::unique_lock<std::mutex>& lock, const std::stop_token& stop);
    void work(const std::stop_token& stop);
};

Cache::Books::Entry& Cache::Books::ask(const Hash256& id,
                                       const std::shared_ptr<const wasm::Program>& program) {
    auto found = entries.find(id);
    if (found == entries.end()) {
        if (!worker.joinable())
            worker = start_thread([this](const std::stop_token& stop) { work(stop); });
        // All of it or, where memory runs out, nothing.
        std::list<Hash256> place{id}, waiting{id};
        found = entries.try_emplace(id).first;
        found->second.place = place.begin();
        found->second.program = program;
        order.splice(order.begin(), place);
        queue.splice(queue.end(), waiting);
        changed.notify_all();
    } else {
        order.splice(order.begin(), order, found->second.place);
    }
    Entry& entry = found->second;
    ++entry.awaited; // not this one
    forget_beyond();
    --entry.awaited;
    return entry;
}

void Cache::Books::forget_beyond() {
    for (auto at = order.end(); entries.size() > most && at != order.begin();) {
        --at;
        const auto found = entries.find(*at);
        if (found->second.awaited > 0) continue;
        queue.remove(*at);
        later.remove(*at);
        entries.erase(found);
        at = order.erase(at);
    }
}

/// Holds the lock but while it compiles. Allocates nothing outside the compiler, so that who waits
/// always gets an answer.
void Cache::Books::compile_next(std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
    const Tier tier = queue.empty() ? Tier::optimised : Tier::quick;
    std::list<Hash256>& line = tier == Tier::quick ? queue : later;
    std::list<Hash256> taken;
    taken.splice(taken.begin(), line, line.begin());
    const Hash256 id = taken.front();
    std::shared_ptr<const wasm::Program> program = entries.at(id).program;
    lock.unlock();
    auto compiled = contain("native compiler", [&] { return compile(program, stop, tier); });
    program.reset();
    lock.lock();
    // It may have been forgotten, or forgotten and asked for again.
    const auto found = entries.find(id);
    if (found == entries.end()) return;
    Entry& entry = found->second;
    if (compiled) {
        if (entry.answer.code == nullptr || tier == Tier::optimised)
            entry.answer = {State::ready, *std::move(compiled), {}};
    } else if (entry.answer.code == nullptr) {
        entry.answer.state = State::failed;
        entry.answer.why.code = compiled.error().code;
        (void)contain("native compiler", [&]() -> Status {
            entry.answer.why.message = compiled.error().message;
            return {};
        });
    }
    queue.remove(id);
    if (compiled && tier == Tier::quick) {
        later.splice(later.end(), taken);
    } else {
        later.remove(id);
        entry.program.reset(); // also where optimising failed: the quick code stays
    }
    changed.notify_all();
}

void Cache::Books::work(const std::stop_token& stop) {
    std::unique_lock lock(mutex);
    while (changed.wait(lock, stop, [this] { return !queue.empty() || !later.empty(); }))
        compile_next(lock, stop);
    // Who still waits must not wait for ever.
    for (auto& [id, entry] : entries) {
        entry.program.reset();
        if (entry.answer.state == State::waiting) {
            entry.answer.state = State::failed;
            entry.answer.why.code = ErrorCode::cancelled;
            entry.answer.why.message = "cancelled"; // short: allocates nothing
        }
    }
    changed.notify_all();
}

Cache::Cache(std::size_t most_modules) : books_(std::make_unique<Books>()) {
    books_->most = most_modules;
}

Cache::~Cache() = default;

Cache::Answer Cache::find(const Hash256& id, const std::shared_ptr<const wasm::Program>& program) {
    const std::lock_guard lock(books_->mutex);
    return books_->ask(id, program).answer;
}

Cache::Answer Cache::wait(const Hash256& id, const std::shared_ptr<const wasm::Program>& program,
                          Tier tier, const std::stop_token& stop) {
    std::unique_lock lock(books_->mutex);
    Books::Entry& entry = books_->ask(id, program);
    ++entry.awaited;
    (void)books_->changed.wait(lock, stop, [&] {
        if (entry.answer.code == nullptr) return entry.answer.state != State::waiting;
        // No program: nobody works on it any more.
        return tier == Tier::quick || entry.answer.code->tier() == tier || !entry.program;
    });
    --entry.awaited;
    return entry.answer;
}

std::size_t Cache::modules() const {
    const std::lock_guard lock(books_->mutex);
    return books_->entries.size();
}

Hash256 module_id(const wasm::Program& program) {
    if (program.fuel == wasm::FuelRule::counted) return Sha256().once({*program.module->bytes});
    static constexpr Byte exact[] = {'e', 'x', 'a', 'c', 't'}; // other costs are in its code
    return Sha256().once({*program.module->bytes, exact});
}

} // namespace blockloom::native
