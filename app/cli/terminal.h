// Terminal output: progress on standard error, tables and documents on standard output.
#pragma once

#include "base/clock.h"
#include "base/progress.h"
#include "base/utf8.h"
#include "base/work_pace.h"
#include "standard_streams.h"

#include <mutex>
#include <string>
#include <vector>

namespace blockloom::cli {

/// One line that is drawn over itself while standard error is a terminal and `quiet` is off: what
/// is running, and where its size is known a bar, the share, the rate and the time left. Silent
/// otherwise.
class TerminalProgress final : public ProgressSink {
public:
    explicit TerminalProgress(bool quiet);
    ~TerminalProgress() override;
    TerminalProgress(const TerminalProgress&) = delete;
    TerminalProgress& operator=(const TerminalProgress&) = delete;

    void report(const Progress& progress) override;
    /// Clears the line, so that other text can follow.
    void clear();

private:
    bool shown_ = false, enabled_ = false;
    Nanoseconds last_ = 0;
    std::string phase_;
    WorkPace pace_;
    std::mutex guard_;
};

/// The line of TerminalProgress, at most `columns` characters long: "[██████░░░░░░] 48 %  Replaying
/// blocks · repetition 5 of 10 · 131 of 270 · 24.1/s · 5.77 s left".
[[nodiscard]] std::string progress_line(const Progress& progress, const WorkPace::Estimate& pace,
                                        std::size_t columns);

/// An aligned table. The first column is left-aligned, the others are right-aligned unless their
/// header begins with '<'.
class Table {
public:
    explicit Table(std::vector<std::string> header);
    void add(std::vector<std::string> row);
    /// A line under the rows so far; totals follow.
    void rule();
    [[nodiscard]] std::string text() const;

private:
    std::vector<std::string> header_;
    std::vector<bool> left_;
    std::vector<std::vector<std::string>> rows_; ///< an empty row is a rule
};

/// The beginning and end of a long text with an ellipsis between them.
[[nodiscard]] std::string shortened(const std::string& text, std::size_t first, std::size_t last);

} // namespace blockloom::cli
