#include "report/definitions.h"

#include <array>

namespace blockloom::report {
namespace {

constexpr std::array all{
    Definition{"task", "What is counted: a transaction (Bitcoin), a message to a contract "
                       "(Alkanes), or whatever an imported trace calls a task."},
    Definition{"key", "A piece of state that tasks read or write. Bitcoin: an outpoint (txid, "
                      "vout); an output writes it, an input reads and writes it."},
    Definition{
        "accesses",
        "The sum of all reads and all writes; a key that a task reads and writes counts twice."},
    Definition{
        "conflict pairs",
        "Pairs of tasks i < j of a block where j reads what i writes (RAW), j writes what i "
        "reads (WAR) or both write a key (WAW). Pairs are counted, not keys; a pair can have "
        "several kinds."},
    Definition{"model", "single-version: RAW, WAR and WAW order tasks (one shared state). "
                        "multi-version: a task waits "
                        "only for the latest earlier writer of each key that it reads."},
    Definition{"policy", "What is left out or relaxed before conflicts are counted."},
    Definition{"dependency edges",
               "The pairs that order tasks under the model, without those that follow from "
               "others: a task waits for the latest earlier writer of each key that it accesses, "
               "and a writer also for the readers since."},
    Definition{"conflicting tasks",
               "Tasks on at least one dependency edge; the share is conflicting tasks / tasks."},
    Definition{"groups, largest",
               "Connected components of the dependency edges; a task alone is a group of one. "
               "Largest: the tasks of the largest group."},
    Definition{
        "level",
        "1 + the highest level among the tasks it depends on. Tasks of one level can run together; "
        "the number of levels is the length of the longest chain."},
    Definition{"parallel ratio", "Share of tasks that share their level with at least one other."},
    Definition{"work, span", "Work is the sum of all costs; span is the cost of the critical path, "
                             "the costliest chain of dependency edges."},
    Definition{"parallelism", "Work / span: the highest speed-up that any schedule preserving the "
                              "block's order can reach. Predicted."},
    Definition{
        "makespan",
        "Simulated finish time on p equal workers. levels: a barrier after each level. list: each "
        "task starts once its dependencies have finished and a worker is free. optimistic: tasks "
        "start in block order; one that read too early is aborted and re-executed. Predicted."},
    Definition{"predicted speed-up",
               "Work / makespan of a simulated schedule. It is not a measurement."},
    Definition{
        "colours",
        "Classes of a proper colouring of the conflict pairs by the named algorithm. Running "
        "classes in order would reverse the reordered pairs, so it is useful only to someone who "
        "may choose the order."},
    Definition{"gain if relaxed",
               "Parallelism without this key's conflicts / parallelism with them. Predicted."},
    Definition{"phase times",
               "Wall time of the analysis itself on the machine below. Measured once."},
    Definition{
        "checks",
        "Whether the merkle root, and the witness commitment where there is one, match the block's "
        "transactions."},
};

} // namespace

std::span<const Definition> definitions() noexcept {
    return all;
}

} // namespace blockloom::report
