#include "execute/device/device_machine.h"

#include "alkanes/message_run.h"

namespace blockloom::execute {

Result<alkanes::MachineRun>
DeviceMachine::run(alkanes::Runtime& runtime, alkanes::Frame& frame,
                   const std::shared_ptr<const alkanes::Contract>& contract, std::uint64_t fuel) {
    DeviceCall call;
    call.runtime = &runtime;
    call.frame = &frame;
    call.contract = contract;
    call.fuel = fuel;
    device_.look_ahead(call);
    const Status ran = device_.run({&call}, frame.run.surroundings().stop_token(), [] {});
    if (!ran) return ran.error();
    if (call.has_run) {
        if (const Status logged = call.log_reads(); !logged) return logged.error();
        return std::move(call.ran);
    }
    ejection = call.ejection;
    return Error{ErrorCode::unavailable, "device: ejected: " + ejection};
}

} // namespace blockloom::execute
