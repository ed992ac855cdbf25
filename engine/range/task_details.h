// One task in words and rows: what the Inspector and the reports show. No number is computed
// outside the engine.
#pragma once

#include "range/range.h"

#include <string>
#include <vector>

namespace blockloom::range {

/// How a value is meant; said in words too, never by colour alone.
enum class Tone : std::uint8_t { plain, ok, warning };

/// A labelled value. `mono`: a hash, a key or bytes. `task`: the value names this task and leads to
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
    std::string command{};  ///< what can be done here, in words; the face does it
};

/// Title ("Transaction #1,009", "Message #12"), hash, and sections: level and group, decoded bytes,
/// reads and writes, waits for, waited for by; of a message of an executed block what it asked for
/// and did (message_rows.h). `schedule` (may be null) adds when it would run and why it waited.
struct TaskDetails {
    std::string title, hash;
    std::vector<DetailSection> sections;
};

[[nodiscard]] TaskDetails describe_task(const BlockRecord& record, conflict::TaskId task,
                                        const schedule::Schedule* schedule = nullptr);

} // namespace blockloom::range
