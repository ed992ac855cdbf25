#include "runs/kept_code.h"

#include "base/number_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::runs {
namespace {

std::string times_words(std::uint64_t count) {
    return count == 1 ? "" : count == 2 ? " twice" : fmt::format(" {} times", count_text(count));
}

} // namespace

std::string KeptCode::name() const {
    if (contracts.empty()) return module.substr(0, 12);
    if (contracts.size() == 1) return contracts.front();
    return fmt::format("{} and {} more", contracts.front(), contracts.size() - 1);
}

std::uint64_t KeptCode::all_ejected() const noexcept {
    std::uint64_t sum = 0;
    for (const auto& [code, count] : ejected) sum += count;
    return sum;
}

std::string KeptCode::code_words() const {
    if (state.empty()) return "interpreted";
    if (!refusal.empty()) return "cannot be compiled: " + refusal;
    if (compilations == 0)
        return state == "compiling" ? "still being compiled"
               : state == "refused" ? "cannot be compiled"
                                    : "not compiled yet";
    const std::uint64_t made = compilations - std::min(from_earlier, compilations);
    std::string words =
        made == 0 ? "loaded" + times_words(compilations) : "compiled" + times_words(made);
    if (made != 0 && from_earlier != 0) words += " and loaded" + times_words(from_earlier);
    words += " in " + time_text(compile_time);
    if (compilations > 1) words += ", the last time in " + time_text(last_time);
    return words;
}

std::string KeptCode::call_words() const {
    std::string words;
    const auto add = [&](std::uint64_t count, const char* where) {
        if (count == 0) return;
        words += fmt::format("{}{} {}", words.empty() ? "" : ", ", count_text(count), where);
    };
    add(compiled, "in compiled lanes");
    add(interpreted, "in the interpreter's kernel");
    add(on_processor, "on the processor, to show their memory");
    add(all_ejected(), "ejected");
    if (ejected.empty()) return words.empty() ? "none" : words;
    std::string codes;
    for (const auto& [code, count] : ejected)
        codes += fmt::format("{}{} {}", codes.empty() ? "" : ", ", count_text(count), code);
    return words + " (" + codes + ")";
}

const KeptCode* code_of(const std::vector<KeptCode>& all, std::string_view module) {
    const auto found = std::ranges::find(all, module, &KeptCode::module);
    return found == all.end() ? nullptr : &*found;
}

} // namespace blockloom::runs
