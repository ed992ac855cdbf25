// The interpreter of the register program on a device: one lane runs one invocation, the lanes of a subgroup step
// together at their deepest frame's lowest instruction (docs/gpuvm.md). All control flow below is uniform over a
// subgroup; `on` says for which lanes it takes effect.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#include "gpuvm_layout.glsl"
#include "gpuvm_pages.glsl"
#include "gpuvm_memory.glsl"
#include "gpuvm_arithmetic.glsl"
#include "gpuvm_moves.glsl"
#include "gpuvm_host.glsl"

const bool UNIFORM = (VARIANT & 1u) != 0; // the operation is made uniform for the compiler
const bool WHOLE = (VARIANT & 2u) != 0;   // lanes that are off load registers too, of their own frame's
const bool VOTED = (VARIANT & 4u) != 0;   // calls and returns look first whether all go the same way
const bool CHAINS = (VARIANT & 8u) != 0;  // instructions that cannot stop a lane do not end a round
const bool QUICK_MEMORY = (VARIANT & 16u) != 0; // a vote finds loads and stores that are simple for all
const bool ALIGNED = (VARIANT & 32u) != 0;      // simple are accesses aligned to their size; frames and images apart
const bool WORDS = (VARIANT & 64u) != 0;        // accesses of four bytes have a way of their own

#include "gpuvm_lane.glsl"
#include "gpuvm_clock.glsl"

