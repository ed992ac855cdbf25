#include "terminal.h"

#include "base/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace blockloom::cli {
namespace {

constexpr Nanoseconds redraw_every = 50'000'000;

/// Columns of the terminal of standard error; 80 if unknown.
std::size_t terminal_columns() {
    winsize size{};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

} // namespace

TerminalProgress::TerminalProgress(bool quiet) : enabled_(!quiet && ::isatty(STDERR_FILENO) != 0) {}

TerminalProgress::~TerminalProgress() {
    clear();
}

void TerminalProgress::report(const Progress& progress) {
    if (!enabled_) return;
    const std::lock_guard lock(guard_);
    const Nanoseconds now = now_ns();
    const WorkPace::Estimate pace = pace_.follow(progress, now);
    const bool last = progress.total != 0 && progress.done == progress.total;
    if (shown_ && !last && progress.phase == phase_ && now - last_ < redraw_every) return;
    last_ = now;
    phase_ = progress.phase;
    shown_ = true;
    // The last column stays free: some terminals wrap as soon as it is filled.
    print_error("\r\033[2K" + progress_line(progress, pace, terminal_columns() - 1));
}

void TerminalProgress::clear() {
    const std::lock_guard lock(guard_);
    if (!shown_) return;
    print_error("\r\033[2K");
    shown_ = false;
}

std::string progress_line(const Progress& progress, const WorkPace::Estimate& pace,
                          std::size_t columns) {
    constexpr std::uint64_t cells = 24;
    std::string line;
    if (progress.total != 0) {
        const std::uint64_t done = std::min(progress.done, progress.total);
        const double share = static_cast<double>(done) / static_cast<double>(progress.total);
        const auto filled = static_cast<std::uint64_t>(share * cells);
        line += '[';
        for (std::uint64_t i = 0; i < cells; ++i) line += i < filled ? "█" : "░";
        line += fmt::format("] {} %  ", static_cast<unsigned>(100 * share));
    }
    line += printable(progress.phase);
    if (progress.total != 0)
        line += fmt::format(" · {} of {}", count_text(progress.done), count_text(progress.total));
    else if (progress.done != 0)
        line += " · " + count_text(progress.done);
    if (pace.per_second) line += fmt::format(" · {}/s", three_digits(*pace.per_second));
    if (pace.left) line += fmt::format(" · {} left", time_text(*pace.left));
    if (utf8_length(line) <= columns) return line;
    // Characters, not bytes.
    std::size_t characters = 0, end = 0;
    for (; end < line.size(); ++end)
        if ((static_cast<unsigned char>(line[end]) & 0xc0U) != 0x80U && characters++ + 1 >= columns)
            break;
    return line.substr(0, end) + "…";
}

Table::Table(std::vector<std::string> header) : header_(std::move(header)) {
    for (std::string& name : header_) {
        left_.push_back(name.starts_with('<') || left_.empty());
        if (name.starts_with('<')) name.erase(0, 1);
    }
}

void Table::add(std::vector<std::string> row) {
    row.resize(header_.size());
    rows_.push_back(std::move(row));
}

void Table::rule() {
    rows_.emplace_back();
}

std::string Table::text() const {
    std::vector<std::size_t> width;
    for (const std::string& name : header_) width.push_back(utf8_length(name));
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i)
            width[i] = std::max(width[i], utf8_length(row[i]));

    std::string out;
    const auto line = [&](const std::vector<std::string>& cells) {
        std::string text;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::string gap(width[i] - utf8_length(cells[i]), ' ');
            text += (i == 0 ? "" : "  ") + (left_[i] ? cells[i] + gap : gap + cells[i]);
        }
        text.erase(text.find_last_not_of(' ') + 1);
        out += text + "\n";
    };
    std::size_t whole = 2 * (header_.size() - 1);
    for (const std::size_t column : width) whole += column;
    const auto rule = [&] {
        for (std::size_t i = 0; i < whole; ++i) out += "─";
        out += "\n";
    };
    line(header_);
    rule();
    for (const auto& row : rows_) {
        if (row.empty())
            rule();
        else
            line(row);
    }
    return out;
}

std::string shortened(const std::string& text, std::size_t first, std::size_t last) {
    if (text.size() <= first + last + 1) return text;
    return text.substr(0, first) + "…" + text.substr(text.size() - last);
}

} // namespace blockloom::cli
