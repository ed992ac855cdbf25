// Reader of profiles: any bytes give a profile or an error; a profile is written and read again
// without a change, and its stacks can be folded.
#include "report/profile.h"

#include <cstdlib>

using namespace blockloom;

namespace {

/// A property that must hold whatever the input.
void require(bool holds) {
    if (!holds) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto profile = report::read_profile(text, "fuzz");
    if (!profile) {
        require(profile.error().message.starts_with("fuzz"));
        return 0;
    }
    std::uint64_t fuel = 0;
    for (std::size_t i = 0; i < profile->stacks.size(); ++i) {
        const report::ProfileStack& stack = profile->stacks[i];
        require(!stack.parent || *stack.parent < i);
        require(stack.function < profile->functions.size());
        fuel += stack.self;
    }
    require(fuel == profile->fuel);
    const std::string written = report::profile_json(*profile);
    const auto again = report::read_profile(written, "again");
    require(again.ok() && report::profile_json(*again) == written);
    (void)report::folded_stacks(*profile);
    return 0;
}