void main() {
    lane = gl_LocalInvocationID.x;
    wave_table = gl_WorkGroupID.x * push.table_pages;
    at = gl_WorkGroupID.x * WAVE + lane;
    status = state[GPUVM_STATUS * push.lanes + at];
    const bool ran = status == GPUVM_START || status == GPUVM_RUNNING || status == GPUVM_ANSWERED;
    if (!subgroupAny(ran)) {
        if (lane == 0) atomicAdd(books[GPUVM_BOOK_ENDED], 1);
        return;
    }
    clock_begins();
    detail = state[GPUVM_DETAIL * push.lanes + at];
    pc = state[GPUVM_PC * push.lanes + at];
    base = state[GPUVM_BASE * push.lanes + at];
    depth = state[GPUVM_DEPTH * push.lanes + at];
    fuel_low = state[GPUVM_FUEL * push.lanes + at];
    fuel_high = state[(GPUVM_FUEL + 1) * push.lanes + at];
    pages = state[GPUVM_PAGES * push.lanes + at];
    record = state[GPUVM_PROGRAM * push.lanes + at];
    uint progress = state[GPUVM_PROGRESS * push.lanes + at];
    most_depth = min(FRAMES, data[record + GPUVM_PROGRAM_DEPTH]);
    most_cells = min(REGISTERS, data[record + GPUVM_PROGRAM_STACK]);
    counted = 0;
    if (status == GPUVM_START) begin();
    if (status == GPUVM_ANSWERED) take_answer();
    bool running = status == GPUVM_RUNNING;
    uint own = cell_at(base); // the frame's first cell

    // Of the subgroup: where it is, who takes part, what others wait for, what may be spent before fuel is looked at.
    uint here = 0, place = 0, waiting = ~0u, room = 0, spent = 0, taking_part = 0;
    uvec2 part = uvec2(0);
    bool on = false, choose = true;
    uint left = push.budget, merge = ~0u, work_low = 0, work_high = 0;
    left -= min(left - 1, subgroupMax(counted));
    const uint budget = left;
    uint since = left; // `left` when lanes were last chosen

    while (left != 0) {
        if (choose) {
            if (on) {
                pc = here;
                fuel_low -= spent;
            }
            spent = 0;
            const uint worked = taking_part * (since - left);
            since = left;
            work_low += worked;
            work_high += work_low < worked ? 1 : 0;
            const uint key = running ? ((255 - min(depth, 255)) << 24) | pc : ~0u;
            place = subgroupMin(key);
            if (place == ~0u) break;
            on = key == place;
            here = place & 0xffffff;
            waiting = subgroupMin(on ? ~0u : key);
            merge = (waiting ^ place) < 0x1000000 ? waiting & 0xffffff : ~0u;
            room = subgroupMin(on ? fuel_low : ~0u);
            part = subgroupBallot(on).xy;
            taking_part = bitCount(part.x) + bitCount(part.y);
            choose = false;
        }
        --left;

        uvec4 now = code[here];
        uint head = UNIFORM ? subgroupBroadcastFirst(now.x) : now.x;
        uvec2 left_value = uvec2(0), right_value = now.zw;
        if (WHOLE || on) {
            // Lanes that are off may load what is not theirs: nothing comes of it.
            left_value = cells[own + (head >> 16) * WAVE];
            if ((head & GPUVM_IMMEDIATE) == 0) right_value = cells[own + (now.y >> 16) * WAVE];
        }
        while (CHAINS && (head & GPUVM_CHAIN) != 0) { // never more than seven
            // The next one in the same round: it may read the result of this one.
            const uvec4 second = code[here + 1];
            const uint next_head = UNIFORM ? subgroupBroadcastFirst(second.x) : second.x;
            const uint to = now.y & 0xffff;
            uvec2 next_left = uvec2(0), next_right = second.zw;
            if (WHOLE || on) {
                next_left = cells[own + (next_head >> 16) * WAVE];
                if ((next_head & GPUVM_IMMEDIATE) == 0) next_right = cells[own + (second.y >> 16) * WAVE];
            }
            const uvec2 result = simple(head, now, left_value, right_value, own, on);
            if (on) cells[own + to * WAVE] = result;
            left_value = (next_head >> 16) == to ? result : next_left;
            right_value = (next_head & GPUVM_IMMEDIATE) == 0 && (second.y >> 16) == to ? result : next_right;
            now = second;
            head = next_head;
            ++here;
        }
        const uint operation = head & GPUVM_OPERATION;
        const uint b = head >> 16;
        const bool immediate = (head & GPUVM_IMMEDIATE) != 0;

        if (operation < 16) {
            const uvec2 result = simple(head, now, left_value, right_value, own, on);
            if (on) cells[own + (now.y & 0xffff) * WAVE] = result;
            ++here;
            choose = here == merge;
            continue;
        }

        if (operation < 20) {
            const uint always = now.w & 0xffff;
            if (operation == GPUVM_OP_BRANCH && always <= room) {
                room -= always;
                spent += always;
                here = now.z;
                choose = ((place & 0xff000000) | here) >= waiting;
                continue;
            }
            bool taken = true;
            if (operation != GPUVM_OP_BRANCH) {
                // The constant of a compare and branch stands in word 1.
                const uvec2 right = immediate ? uvec2(now.y, uint(int(now.y) >> 31)) : right_value;
                if (operation == GPUVM_OP_BRANCH32)
                    taken = compare32(head, left_value.x, right.x);
                else if (operation == GPUVM_OP_BRANCH64)
                    taken = compare64(head, left_value, right);
                else {
                    if ((head & (GPUVM_WITH_SUM | GPUVM_WITH_MASK)) != 0) {
                        const int constant = int(now.y) >> 16;
                        left_value = uvec2((head & GPUVM_WITH_SUM) != 0 ? left_value.x + uint(constant)
                                                                        : left_value.x & (now.y >> 16), 0);
                        if (on) cells[own + (now.y & 0xffff) * WAVE] = left_value;
                    }
                    taken = ((left_value.x | left_value.y) != 0) == (((head >> GPUVM_VARIANT_SHIFT) & 1) != 0);
                }
            }
            const uvec2 takers = subgroupBallot(on && taken).xy;
            const bool all = takers == part, none = (takers.x | takers.y) == 0;
            const uint price = all ? now.w & 0xffff : now.w >> 16;
            if ((all || none) && price <= room) {
                room -= price;
                spent += price;
                here = all ? now.z : here + 1;
                choose = ((place & 0xff000000) | here) >= waiting;
                continue;
            }
            if (on) {
                fuel_low -= spent;
                pc = taken ? now.z : here + 1;
                charge(taken ? now.w & 0xffff : now.w >> 16);
                running = status == GPUVM_RUNNING;
                if (!running) clock_stops();
            }
            spent = 0;
            on = false;
            choose = true;
            continue;
        }

        bool trap_here = false; // a load or store outside of the memory
        fault = 0;
        if (operation == GPUVM_OP_LOAD) {
            const uint variant = (head >> GPUVM_VARIANT_SHIFT) & GPUVM_ACCESS_MASK;
            const bool indexed = (head & GPUVM_INDEXED) != 0;
            const uint bytes = 1u << (variant & 3), other = immediate ? 0 : right_value.x;
            const uint address = address_of(head, now, left_value.x + (indexed ? other : 0));
            const uint plus = indexed ? 0 : other;
            const bool past = address < now.z && (head & GPUVM_WRAPS) == 0; // beyond 2^32
            uvec2 result = uvec2(0);
            bool outside = false;
            if (WORDS && variant == 2) {
                const uint word_page = address & 0xfffffc03u;
                const bool first = word_page == page_a << 10;
                const uint where = first ? place_a : place_b;
                if (subgroupAll(((first || word_page == page_b << 10) && where < IN_IMAGE && !past) || !on)) {
                    if (on) {
                        const uint word = pool[frame_word(where, (address >> 2) & 255)];
                        cells[own + (now.y & 0xffff) * WAVE] = uvec2((word & now.w) + plus, 0);
                    }
                    ++here;
                    choose = here == merge;
                    continue;
                }
            }
            if (QUICK_MEMORY) {
                // A page that is known is in bounds. One vote: no lane looks further than its word or two.
                const uint page = address >> 10;
                const bool first = page == page_a;
                const uint where = first ? place_a : place_b;
                const bool quick = (first || page == page_b) && !past &&
                                   (ALIGNED ? (address & (bytes - 1)) == 0
                                            : (address & 3) <= (bytes == 8 ? 0 : 4 - bytes) &&
                                                  (address & 1023) <= 1024 - bytes);
                if (ALIGNED && subgroupAll((quick && where < IN_IMAGE) || !on)) {
                    if (on) {
                        const uint at_word = frame_word(where, (address >> 2) & 255);
                        result.x = pool[at_word];
                        if (bytes == 8) result.y = pool[at_word + WAVE];
                        result = loaded(variant, bytes, address & 3, result);
                        result.x = (result.x & now.w) + plus;
                        cells[own + (now.y & 0xffff) * WAVE] = result;
                    }
                    ++here;
                    choose = here == merge;
                    continue;
                }
                if (subgroupAll(quick || !on)) {
                    if (on) {
                        const uint word = (address >> 2) & 255;
                        if (where < IN_IMAGE) {
                            result.x = pool[frame_word(where, word)];
                            if (bytes == 8) result.y = pool[frame_word(where, word) + WAVE];
                        } else if (where != NOWHERE) {
                            result.x = data[(where & ~IN_IMAGE) + word];
                            if (bytes == 8) result.y = data[(where & ~IN_IMAGE) + word + 1];
                        }
                        result = loaded(variant, bytes, address & 3, result);
                        result.x = (result.x & now.w) + plus;
                        cells[own + (now.y & 0xffff) * WAVE] = result;
                    }
                    ++here;
                    choose = here == merge;
                    continue;
                }
            }
            if (on) {
                outside = past || pages == 0 || address > (pages << 16) - bytes;
                if (!outside) {
                    const uint word = address >> 2, shift = (address & 3) * 8, need = (address & 3) + bytes;
                    const uint where = place_of(record, address >> 10);
                    uint w0 = word_at(where, word), w1 = 0, w2 = 0;
                    if (need > 4) {
                        const bool inside = (address & 1023) + bytes <= 1024;
                        if (inside) {
                            w1 = word_at(where, word + 1);
                            if (need > 8) w2 = word_at(where, word + 2);
                        } else {
                            w1 = read_word(record, word + 1);
                            if (need > 8) w2 = read_word(record, word + 2);
                        }
                    }
                    if (shift != 0) {
                        w0 = (w0 >> shift) | (w1 << (32 - shift));
                        w1 = (w1 >> shift) | (w2 << (32 - shift));
                    }
                    result = loaded(variant, bytes, 0, uvec2(w0, bytes == 8 ? w1 : 0));
                    result.x = (result.x & now.w) + plus;
                    cells[own + (now.y & 0xffff) * WAVE] = result;
                }
            }
            if (!subgroupAny(outside)) {
                ++here;
                choose = here == merge;
                continue;
            }
            trap_here = outside;
        }
        if (operation == GPUVM_OP_STORE) {
            const uint bytes = 1u << ((head >> GPUVM_VARIANT_SHIFT) & 3);
            uint index = 0;
            if (on && (head & GPUVM_INDEXED) != 0) index = cells[own + (now.w & 0xffff) * WAVE].x;
            const uint address = address_of(head, now, left_value.x + index);
            const bool past = address < now.z && (head & GPUVM_WRAPS) == 0; // beyond 2^32
            const uvec2 value = immediate ? uvec2(now.w, uint(int(now.w) >> 31)) : right_value;
            if (WORDS && bytes == 4) {
                const uint word_page = address & 0xfffffc03u;
                const bool first = word_page == page_a << 10;
                const uint where = first ? place_a : place_b;
                if (subgroupAll(((first || word_page == page_b << 10) && where < IN_IMAGE && !past) || !on)) {
                    if (on) pool[frame_word(where, (address >> 2) & 255)] = value.x;
                    ++here;
                    choose = here == merge;
                    continue;
                }
            }
            if (QUICK_MEMORY) {
                const uint page = address >> 10;
                const bool first = page == page_a;
                const uint where = first ? place_a : place_b;
                const bool quick = (first || page == page_b) && where < IN_IMAGE && !past &&
                                   (ALIGNED ? (address & (bytes - 1)) == 0
                                            : (address & 3) <= (bytes == 8 ? 0 : 4 - bytes) &&
                                                  (address & 1023) <= 1024 - bytes);
                if (subgroupAll(quick || !on)) {
                    if (on) {
                        const uint at_word = frame_word(where, (address >> 2) & 255);
                        if (bytes >= 4) {
                            pool[at_word] = value.x;
                            if (bytes == 8) pool[at_word + WAVE] = value.y;
                        } else {
                            const uint shift = (address & 3) * 8, mask = (~0u >> (32 - bytes * 8)) << shift;
                            pool[at_word] = (pool[at_word] & ~mask) | ((value.x << shift) & mask);
                        }
                    }
                    ++here;
                    choose = here == merge;
                    continue;
                }
            }
            if (on) {
                trap_here = past || pages == 0 || address > (pages << 16) - bytes;
                if (!trap_here) {
                    const uint where = place_of(record, address >> 10), byte = address & 3;
                    if (where < IN_IMAGE && (address & 1023) + bytes <= 1024 && byte + min(bytes, 4) <= 4) {
                        const uint at_word = frame_word(where, (address >> 2) & 255);
                        if (bytes >= 4) {
                            pool[at_word] = value.x;
                            if (bytes == 8) pool[at_word + WAVE] = value.y;
                        } else {
                            const uint mask = (~0u >> (32 - bytes * 8)) << (byte * 8);
                            pool[at_word] = (pool[at_word] & ~mask) | ((value.x << (byte * 8)) & mask);
                        }
                    } else {
                        fault = missing_page(address, bytes);
                        if (fault == 0) {
                            write_bytes(address, value.x, min(bytes, 4));
                            if (bytes == 8) write_bytes(address + 4, value.y, 4);
                        }
                    }
                }
            }
            if (!subgroupAny(trap_here || fault != 0)) {
                ++here;
                choose = here == merge;
                continue;
            }
        }

        if (VOTED && operation == GPUVM_OP_CALL) {
            uint after;
            const uvec4 header = callee_of(head, now, after);
            const bool fit = depth < most_depth && base + b + header.z <= most_cells;
            if (header.y <= room && subgroupAll(fit || !on)) {
                if (on) {
                    frames[frame_at(depth - 1)] = frame_of(here, base, after);
                    ++depth;
                    base += b;
                    own += b * WAVE;
                    zero_cells(own + (header.w & 0xffff) * WAVE, header.w >> 16);
                }
                left -= min(left, header.w >> 16);
                if (place >= 0x1000000) place -= 0x1000000;
                room -= header.y;
                spent += header.y;
                here = header.x;
                choose = ((place & 0xff000000) | here) >= waiting;
                merge = (waiting ^ place) < 0x1000000 ? waiting & 0xffffff : ~0u;
                continue;
            }
        }
        if (VOTED && operation == GPUVM_OP_RETURN && place >= 0x1000000) {
            uvec2 frame = uvec2(~0u);
            if (on && depth != 1) frame = frames[frame_at(depth - 2)];
            const uint to = subgroupMin(frame.x), price = to >> 24;
            if (price != 255 && price <= room && !subgroupAny(on && frame.x != to)) {
                if (on) {
                    const uint variant = (head >> GPUVM_VARIANT_SHIFT) & 3;
                    if (variant != 0) cells[own] = returned(variant, left_value, now);
                    --depth;
                    base = frame.y;
                    own = cell_at(base);
                }
                place += 0x1000000;
                room -= price;
                spent += price;
                here = (to & 0xffffff) + 1;
                choose = ((place & 0xff000000) | here) >= waiting;
                merge = (waiting ^ place) < 0x1000000 ? waiting & 0xffffff : ~0u;
                continue;
            }
        }

        uvec2 result = uvec2(0);
        bool writes = true;       // `result` to cell a
        bool lanewise = false;    // each lane continues at its `next_pc`, or stops
        uint next = here + 1, cost = 0;
        uint next_pc = here + 1, next_cost = 0;
        bool may_fault = false;
        stop = 0;

        switch (operation) {
        case GPUVM_OP_LOAD:
        case GPUVM_OP_STORE: // that did not go through for all
            writes = false;
            lanewise = true;
            may_fault = true;
            if (trap_here) stop_with(GPUVM_TRAPPED, OUT_OF_BOUNDS);
            if (fault != 0) next_pc = here;
            break;
        case GPUVM_OP_ROTR32:
            result.x = (left_value.x >> (right_value.x & 31)) | (left_value.x << ((32 - right_value.x) & 31));
            break;
        case GPUVM_OP_BRANCH_TABLE: {
            writes = false;
            lanewise = true;
            const uint entry = now.z + 2 * min(left_value.x, now.w);
            next_pc = data[entry];
            next_cost = data[entry + 1];
            break;
        }
        case GPUVM_OP_CALL: { // that does not fit for all, or costs more than there is
            writes = false;
            lanewise = true;
            uint after;
            const uvec4 header = callee_of(head, now, after);
            if (on && fits(base + b, header.z)) {
                frames[frame_at(depth - 1)] = frame_of(here, base, after);
                ++depth;
                base += b;
                own += b * WAVE;
                zero_cells(own + (header.w & 0xffff) * WAVE, header.w >> 16);
            }
            left -= min(left, header.w >> 16);
            next_pc = header.x;
            next_cost = header.y;
            break;
        }
        case GPUVM_OP_CALL_INDIRECT: {
            writes = false;
            lanewise = true;
            counted = 0;
            if (on) {
                const uint table = data[record + GPUVM_PROGRAM_TABLES] + 2 * (now.y & 0xffff);
                uint cell = GPUVM_FOREIGN;
                if (right_value.x >= data[table + 1])
                    stop_with(GPUVM_TRAPPED, UNDEFINED);
                else
                    cell = data[data[table] + right_value.x];
                if (stop == 0 && cell == 0) stop_with(GPUVM_TRAPPED, UNINITIALIZED);
                if (stop == 0 && cell == GPUVM_FOREIGN) stop_with(GPUVM_EJECTED, GPUVM_EJECT_FOREIGN);
                if (stop == 0 && data[data[record + GPUVM_PROGRAM_TYPES] + cell - 1] != now.z)
                    stop_with(GPUVM_TRAPPED, TYPE_MISMATCH);
                if (stop == 0) {
                    const uvec4 header = code[data[record + GPUVM_PROGRAM_FUNCTIONS] + cell - 1];
                    if (fits(base + b, header.z)) {
                        frames[frame_at(depth - 1)] = frame_of(here, base, now.w);
                        ++depth;
                        base += b;
                        own += b * WAVE;
                        zero_cells(own + (header.w & 0xffff) * WAVE, header.w >> 16);
                        next_pc = header.x;
                        next_cost = header.y;
                    }
                }
            }
            left -= min(left, subgroupMax(counted));
            break;
        }
        case GPUVM_OP_RETURN: { // to different places, or out of the function that was invoked
            writes = false;
            lanewise = true;
            const uint variant = (head >> GPUVM_VARIANT_SHIFT) & 3;
            if (on) {
                if (variant != 0) cells[own] = returned(variant, left_value, now);
                if (depth == 1) {
                    stop_with(GPUVM_RETURNED, 0);
                } else {
                    --depth;
                    const uvec2 frame = frames[frame_at(depth - 1)];
                    base = frame.y;
                    own = cell_at(base);
                    next_pc = (frame.x & 0xffffff) + 1;
                    next_cost = frame.x >> 24;
                    if (next_cost == 255) next_cost = cost_after(code[next_pc - 1]);
                }
            }
            break;
        }
        case GPUVM_OP_CALL_IMPORT: {
            writes = false;
            lanewise = true;
            may_fault = true;
            counted = 0;
            if (on) {
                fuel_low -= spent;
                uvec2 answer;
                const uint how = host_step(now.z, record, at, own + b * WAVE, pages, fuel_low, fuel_high, progress,
                                           answer);
                next_pc = here;
                if (how == TO_HOST) {
                    stop_with(GPUVM_YIELDED, data[now.z + GPUVM_RULE_IMPORT]);
                    tell_cells(own + b * WAVE, data[now.z + GPUVM_RULE_ARGUMENTS]);
                } else if (how == DONE) {
                    if ((data[now.z] & GPUVM_RULE_ANSWERS) != 0) cells[own + b * WAVE] = answer;
                    next_pc = here + 1;
                    next_cost = now.w;
                }
            }
            spent = 0;
            left -= min(left, subgroupMax(counted));
            break;
        }
        case GPUVM_OP_DIVIDE: {
            const uint variant = (head >> GPUVM_VARIANT_SHIFT) & GPUVM_VARIANT_MASK;
            const bool wide = (variant & 4) != 0;
            const bool minus_one = right_value.x == ~0u && (!wide || right_value.y == ~0u);
            const bool least = wide ? left_value == uvec2(0, 0x80000000u) : left_value.x == 0x80000000u;
            if (on && (right_value.x | (wide ? right_value.y : 0)) == 0)
                stop_with(GPUVM_TRAPPED, DIVIDE_BY_ZERO);
            else if (on && (variant & 3) == 1 && minus_one && least)
                stop_with(GPUVM_TRAPPED, OVERFLOW);
            else if (on)
                result = divide(variant, left_value, right_value);
            lanewise = subgroupAny(stop != 0);
            break;
        }
        case GPUVM_OP_UNARY:
            result = unary((head >> GPUVM_VARIANT_SHIFT) & GPUVM_VARIANT_MASK, left_value);
            break;
        case GPUVM_OP_GLOBAL_GET:
            if (on) result = cells[cell_at(REGISTERS + now.z)];
            break;
        case GPUVM_OP_GLOBAL_SET:
            writes = false;
            if (on) cells[cell_at(REGISTERS + now.z)] = left_value;
            break;
        case GPUVM_OP_MEMORY_SIZE:
            result.x = pages;
            break;
        case GPUVM_OP_MEMORY_GROW:
            if (on) {
                if (now.z != 0) fuel_low -= spent;
                const uint64_t wanted = uint64_t(pages) + left_value.x;
                if (wanted > data[record + GPUVM_PROGRAM_MOST_PAGES]) {
                    result.x = ~0u;
                } else if (wanted * 64 > push.table_pages) {
                    stop_with(GPUVM_EJECTED, GPUVM_EJECT_MEMORY);
                } else {
                    if (now.z != 0) take_fee(left_value.x * now.z);
                    result.x = pages;
                    if (stop == 0) pages = uint(wanted);
                }
            }
            if (now.z != 0) spent = 0; // each lane has paid its own fee
            lanewise = now.z != 0 || subgroupAny(stop != 0);
            break;
        case GPUVM_OP_BULK: {
            writes = false;
            lanewise = true;
            may_fault = true;
            counted = 0;
            if (on) {
                fuel_low -= spent;
                const uint variant = (head >> GPUVM_VARIANT_SHIFT) & 3;
                const uint to = cells[own + (now.y & 0xffff) * WAVE].x, from = left_value.x, bytes = right_value.x;
                const uint64_t size = uint64_t(pages) << 16;
                uint64_t source_size = variant == GPUVM_FILL ? ~uint64_t(0) : size;
                uint source = from, kind = variant == GPUVM_FILL ? FROM_BYTE : FROM_MEMORY;
                if (variant == GPUVM_FILL) source &= 255;
                if (variant == GPUVM_INIT) {
                    const uint segment = data[record + GPUVM_PROGRAM_SEGMENTS] + 2 * now.z;
                    kind = FROM_DATA;
                    source = data[segment] * 4 + from;
                    source_size = data[segment + 1];
                    if (now.z >= 32)
                        stop_with(GPUVM_EJECTED, GPUVM_EJECT_SEGMENTS);
                    else if ((state[GPUVM_DROPPED * push.lanes + at] >> now.z & 1) != 0)
                        source_size = 0;
                }
                if (stop == 0 && progress == 0) {
                    if (uint64_t(to) + bytes > size ||
                        (variant != GPUVM_FILL && uint64_t(from) + bytes > source_size))
                        stop_with(GPUVM_TRAPPED, OUT_OF_BOUNDS);
                    else
                        take_fee(bytes / 64);
                    if (stop == 0) progress = 1;
                }
                next_pc = here;
                if (stop == 0) {
                    uint done = progress - 1;
                    const bool all = move_bytes(record, kind, to, source, bytes, done);
                    progress = all ? 0 : done + 1;
                    if (all) next_pc = here + 1;
                }
            }
            spent = 0;
            left -= min(left, subgroupMax(counted));
            break;
        }
        case GPUVM_OP_TABLE: {
            const uint variant = (head >> GPUVM_VARIANT_SHIFT) & 3;
            if (on && variant < 2) {
                const uint table = data[record + GPUVM_PROGRAM_TABLES] + 2 * now.z;
                if (variant == 1)
                    result.x = data[table + 1];
                else if (left_value.x >= data[table + 1])
                    stop_with(GPUVM_TRAPPED, OUT_OF_TABLE);
                else
                    result.x = data[data[table] + left_value.x];
                if (variant == 0 && result.x == GPUVM_FOREIGN) stop_with(GPUVM_EJECTED, GPUVM_EJECT_FOREIGN);
            }
            if (variant == 2) result.x = now.z + 1;
            lanewise = subgroupAny(stop != 0);
            break;
        }
        case GPUVM_OP_TRAP:
            writes = false;
            lanewise = true;
            if (on) stop_with(GPUVM_TRAPPED, now.z);
            break;
        case GPUVM_OP_DATA_DROP:
            writes = false;
            if (on && now.z >= 32)
                stop_with(GPUVM_EJECTED, GPUVM_EJECT_SEGMENTS);
            else if (on)
                state[GPUVM_DROPPED * push.lanes + at] |= 1u << now.z;
            lanewise = subgroupAny(stop != 0);
            break;
        default: // GPUVM_OP_EJECT
            writes = false;
            lanewise = true;
            if (on) stop_with(GPUVM_EJECTED, now.z);
        }

        if (may_fault && subgroupAny(fault != 0)) {
            for (uint page = subgroupMin(fault - 1); page != ~0u; page = subgroupMin(fault - 1)) {
                const bool mapped = map_page(gl_WorkGroupID.x, page, record);
                left -= min(left, 64); // its rounds
                forget_pages();
                if (fault == page + 1) {
                    fault = 0;
                    if (!mapped) stop_with(GPUVM_EJECTED, GPUVM_EJECT_PAGES);
                }
            }
        }
        if (writes && on && stop == 0) {
            cells[own + (now.y & 0xffff) * WAVE] = result;
        }
        if (!lanewise && cost <= room) {
            room -= cost;
            spent += cost;
            here = next;
            choose = ((place & 0xff000000) | here) >= waiting;
            merge = (waiting ^ place) < 0x1000000 ? waiting & 0xffffff : ~0u;
        } else {
            if (on) {
                fuel_low -= spent;
                if (stop != 0) {
                    status = stop;
                    pc = here;
                } else {
                    pc = lanewise ? next_pc : next;
                    charge(lanewise ? next_cost : cost);
                }
                running = status == GPUVM_RUNNING;
                if (!running) clock_stops();
                if (status == GPUVM_RETURNED) tell_cells(cell_at(0), state[GPUVM_RESULTS * push.lanes + at]);
            }
            spent = 0;
            on = false;
            choose = true;
        }
    }
    if (on) {
        pc = here;
        fuel_low -= spent;
    }
    const uint worked = taking_part * (since - left);
    work_low += worked;
    work_high += work_low < worked ? 1 : 0;
    if (ran) {
        state[GPUVM_STATUS * push.lanes + at] = status;
        state[GPUVM_DETAIL * push.lanes + at] = detail;
        state[GPUVM_PC * push.lanes + at] = pc;
        state[GPUVM_BASE * push.lanes + at] = base;
        state[GPUVM_DEPTH * push.lanes + at] = depth;
        state[GPUVM_FUEL * push.lanes + at] = fuel_low;
        state[(GPUVM_FUEL + 1) * push.lanes + at] = fuel_high;
        state[GPUVM_PAGES * push.lanes + at] = pages;
        state[GPUVM_PROGRESS * push.lanes + at] = progress;
    }
    clock_ends();
    const uint stopped = subgroupAdd(ran && !running ? 1 : 0), go_on = subgroupAdd(running ? 1 : 0);
    if (lane == 0) {
        atomicAdd(books[GPUVM_BOOK_STOPPED], stopped);
        atomicAdd(books[GPUVM_BOOK_RUNNING], go_on);
        atomicAdd(books[GPUVM_BOOK_ROUNDS], budget - left);
        const uint before = atomicAdd(books[GPUVM_BOOK_STEPS], work_low);
        atomicAdd(books[GPUVM_BOOK_STEPS + 1], work_high + (before + work_low < before ? 1 : 0));
        // A driver that ends loops by itself must not go unnoticed.
        atomicAdd(books[left != 0 && go_on != 0 ? GPUVM_BOOK_CUT : GPUVM_BOOK_ENDED], 1);
    }
}
