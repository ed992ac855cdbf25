// blockloom-cli alkanes decode: runestones, protostones, messages and envelopes of one block.
#include "alkanes.h"

#include "base/number_text.h"
#include "chain/block_source.h"
#include "rule_options.h"
#include "terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace blockloom::cli {

namespace {

struct AlkanesDecodeOptions {
    std::string block;
    std::uint64_t height = 0;
    CLI::Option* height_given = nullptr;
    std::size_t rows = 20;
    RuleOptions rules;
    bool json = false;
};

/// The only block of a source, or the one at the requested height.
Result<chain::BlockRef> choose(const AlkanesDecodeOptions& options,
                               const chain::SourceListing& listing) {
    const bool by_height = options.height_given->count() != 0;
    std::vector<const chain::BlockRef*> fitting;
    for (const chain::BlockRef& ref : listing.blocks)
        if (!by_height || ref.height == options.height) fitting.push_back(&ref);
    if (fitting.size() == 1) return *fitting.front();
    if (listing.blocks.empty() && !listing.malformed.empty())
        return listing.malformed.front().error;
    if (listing.blocks.empty())
        return Error{
            ErrorCode::bad_input,
            options.block + ": expected a block, found none" +
                (listing.notes.empty() ? std::string() : ": " + listing.notes.front().reason)};
    if (fitting.empty())
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected a block of height {}, found {}", options.block,
                                 options.height,
                                 counted(listing.blocks.size(), "block of another height",
                                         "blocks of other heights"))};
    return Error{ErrorCode::wrong_usage,
                 fmt::format("alkanes decode: expected one block, found {} in {}{}", fitting.size(),
                             options.block,
                             by_height ? " of that height" : " (--height chooses one)")};
}

Result<int> decode(const AlkanesDecodeOptions& options, const Context& context) {
    const std::array<std::filesystem::path, 1> paths{options.block};
    TerminalProgress progress(context.quiet);
    const auto listing = chain::list_blocks(paths, progress, context.stop);
    progress.clear();
    if (!listing) return listing.error();
    const auto ref = choose(options, *listing);
    if (!ref) return ref.error();
    auto block = chain::load_block(*ref);
    if (!block) return block.error();
    // The container may know the height when the block does not.
    if (!block->height) block->height = ref->height;
    const alkanes::BlockMessages messages = alkanes::decode_messages(
        *block, alkanes::rules_at(alkanes::Network::mainnet, block->height.value_or(0),
                                  options.rules.line())
                    .rune_pointer_anywhere);
    print(options.json ? decoded_json(*block, messages, options.rules.line())
                       : decoded_text(*block, messages, options.rows) +
                             fmt::format("\nDecoded by the {}\n",
                                         execute::RunRules{name_of(options.rules.line()),
                                                           followed_by(options.rules.line()),
                                                           {},
                                                           {},
                                                           {}}
                                             .text()));
    return 0;
}

} // namespace

Result<Bytes> look_into(const alkanes::Envelope& envelope, std::size_t& budget) {
    const bool gzip =
        envelope.payload.size() >= 2 && envelope.payload[0] == 0x1f && envelope.payload[1] == 0x8b;
    if (!gzip) return Error{ErrorCode::bad_input, "envelope: not gzip"};
    if (budget == 0)
        return Error{ErrorCode::bad_input,
                     fmt::format("envelope: not inflated, because the ones before inflate to {}",
                                 size_text(most_looked_at))};
    const std::size_t most = std::min(budget, alkanes::most_inflated);
    auto content = alkanes::inflate_code(envelope.payload, "envelope", most);
    // An envelope that does not inflate has used at most its share.
    budget -= content ? content->size() : most;
    return content;
}

Command add_alkanes_decode(CLI::App& group) {
    auto options = std::make_shared<AlkanesDecodeOptions>();
    CLI::App* command = group.add_subcommand(
        "decode", "Show the runestones, protostones, messages and envelopes of a block");
    command
        ->add_option("BLOCK", options->block,
                     "File or folder with the block: raw, hex, u32 height followed by the block, "
                     "or blk*.dat")
        ->required()
        ->type_name("");
    options->height_given =
        command
            ->add_option("--height", options->height, "Height of the block, if there are several")
            ->default_str("");
    options->rules.add_line_to(*command);
    command->add_option("--rows", options->rows, "Maximum number of messages listed in the table");
    command->add_flag("--json", options->json, "One JSON document on standard output");
    command->footer("Example: blockloom-cli alkanes decode 892614.bin --json\n"
                    "Integers in the JSON have all their digits: amounts and inputs have up to 128 "
                    "bits.");
    return {command, [options](const Context& context) { return decode(*options, context); }};
}

} // namespace blockloom::cli
