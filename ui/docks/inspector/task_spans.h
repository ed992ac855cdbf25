// When and on which lane the compared runs executed a task, from their spans.
#pragma once

#include "runs/placement.h"

#include <QObject>

#include <array>
#include <memory>
#include <optional>
#include <string>

namespace blockloom::ui {

class BackgroundWork;
class Runs;

/// Lives on the GUI thread; reads and searches spans off it.
class TaskSpans : public QObject {
    Q_OBJECT

public:
    explicit TaskSpans(Runs* runs, QObject* parent = nullptr);
    ~TaskSpans() override;

    /// A task of the block with this hash; of run A, then of run B.
    struct Wanted {
        std::string hash;
        std::uint64_t height = 0, task = 0;
        struct Run {
            std::string id; ///< empty: none, or it does not have the task
            runs::Placement placement;
            bool operator==(const Run& other) const noexcept { return id == other.id; }
        };
        std::array<Run, 2> runs;
        bool operator==(const Wanted&) const = default;
    };
    /// Begins to look, unless that is what was looked for last.
    void look(const Wanted& wanted);
    /// Of side 0 or 1; absent: not found, or not yet.
    [[nodiscard]] const std::optional<runs::TaskSpan>& found(std::size_t side) const {
        return found_[side];
    }

Q_SIGNALS:
    void changed(); ///< something was found

private:
    using Trace = std::shared_ptr<const profile::Trace>;
    struct Read {
        std::string id;
        Trace trace;
    };

    Runs* runs_;
    BackgroundWork* work_;
    Wanted wanted_;
    std::array<std::optional<runs::TaskSpan>, 2> found_;
    std::array<Read, 2> read_; ///< for the next task of the same runs
};

} // namespace blockloom::ui
