/* The kernel of compiled lanes on a GPU: compiled by clang to LLVM IR, linked with the lane code of
   a program (native/lanes/lane_ptx.h), which defines `lane_enter`, the frame and the launch. */
#include "lane_kernel.h"

/* Runs the function of the program: `fuel left = lane_enter(frame, fuel, cells)`; a lane that
 * leaves does not return. */
u64 lane_enter(LANE_LOCAL u8* frame, u64 fuel, u64* cells);

u64 lane_import(LANE_LOCAL u8* frame, u64 fuel, u32 function, u64* cells, u32 pc) {
    const u32 exit = lane_answer(frame, &fuel, function, cells, pc);
    if (exit != EXIT_NONE) {
        /* A lane that waits for the host has given its status already. */
        if (exit != EXIT_HOST && exit != LANE_NO_DUMP)
            *LANE_AS(LANE_GLOBAL u32*, lane_head(frame)->leave) = exit;
        __asm__ volatile("exit;");
        __builtin_unreachable();
    }
    return fuel;
}

void lane_main(const struct LaneLaunch* launch, LANE_LOCAL u8* frame, u64* cells) {
    const u32 lane = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +
                     __nvvm_read_ptx_sreg_tid_x();
    if (lane >= launch->push.count) return;
    const LANE_GLOBAL struct LaneProgram* program = lane_program(launch);
    lane_begin(launch, frame, cells, lane);
    const u64 left = lane_enter(frame, lane_input(launch, lane)->fuel, cells);
    lane_give(launch, frame, left, EXIT_NONE, cells, program->results, 0);
}
