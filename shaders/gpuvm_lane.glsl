// The state of a lane while it runs, and the operations on it.

// wasm::TrapKind
const uint OUT_OF_BOUNDS = 2, OUT_OF_TABLE = 3, DIVIDE_BY_ZERO = 4, OVERFLOW = 5, TYPE_MISMATCH = 7,
           UNINITIALIZED = 8, UNDEFINED = 9, STACK_EXHAUSTED = 10, OUT_OF_FUEL = 11;

uint at;     // lane of the batch
uint status, detail;
uint record; // of the lane's program
uint pc, base, depth, pages;
uint fuel_low, fuel_high; // what is left; `spent` is still in it while the lane is on
uint most_depth, most_cells;
uint stop;   // how the lane stops at this instruction; 0: it does not

uint cell_at(uint number) { // where the lane's cell lies
    return (gl_WorkGroupID.x * (REGISTERS + GLOBALS) + number) * WAVE + lane;
}

void stop_with(uint how, uint why) {
    stop = how;
    detail = why;
}

void charge(uint cost) {
    if (cost > fuel_low) {
        if (fuel_high == 0) {
            status = GPUVM_TRAPPED;
            detail = OUT_OF_FUEL;
            return;
        }
        --fuel_high;
    }
    fuel_low -= cost;
}

void take_fee(uint fee) {
    if (fee > fuel_low) {
        if (fuel_high == 0) {
            stop_with(GPUVM_TRAPPED, OUT_OF_FUEL);
            return;
        }
        --fuel_high;
    }
    fuel_low -= fee;
    set_state_u64(GPUVM_FEES, at, state_u64(GPUVM_FEES, at) + fee);
}

void zero_cells(uint from, uint count) {
    for (uint i = 0; i < count; ++i) cells[from + i * WAVE] = uvec2(0);
    counted += count;
}

// Whether a frame of this many cells may begin at cell `first`.
bool fits(uint first, uint wanted) {
    if (depth < most_depth && first + wanted <= most_cells) return true;
    if (depth >= data[record + GPUVM_PROGRAM_DEPTH] || first + wanted > data[record + GPUVM_PROGRAM_STACK])
        stop_with(GPUVM_TRAPPED, STACK_EXHAUSTED);
    else
        stop_with(GPUVM_EJECTED, depth >= FRAMES ? GPUVM_EJECT_DEPTH : GPUVM_EJECT_REGISTERS);
    return false;
}

// The call, the cost of the block after it if that is below 255, and the caller's first cell.
uvec2 frame_of(uint call, uint from, uint cost) {
    return uvec2(call | (min(cost, 255) << 24), from);
}

// The callee of a call within the program: its header, and the cost after the call.
uvec4 callee_of(uint head, uvec4 call, out uint after) {
    if ((head & GPUVM_FAR) != 0) {
        after = call.w;
        return code[call.z];
    }
    after = call.w & 0xffff;
    return uvec4(call.z & 0xffffff, call.y >> 16, call.y & 0xffff, (call.w >> 16) | ((call.z >> 24) << 16));
}

uint cost_after(uvec4 call) {
    const bool near = (call.x & GPUVM_OPERATION) == GPUVM_OP_CALL && (call.x & GPUVM_FAR) == 0;
    return near ? call.w & 0xffff : call.w;
}

uint frame_at(uint number) {
    return (gl_WorkGroupID.x * FRAMES + number) * WAVE + lane;
}

// Takes the host's answer to the call at `pc`: its results, and the block after it.
void take_answer() {
    const uvec4 call = code[pc];
    for (uint i = 0; i < detail; ++i)
        cells[cell_at(base + (call.x >> 16) + i)] =
            uvec2(exchange[2 * i * push.lanes + at], exchange[(2 * i + 1) * push.lanes + at]);
    status = GPUVM_RUNNING;
    ++pc;
    charge(call.w);
}

