#include "terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace blockloom::cli {
namespace {

constexpr Nanoseconds redraw_every = 50'000'000;

} // namespace

TerminalProgress::TerminalProgress(bool quiet) : enabled_(!quiet && ::isatty(STDERR_FILENO) != 0) {}

TerminalProgress::~TerminalProgress() {
    clear();
}

void TerminalProgress::report(const Progress& progress) {
    if (!enabled_) return;
    const std::lock_guard lock(guard_);
    const Nanoseconds now = now_ns();
    const bool last = progress.total != 0 && progress.done == progress.total;
    if (shown_ && !last && progress.phase == phase_ && now - last_ < redraw_every) return;
    last_ = now;
    phase_ = progress.phase;
    shown_ = true;
    const std::string count = progress.total == 0
                                  ? fmt::format("{}", progress.done)
                                  : fmt::format("{} of {}", progress.done, progress.total);
    print_error(fmt::format("\r\033[2K{} {}", printable(progress.phase), count));
}

void TerminalProgress::clear() {
    const std::lock_guard lock(guard_);
    if (!shown_) return;
    print_error("\r\033[2K");
    shown_ = false;
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
