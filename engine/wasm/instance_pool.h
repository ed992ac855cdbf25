// Keeps clean instances ready, to save the cost of instantiation for a program that is called many
// times.
#pragma once

#include "wasm/run.h"

#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace blockloom::wasm {

/// Instances of one program with one set of imports. Once there are as many as are in use at a time
/// (nested calls of one contract use several), acquiring and releasing one neither allocates nor
/// makes a system call. Releasing resets the instance (only its own state, not what it imports).
/// Not thread-safe: one pool a thread; the program is shared. The pool must outlive its leases.
class InstancePool {
    struct Entry {
        explicit Entry(std::shared_ptr<Instance> made)
            : instance(std::move(made)), interpreter(*instance) {}
        std::shared_ptr<Instance> instance;
        Interpreter interpreter;
    };

public:
    /// A clean instance until the lease ends.
    class Lease {
    public:
        Lease(Lease&& other) noexcept
            : pool_(std::exchange(other.pool_, nullptr)), entry_(std::move(other.entry_)) {}
        Lease& operator=(Lease&& other) noexcept {
            std::swap(pool_, other.pool_);
            entry_.swap(other.entry_);
            return *this;
        }
        ~Lease() {
            if (entry_) pool_->take_back(std::move(entry_));
        }

        [[nodiscard]] Instance& instance() const noexcept { return *entry_->instance; }
        /// The instance's interpreter, without an invocation.
        [[nodiscard]] Interpreter& interpreter() const noexcept { return entry_->interpreter; }

    private:
        friend class InstancePool;
        Lease(InstancePool& pool, std::unique_ptr<Entry> entry) noexcept
            : pool_(&pool), entry_(std::move(entry)) {}
        InstancePool* pool_;
        std::unique_ptr<Entry> entry_;
    };

    InstancePool(std::shared_ptr<const Program> program, Imports imports,
                 InstanceLimits limits = {});
    InstancePool(const InstancePool&) = delete;
    InstancePool& operator=(const InstancePool&) = delete;

    /// A clean instance. If none is idle, a new one is created, which may fail like instantiate():
    /// a LinkError is the module's fault, an Error this machine's.
    [[nodiscard]] std::variant<Lease, LinkError, Error> acquire();

    [[nodiscard]] const Program& program() const noexcept { return *program_; }
    [[nodiscard]] std::size_t made() const noexcept { return made_; }
    [[nodiscard]] std::size_t idle() const noexcept { return idle_.size(); }

private:
    void take_back(std::unique_ptr<Entry> entry) noexcept;

    std::shared_ptr<const Program> program_;
    Imports imports_;
    InstanceLimits limits_;
    std::size_t made_ = 0;
    std::vector<std::unique_ptr<Entry>>
        idle_; ///< has capacity for all that were created; the last one is the warmest
};

} // namespace blockloom::wasm