void begin() {
    const uvec4 header = code[pc];
    base = 0;
    depth = 0;
    stop = 0;
    if (!fits(0, header.z)) {
        status = stop;
        return;
    }
    depth = 1;
    const uint parameters = header.w & 0xffff;
    for (uint i = 0; i < parameters; ++i)
        cells[cell_at(i)] = uvec2(exchange[2 * i * push.lanes + at], exchange[(2 * i + 1) * push.lanes + at]);
    zero_cells(cell_at(parameters), header.w >> 16);
    const uint globals = data[record + GPUVM_PROGRAM_GLOBALS];
    for (uint i = 0; i < data[record + GPUVM_PROGRAM_GLOBAL_COUNT]; ++i)
        cells[cell_at(REGISTERS + i)] = uvec2(data[globals + 2 * i], data[globals + 2 * i + 1]);
    status = GPUVM_RUNNING;
    pc = header.x;
    charge(header.y);
}

// What the host needs from a lane that stops: results, or a host call's arguments.
void tell_cells(uint from, uint count) {
    for (uint i = 0; i < min(count, GPUVM_EXCHANGE_CELLS); ++i) {
        const uvec2 value = cells[from + i * WAVE];
        exchange[2 * i * push.lanes + at] = value.x;
        exchange[(2 * i + 1) * push.lanes + at] = value.y;
    }
}

// The instructions that only produce a result.
uvec2 simple(uint head, uvec4 now, uvec2 left_value, uvec2 right_value, uint own, bool on) {
    const uint operation = head & GPUVM_OPERATION;
    const uint x = left_value.x, y = right_value.x, joined = (head & GPUVM_IMMEDIATE) != 0 ? 0 : now.z;
    uvec2 result = uvec2(0);
    if ((operation & 8) == 0) {
        if ((operation & 4) != 0) {
            if ((operation & 2) == 0)
                result.x = x + ((operation & 1) != 0 ? 0 - y : y) + joined;
            else if ((operation & 1) == 0)
                result.x = x * y;
            else
                result.x = compare32(head, x, y) ? 1 : 0;
        } else if ((operation & 2) == 0) {
            result = (operation & 1) != 0 ? right_value : left_value;
        } else if ((operation & 1) != 0) {
            result.x = compare64(head, left_value, right_value) ? 1 : 0;
        } else {
            uvec2 which = uvec2(0);
            if (on) which = cells[own + now.z * WAVE];
            result = (which.x | which.y) != 0 ? left_value : right_value;
        }
    } else if ((operation & 4) != 0) {
        const uint count = y & 31;
        const uint right = (operation & 1) != 0 ? uint(int(x) >> count) : x >> count;
        // Left, and round where the operation says so.
        const uint round = operation == GPUVM_OP_ROTL32 ? x >> ((32 - count) & 31) : 0;
        result.x = (operation == GPUVM_OP_SHL32 || operation == GPUVM_OP_ROTL32 ? (x << count) | round : right) + now.w;
    } else if ((operation & 3) == 3) {
        result = arithmetic64((head >> GPUVM_VARIANT_SHIFT) & GPUVM_VARIANT_MASK, left_value, right_value);
    } else {
        const uint turned = (x << joined) | (x >> ((32 - joined) & 31));
        const uint other = (y << (now.w & 31)) | (y >> ((32 - now.w) & 31));
        result.x = (operation & 2) != 0 ? turned ^ other : (operation & 1) != 0 ? x | y : x & y;
    }
    return result;
}

// The result of a return: variants 1 to 3.
uvec2 returned(uint variant, uvec2 left_value, uvec4 now) {
    if (variant == 2) return now.zw;
    return variant == 1 ? left_value : uvec2(left_value.x + now.z, 0);
}

// The result of a load from one or two words, in which it begins at `byte`.
uvec2 loaded(uint variant, uint bytes, uint byte, uvec2 value) {
    if (bytes < 4) {
        const uint cut = 32 - 8 * bytes;
        value.x <<= cut - byte * 8;
        value.x = variant > 3 ? uint(int(value.x) >> cut) : value.x >> cut;
    }
    if (variant > 7) value.y = uint(int(value.x) >> 31);
    return value;
}

uint address_of(uint head, uvec4 now, uint first) {
    return ((head & GPUVM_ABSOLUTE) != 0 ? 0 : first) + now.z;
}
