#include "execute/scripted_window.h"

#include "base/progress.h"
#include "execute/first_difference.h"
#include "execute/layered_state.h"
#include "execute/replayer.h"
#include "recipes/recipe.h"
#include "recipes/recipe_blocks.h"

#include <QtGlobal>

#include <optional>

namespace scripted {
namespace {

/// Scripts pass over errors of the state; this one does not forget them.
class Remembering final : public state::StateView {
public:
    explicit Remembering(const state::StateView& below) : below_(below) {}

    [[nodiscard]] Result<state::Value> get(const state::KeyView& key) const override {
        auto value = below_.get(key);
        if (!value && !failed_) failed_ = value.error();
        return value;
    }
    [[nodiscard]] const std::optional<Error>& failed() const noexcept { return failed_; }

private:
    const state::StateView& below_;
    mutable std::optional<Error> failed_;
};

} // namespace

Result<execute::Attempted> ScriptExecutor::run_one(const execute::Attempt& attempt,
                                                   const alkanes::TransactionOptions& options) {
    if (before_each) before_each();
    if (options.stop.stop_requested()) return cancelled_error();
    const Remembering view(*attempt.view);
    state::Overlay overlay(view);
    alkanes::TransactionResult result;
    result.transaction = attempt.transaction;
    result.fuel.assumed_budget = attempt.budget;
    overlay.begin_task();
    if (script(*attempt.context, attempt.transaction)(overlay, result.fuel)) {
        overlay.drop_writes();
        result.void_reason = "on purpose";
    }
    auto log = overlay.finish();
    if (view.failed()) return *view.failed();
    if (!log) return log.error();
    result.log = *std::move(log);
    result.records.resize(result.log.tasks.size());
    return execute::Attempted{std::move(result),
                              ejects.contains(attempt.transaction) ? "floats" : ""};
}

state::Value number(std::uint64_t value) {
    return value == 0 ? state::Value() : state::Value(u128_bytes(u128{value}));
}

std::uint64_t read(state::Overlay& overlay, const char* key) {
    const auto value = overlay.get(key);
    return value ? static_cast<std::uint64_t>(state::counter_of(*value)) : 0;
}

void write(state::Overlay& overlay, const char* key, std::uint64_t value) {
    overlay.set(key, number(value));
}

Status ScriptExecutor::run(std::span<const execute::Attempt> attempts,
                           const alkanes::TransactionOptions& options,
                           const execute::AttemptDone& done) {
    pool_.each(attempts.size(), 1, [&](unsigned worker, std::size_t i, std::size_t) {
        (void)done(worker, i, run_one(attempts[i], options));
    });
    return {};
}

void ScriptExecutor::run_source(execute::AttemptSource& source,
                                const alkanes::TransactionOptions& options) {
    using Next = execute::AttemptSource::Next;
    pool_.open([&](unsigned worker) {
        Next next;
        for (execute::Attempt attempt; (next = source.next(worker, attempt)) == Next::attempt;)
            source.done(worker, run_one(attempt, options));
        return next == Next::over;
    });
}

Contexts contexts_of(std::uint32_t blocks, std::uint32_t tasks, const char* recipe) {
    recipes::RecipeChanges changes;
    changes.blocks = blocks + 1; // the first one deploys
    changes.tasks = tasks;
    auto made = recipes::make_blocks(recipes::with_changes(*recipes::find_recipe(recipe), changes));
    using Made = std::remove_reference_t<decltype(*made)>;
    const state::MemoryState empty;
    std::vector<alkanes::BlockContext> contexts;
    for (std::size_t i = 1; i < made->size(); ++i) {
        auto block = chain::decode_block(nullptr, (*made)[i], "made");
        if (!block) qFatal("%s", block.error().message.c_str());
        auto context = alkanes::open_block(std::make_shared<const chain::Block>(*std::move(block)),
                                           {alkanes::Network::mainnet, 960'000 + i}, empty);
        if (!context) qFatal("%s", context.error().message.c_str());
        contexts.push_back(*std::move(context));
    }
    alkanes::join_windows(contexts);
    // A context refers to the bytes of its block.
    struct Kept {
        std::shared_ptr<const Made> bytes;
        alkanes::BlockContext context;
    };
    const auto bytes = std::make_shared<const Made>(*std::move(made));
    Contexts shared;
    for (alkanes::BlockContext& context : contexts) {
        const auto kept = std::make_shared<const Kept>(Kept{bytes, std::move(context)});
        shared.emplace_back(kept, &kept->context);
    }
    return shared;
}

std::vector<alkanes::BlockExecution>
serial_run(const Contexts& contexts, const state::StateView& before, ScriptExecutor& executor) {
    std::vector<alkanes::BlockExecution> blocks;
    execute::LayeredState below(&before);
    for (const auto& context : contexts) {
        alkanes::BlockExecution block = alkanes::begin_execution(*context);
        state::BlockState state(below);
        alkanes::FuelTank tank(context->rules, context->messages.vfsize);
        for (std::uint32_t i = 0; i < context->block->transactions.size(); ++i) {
            if (!*alkanes::concerns_alkanes(*context, i, before)) continue;
            const std::uint64_t vfsize = alkanes::vfsize_of(*context, i);
            const std::uint64_t budget = tank.budget_for(vfsize);
            const execute::Attempt attempt{0, context.get(), i, &state, budget};
            (void)executor.run({&attempt, 1}, {}, [&](unsigned, std::size_t, auto ran) {
                if (!ran) qFatal("%s", ran.error().message.c_str());
                tank.settle(vfsize, ran->result.fuel);
                state.apply(ran->result.log.writes);
                alkanes::append(block, std::move(ran->result), budget);
                return true;
            });
        }
        if (!alkanes::finish_execution(block, state)) qFatal("changes");
        below.apply(block.changes);
        blocks.push_back(std::move(block));
    }
    return blocks;
}

std::string difference(const std::vector<alkanes::BlockExecution>& a,
                       const std::vector<alkanes::BlockExecution>& b) {
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
        if (auto text = execute::first_difference(a[i], b[i]); !text.empty()) return text;
    return a.size() == b.size() ? std::string() : "number of blocks";
}

} // namespace scripted
