#include "trace/abort_reason.h"

#include <array>

namespace blockloom::trace {
namespace {

struct Text {
    const char *name, *words;
};
/// By AbortReason.
constexpr std::array<Text, abort_reason_count> texts{{
    {"outdated_read", "read an outdated value"},
    {"wrong_prediction", "ran on a wrong predicted value"},
    {"replanned", "ran on predictions that changed afterwards"},
    {"wrong_budget", "had a wrong fuel budget"},
    {"silent_write", "wrote the value that the key already had, without reading it"},
    {"outdated_comparison", "compared a dropped write with an outdated value"},
    {"estimate", "waited for a transaction that was running again"},
    {"undeclared_read", "read outside its declared access set"},
    {"undeclared_write", "wrote outside its declared access set"},
    {"ejected", "left the device to run on the host"},
}};

const Text& text_of(AbortReason reason) noexcept {
    return texts[static_cast<std::size_t>(reason)];
}

} // namespace

const char* name_of(AbortReason reason) noexcept {
    return text_of(reason).name;
}

std::optional<AbortReason> abort_reason_named(std::string_view name) noexcept {
    for (std::size_t i = 0; i < abort_reason_count; ++i)
        if (texts[i].name == name) return static_cast<AbortReason>(i);
    return std::nullopt;
}

const char* words_of(AbortReason reason) noexcept {
    return text_of(reason).words;
}

bool has_result(AbortReason reason) noexcept {
    return reason != AbortReason::estimate && reason != AbortReason::undeclared_read &&
           reason != AbortReason::ejected;
}

} // namespace blockloom::trace
