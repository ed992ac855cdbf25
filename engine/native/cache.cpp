#include "native/cache.h"

#include "base/contain.h"
#include "native/closing_threads.h"
#include "native/kept_code.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <list>
#include <map>
#include <mutex>
#include <sys/resource.h>
#include <thread>

namespace blockloom::native {

/// Two threads: a module that is needed never waits for another one to be optimised.
struct Cache::Books {
    struct Entry {
        Answer answer;
        std::shared_ptr<const wasm::Program> program; ///< while there is something left to compile
        std::list<Hash256>::iterator place;           ///< in `order`
        std::size_t awaited = 0;                      ///< who waits for it keeps it here
        std::size_t asked = 0;                        ///< how often it was asked for
    };

    std::size_t most = 0;
    mutable std::mutex mutex;
    std::condition_variable_any changed;
    std::map<Hash256, Entry> entries;
    std::list<Hash256> order; ///< asked for last: first
    // What is asked for most often is the next.
    std::list<Hash256> queue; ///< to be loaded or compiled quickly
    std::list<Hash256> later; ///< to be optimised
    std::stop_source closing;
    std::atomic<unsigned> running = 0;    ///< threads
    std::jthread quick_worker, optimiser; ///< each begun by its first module

    static Entry& ask(const std::shared_ptr<Books>& self, const Hash256& id,
                      const std::shared_ptr<const wasm::Program>& program);
    static void close(const std::shared_ptr<Books>& self);
    void forget_beyond();
    /// Removes and returns the most asked entry of a queue that is not empty, of equals the first;
    /// allocates nothing.
    [[nodiscard]] std::list<Hash256> take_next(std::list<Hash256>& line) noexcept;

private:
    using Step = void (*)(const std::shared_ptr<Books>&, std::unique_lock<std::mutex>&);
    /// A thread that shares ownership of the books and takes one step for each entry of a queue.
    [[nodiscard]] static std::jthread start(const std::shared_ptr<Books>& self,
                                            std::list<Hash256> Books::*line, int least_nice,
                                            Step step);
    // These hold the lock except while they compile. They allocate nothing outside the compiler, so
    // that every waiting caller gets an answer.
    static void compile_quickly(const std::shared_ptr<Books>& self,
                                std::unique_lock<std::mutex>& lock);
    static void optimise_next(const std::shared_ptr<Books>& self,
                              std::unique_lock<std::mutex>& lock);
    static void optimise_later(const std::shared_ptr<Books>& self, Entry& entry,
                               std::list<Hash256>& id);
};

namespace {

using Compiled = Result<std::shared_ptr<const NativeCode>>;

/// Optimising uses the processor time that workers leave.
constexpr int background_nice = 5;

/// Of this thread and of those that it starts.
void be_at_least_as_nice(int least) noexcept {
    const int now = ::getpriority(PRIO_PROCESS, 0);
    if (now < least) (void)::setpriority(PRIO_PROCESS, 0, least);
}

/// A module that an earlier start has optimised needs no quick code.
Compiled load_or_compile(const std::shared_ptr<const wasm::Program>& program,
                         const std::stop_token& stop) {
    return contain("native compiler", [&]() -> Compiled {
        if (auto kept = load_kept_code(program, Tier::optimised)) return kept;
        return compile(program, stop, Tier::quick);
    });
}

} // namespace

std::jthread Cache::Books::start(const std::shared_ptr<Books>& self,
                                 std::list<Hash256> Books::*line, int least_nice, Step step) {
    auto work = [self, line, least_nice, step] {
        be_at_least_as_nice(least_nice);
        {
            Books& books = *self;
            std::unique_lock lock(books.mutex);
            const std::stop_token stop = books.closing.get_token();
            while (books.changed.wait(lock, stop, [&] { return !(books.*line).empty(); }))
                step(self, lock);
        }
        --self->running;
    };
    ++self->running;
    try {
        return start_thread(std::move(work));
    } catch (...) {
        --self->running;
        throw;
    }
}

Cache::Books::Entry& Cache::Books::ask(const std::shared_ptr<Books>& self, const Hash256& id,
                                       const std::shared_ptr<const wasm::Program>& program) {
    Books& books = *self;
    auto found = books.entries.find(id);
    if (found == books.entries.end()) {
        if (!books.quick_worker.joinable())
            books.quick_worker = start(self, &Books::queue, 0, compile_quickly);
        // All of it or, where memory runs out, nothing.
        std::list<Hash256> place{id}, waiting{id};
        found = books.entries.try_emplace(id).first;
        found->second.place = place.begin();
        found->second.program = program;
        books.order.splice(books.order.begin(), place);
        books.queue.splice(books.queue.end(), waiting);
        books.changed.notify_all();
    } else {
        books.order.splice(books.order.begin(), books.order, found->second.place);
    }
    Entry& entry = found->second;
    ++entry.asked;
    ++entry.awaited; // not this one
    books.forget_beyond();
    --entry.awaited;
    return entry;
}

std::list<Hash256> Cache::Books::take_next(std::list<Hash256>& line) noexcept {
    const auto next = std::ranges::max_element(
        line, {}, [this](const Hash256& id) { return entries.find(id)->second.asked; });
    std::list<Hash256> taken;
    taken.splice(taken.begin(), line, next);
    return taken;
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

void Cache::Books::compile_quickly(const std::shared_ptr<Books>& self,
                                   std::unique_lock<std::mutex>& lock) {
    Books& books = *self;
    std::list<Hash256> taken = books.take_next(books.queue);
    const Hash256 id = taken.front();
    std::shared_ptr<const wasm::Program> program = books.entries.at(id).program;
    lock.unlock();
    auto compiled = load_or_compile(program, books.closing.get_token());
    program.reset();
    lock.lock();
    // It may have been dropped, or dropped and requested again, and then been optimised.
    const auto found = books.entries.find(id);
    if (found == books.entries.end()) return;
    Entry& entry = found->second;
    books.queue.remove(id);
    if (compiled) {
        if (entry.answer.code == nullptr || (*compiled)->tier() == Tier::optimised)
            entry.answer = {State::ready, *std::move(compiled), {}};
    } else if (entry.answer.code == nullptr) {
        entry.answer.state = State::failed;
        entry.answer.why.code = compiled.error().code;
        (void)contain("native compiler", [&]() -> Status {
            entry.answer.why.message = compiled.error().message;
            return {};
        });
    }
    if (entry.answer.code == nullptr || entry.answer.code->tier() == Tier::optimised)
        entry.program.reset(); // nothing is left to do
    else if (entry.program)
        optimise_later(self, entry, taken);
    books.changed.notify_all();
}

void Cache::Books::optimise_later(const std::shared_ptr<Books>& self, Entry& entry,
                                  std::list<Hash256>& id) {
    const Status started = contain("native compiler", [&]() -> Status {
        if (!self->optimiser.joinable() && !self->closing.stop_requested())
            self->optimiser = start(self, &Books::later, background_nice, optimise_next);
        return {};
    });
    if (started)
        self->later.splice(self->later.end(), id);
    else
        entry.program.reset(); // no more threads: the quick code stays
}

void Cache::Books::optimise_next(const std::shared_ptr<Books>& self,
                                 std::unique_lock<std::mutex>& lock) {
    Books& books = *self;
    const std::list<Hash256> taken = books.take_next(books.later);
    const Hash256 id = taken.front();
    std::shared_ptr<const wasm::Program> program = books.entries.at(id).program;
    lock.unlock();
    auto compiled = contain("native compiler", [&] {
        return compile(program, books.closing.get_token(), Tier::optimised);
    });
    program.reset();
    lock.lock();
    const auto found = books.entries.find(id);
    if (found == books.entries.end()) return;
    Entry& entry = found->second;
    if (compiled) {
        entry.answer = {State::ready, *std::move(compiled), {}};
        books.queue.remove(id);
    }
    if (entry.answer.code != nullptr) { // else it was asked for again and waits for quick code
        books.later.remove(id);
        entry.program.reset(); // also where optimising failed: the quick code stays
    }
    books.changed.notify_all();
}

void Cache::Books::close(const std::shared_ptr<Books>& self) {
    self->closing.request_stop();
    std::array<std::jthread, 2> threads;
    {
        const std::lock_guard lock(self->mutex);
        self->queue.clear();
        self->later.clear();
        // Callers that still wait must not wait for ever.
        for (auto& [id, entry] : self->entries) {
            entry.program.reset();
            if (entry.answer.state == State::waiting) {
                entry.answer.state = State::failed;
                entry.answer.why.code = ErrorCode::cancelled;
                entry.answer.why.message = "cancelled"; // short: allocates nothing
            }
        }
        self->order.remove_if([&](const Hash256& id) {
            const auto found = self->entries.find(id);
            if (found->second.awaited > 0) return false;
            self->entries.erase(found);
            return true;
        });
        self->changed.notify_all();
        threads = {std::move(self->quick_worker), std::move(self->optimiser)};
    }
    if (threads[0].joinable())
        close_threads(std::move(threads),
                      std::shared_ptr<const std::atomic<unsigned>>(self, &self->running));
}

Cache::Cache(std::size_t most_modules) : books_(std::make_shared<Books>()) {
    books_->most = most_modules;
}

Cache::~Cache() {
    Books::close(books_);
}

Cache::Answer Cache::find(const Hash256& id, const std::shared_ptr<const wasm::Program>& program) {
    const std::lock_guard lock(books_->mutex);
    return Books::ask(books_, id, program).answer;
}

Cache::Answer Cache::wait(const Hash256& id, const std::shared_ptr<const wasm::Program>& program,
                          Tier tier, const std::stop_token& stop) {
    std::unique_lock lock(books_->mutex);
    Books::Entry& entry = Books::ask(books_, id, program);
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

} // namespace blockloom::native
