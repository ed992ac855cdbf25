// The options of every command with a SOURCE: what to open and by which rules to analyse it.
#pragma once

#include "command.h"
#include "range/range.h"
#include "rule_options.h"
#include "state_options.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::cli {

/// As given by the user; filled by the parser.
struct SourceOptions {
    range::RangeOptions range;
    std::string model = "single-version", coarsen, touches = "reads", cost = "unit",
                colouring = "dsatur", sets = "true", engine = "native";
    RuleOptions rules;
    StateOptions state;
    std::uint64_t from = 0, to = 0;
    CLI::Option *from_option = nullptr, *to_option = nullptr, *workers_option = nullptr;
    unsigned threads = 0;

    /// Workers of a Gantt chart: the largest of --workers, or 8.
    [[nodiscard]] std::uint32_t chart_workers() const;
};

/// Adds SOURCE… and the options of an analysis to a command. The result lives as long as the
/// parser's callbacks.
[[nodiscard]] std::shared_ptr<SourceOptions> add_source_options(CLI::App& command);

/// Opens and analyses. What is left out is reported on standard error; a cost unit that a block
/// does not carry is an error. `height`: only this block, whatever --from and --to say.
[[nodiscard]] Result<std::shared_ptr<const range::Range>>
open_sources(SourceOptions& options, const Context& context,
             const std::optional<std::uint64_t>& height = {});

/// The block that a user names by height, label, hash or the beginning of a hash; without a name
/// the first block, which is then named on standard error if there are several.
[[nodiscard]] Result<std::shared_ptr<const range::BlockRecord>>
find_block(const range::Range& range, const std::string& name, const Context& context);

} // namespace blockloom::cli
