#include "gpuvm/code_facts.h"

#include <array>

namespace blockloom::gpuvm {

const char* name_of(CodeState state) noexcept {
    static constexpr std::array<const char*, code_states> names{"profiling", "compiling", "ready",
                                                                "refused"};
    return names[static_cast<std::size_t>(state) % names.size()];
}

} // namespace blockloom::gpuvm
