#include "compute/fake_cuda/faults.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace blockloom::fake_cuda {

void Faults::wrong(std::string_view word) const {
    std::fprintf(stderr, "%s: what is \"%.*s\"?\n", variable_, static_cast<int>(word.size()),
                 word.data());
    std::abort();
}

std::optional<std::uint64_t> Faults::cut_number(std::string_view& name, char mark,
                                                std::string_view word) const {
    const std::size_t at = name.find(mark);
    if (at == std::string_view::npos) return std::nullopt;
    std::uint64_t number = 0;
    const char* const end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data() + at + 1, end, number);
    if (error != std::errc() || rest != end) wrong(word);
    name = name.substr(0, at);
    return number;
}

Faults::Faults(std::string_view text, const char* variable) : variable_(variable) {
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), word.size() + 1));
        take(word);
    }
}

void Faults::take(std::string_view word) {
    std::string_view name = word;
    const auto value = cut_number(name, '=', word);
    const auto number = cut_number(name, '@', word);
    if (name.starts_with("cu")) {
        if (!value || number == 0U) wrong(word);
        Call& call = calls_.emplace_back();
        call.function = name;
        call.number = number.value_or(0);
        call.code = static_cast<Code>(*value);
        return;
    }
    for (const auto& [flag, to] : {std::pair{"prohibited", &prohibited},
                                   {"apart", &apart},
                                   {"immediate", &immediate},
                                   {"hang", &hang},
                                   {"crash", &crash},
                                   {"leave", &leave}})
        if (name == flag && !value && !number) {
            *to = true;
            return;
        }
    for (const auto& [kind, to] :
         {std::pair{"lost", &lost_}, {"hung", &hung_}, {"stuck", &stuck_}, {"damaged", &damaged_}})
        if (name == kind && !value && number.value_or(0) != 0) {
            to->number = *number;
            return;
        }
    for (const auto& [setting, to] :
         {std::pair{"devices", &devices}, {"version", &version}, {"major", &major}})
        if (name == setting && value && !number) {
            *to = static_cast<int>(*value);
            return;
        }
    if (name != "memory" || !value || number) wrong(word);
    memory = *value;
}

Code Faults::of_call(std::string_view function) {
    Code code = 0;
    for (Call& call : calls_)
        if (call.function == function && (++call.seen == call.number || call.number == 0))
            code = call.code;
    return code;
}

} // namespace blockloom::fake_cuda
