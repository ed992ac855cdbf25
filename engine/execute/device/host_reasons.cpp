#include "execute/device/host_reasons.h"

#include "gpuvm/ejection.h"

#include <array>
#include <cstddef>

namespace blockloom::execute {
namespace {

struct Words {
    std::string_view code, text;
};
constexpr std::array<Words, 17> reasons{{
    {host_reasons::in_order, "in block order: another round would not pay off"},
    {host_reasons::small, "fewer messages than the smallest batch"},
    {host_reasons::no_device, "the device could not be used"},
    {host_reasons::host_faster, "earlier blocks were faster on the host"},
    {host_reasons::no_code, "code for the device was still being compiled"},
    {host_reasons::small_round, "the workers run so few messages faster than the device"},
    {host_reasons::workers_share, "the workers ran it while the device ran others of its round"},
    {host_reasons::first_of_kind, "it showed what others of its kind read"},
    {host_reasons::few_lanes,
     "it stopped in a host call, and so few messages continue faster on the workers"},
    {host_reasons::flow, "the workers ran it as soon as those that it depends on had run"},
    {host_reasons::nothing, "no contract's code was reached"},
    {host_reasons::profiled, "it showed the device's compiler which memory it needs"},
    {host_reasons::undeclared_read, "it read outside its declared set"},
    {host_reasons::undeclared_write, "it wrote outside its declared set"},
    {"long_response", "its response exceeds a megabyte"},
    {"device_lost", "the device was lost"},
    {"device", "the device failed"},
}};

} // namespace

std::string host_reason_text(std::string_view code) {
    for (const Words& reason : reasons)
        if (reason.code == code) return std::string(reason.text);
    for (std::size_t i = 1; i < gpuvm::ejection_kinds; ++i) {
        const auto ejection = static_cast<gpuvm::Ejection>(i);
        if (code == gpuvm::name_of(ejection)) return gpuvm::text_of(ejection);
    }
    return std::string(code);
}

} // namespace blockloom::execute
