#include "gpuvm/ejection.h"

#include "gpuvm/codes.h"

#include <array>

namespace blockloom::gpuvm {
namespace {

struct Words {
    const char *name, *text;
};
constexpr std::array<Words, ejection_kinds> words{{
    {"none", "nothing"},
    {"floats", "floating point"},
    {"registers", "needs more registers than a lane has"},
    {"depth", "needs more frames than a lane has"},
    {"pages", "no memory page left"},
    {"memory", "its memory exceeds the page tables"},
    {"tables", "it changes a table"},
    {"foreign", "it calls a function of another instance, or a host function through a table"},
    {"segments", "it uses a data segment beyond the 32nd"},
    {"signature", "more than 16 arguments or results"},
    {"program", "the program does not fit"},
    {"fault", "the device's answer is damaged"},
    {"trap", "compiled code would trap"},
    {"out_of_fuel", "its fuel was spent in compiled code"},
    {"window", "an address outside the memory that compiled code has"},
    {"misaligned", "an address that is not aligned as the module claims"},
    {"recursion", "a recursive call"},
    {"bulk", "memory.init, a dropped segment, or a memory that could not grow"},
    {"tapes", "more host answers than a compiled lane may have"},
    {"compiling", "its program is not compiled for the device yet"},
    {"cold", "a part of its program that had not run while it was profiled"},
}};

static_assert(GPUVM_EJECT_FLOATS == static_cast<unsigned>(Ejection::floats) &&
              GPUVM_EJECT_REGISTERS == static_cast<unsigned>(Ejection::registers) &&
              GPUVM_EJECT_DEPTH == static_cast<unsigned>(Ejection::depth) &&
              GPUVM_EJECT_PAGES == static_cast<unsigned>(Ejection::pages) &&
              GPUVM_EJECT_MEMORY == static_cast<unsigned>(Ejection::memory) &&
              GPUVM_EJECT_TABLES == static_cast<unsigned>(Ejection::tables) &&
              GPUVM_EJECT_FOREIGN == static_cast<unsigned>(Ejection::foreign) &&
              GPUVM_EJECT_SEGMENTS == static_cast<unsigned>(Ejection::segments));

} // namespace

const char* name_of(Ejection ejection) noexcept {
    return words[static_cast<std::size_t>(ejection) % words.size()].name;
}

const char* text_of(Ejection ejection) noexcept {
    return words[static_cast<std::size_t>(ejection) % words.size()].text;
}

} // namespace blockloom::gpuvm
