// The options of pictures, shared by render and report.
#pragma once

#include "command.h"
#include "report/picture.h"

#include <memory>
#include <string>
#include <utility>

namespace blockloom::cli {

/// As given by the user.
struct PictureChoice {
    std::string view, size = "1280x800", theme = "dark", block, strategy = "list", order = "level",
                      colour = "batch";
    std::uint32_t select = 0;
    std::uint64_t edges = 20'000;
    bool without_legend = false;
    CLI::Option *select_given = nullptr, *size_given = nullptr;
};

/// Adds --view, --size, --theme, --block, --select, --strategy and relatives.
[[nodiscard]] std::shared_ptr<PictureChoice> add_picture_options(CLI::App& command);

/// Width and height in pixels. Fails on a malformed size.
[[nodiscard]] Result<std::pair<int, int>> picture_size(const PictureChoice& choice);

/// The user's choices for one block (`workers`: for --view schedule); without --view, the view that
/// suits the block. Fails on a malformed size.
[[nodiscard]] Result<report::PictureOptions> picture_options(const PictureChoice& choice,
                                                             const range::BlockRecord& record,
                                                             std::uint32_t workers);

} // namespace blockloom::cli
