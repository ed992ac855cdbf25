// The texts and rows with which the Inspector and the reports show a task (describe_task.h). No
// number is computed outside the engine.
#pragma once

#include "range/range.h"

#include <string>
#include <vector>

namespace blockloom::range {

/// The meaning of a value; it is also stated in words, never by colour alone.
enum class Tone : std::uint8_t { plain, ok, warning };

/// Longer lists end with a sentence that counts the rest.
inline constexpr std::size_t most_detail_rows = 200;

/// A labelled value. `mono`: a hash, a key or bytes. `task`: the value names this task and links to
/// it.
struct DetailRow {
    std::string label, value;
    bool mono = false;
    std::optional<conflict::TaskId> task{};
    std::optional<conflict::KeyId> key{};
    Tone tone = Tone::plain;
};

struct DetailSection {
    std::string title, note; ///< note: the caption at the right of the title
    std::vector<DetailRow> rows{};
    std::string sentence{}; ///< below the rows; may be empty
    std::string command{};  ///< the label of an action that the user interface offers here
};

/// A title ("Transaction #1,009", "Message #12"), the hash, and sections.
struct TaskDetails {
    std::string title, hash;
    std::vector<DetailSection> sections;
};

} // namespace blockloom::range
