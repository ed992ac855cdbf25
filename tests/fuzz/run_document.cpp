// Reader of run documents: any bytes give a run or an error, and what is made of a run (figures, a
// comparison with itself) holds whatever the document says.
#include "runs/run_comparison.h"
#include "runs/run_file.h"
#include "runs/run_notes.h"

#include <cstdlib>

using namespace blockloom;

namespace {

/// A property that must hold whatever the input.
void require(bool holds) {
    if (!holds) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto separated = runs::without_spans(text, "fuzz");
    if (!separated) require(separated.error().message.starts_with("fuzz"));
    const auto run = runs::read_run(separated ? separated->document : text, "fuzz");
    if (!run) {
        require(run.error().message.starts_with("fuzz"));
        return 0;
    }
    require(runs::is_run_id(run->id) && run->blocks.size() <= size);
    const runs::RunNotes notes{"a note", "\x1b\"", 4};
    const auto noted = runs::with_notes(separated ? separated->document : text, notes, "fuzz");
    require(noted.ok());
    const auto again = runs::read_run(*noted, "again");
    require(again.ok() && again->notes == notes && again->blocks.size() == run->blocks.size());
    std::uint64_t tasks = 0;
    for (const runs::KeptBlock& block : run->blocks) {
        require(block.tasks <= run->tasks - tasks);
        tasks += block.tasks;
    }
    require(tasks == run->tasks);
    const auto breakdown = runs::breakdown_of(*run, &*run);
    require(breakdown.total == run->phases.sum());
    (void)runs::baseline_of(*run, {&*run, 1});
    const auto compared = runs::compare_runs(*run, *run);
    require(compared.digests != runs::Equality::unequal);
    require(compared.blocks.size() == (compared.refusal.empty() ? run->blocks.size() : 0));
    require(!runs::verdict_text(compared).empty());
    require(runs::gate(compared, 0.05).outcome != runs::Gate::Outcome::slower);
    return 0;
}
