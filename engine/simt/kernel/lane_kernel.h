/* The kernel of compiled lanes: prepares a lane's frame, answers its imports by rules and by the
   tape, and gives back what became of it. The same source runs on a GPU, in C, and on the host, in
   C++ (simt/host_kernel.cpp). A rule that cannot answer exactly yields, with nothing changed
   (gpuvm/host_rule.h). */
#pragma once

#include "layout.h"

#ifdef __cplusplus
#include <cstring>
namespace blockloom::simt {
#define LANE_AS(type, address) reinterpret_cast<type>(address)
#else
#define LANE_AS(type, address) ((type)(address))
#endif

/* native::LaneHeader */
struct LaneHead {
    u64 memory_bytes, fees, leave, answer;
    struct LaneOwn own;
};

/* native::Exit */
enum { EXIT_NONE, EXIT_TRAP, EXIT_FUEL, EXIT_WINDOW, EXIT_HOST = 6 };

struct LaneLaunch {
    struct LaneBuffers buffers;
    struct LanePush push;
    u64 host; /* on the host: where the pages that rules read are recorded, or 0 */
};

typedef const LANE_GLOBAL u8* LaneBytes;

#ifdef __NVPTX__
#define LANE_UNROLL _Pragma("unroll 8")
typedef u64 LanePair __attribute__((ext_vector_type(2))); /* what a thread stores at once */
#else
#define LANE_UNROLL
struct LanePair {
    u64 x, y;
};
#endif

LANE_INLINE LaneBytes lane_bytes(u64 address) {
    return LANE_AS(LaneBytes, address);
}
LANE_INLINE const LANE_GLOBAL u32* lane_words(u64 address) {
    return LANE_AS(const LANE_GLOBAL u32*, address);
}
LANE_INLINE const LANE_GLOBAL struct LaneProgram* lane_program(const struct LaneLaunch* launch) {
    return LANE_AS(const LANE_GLOBAL struct LaneProgram*, launch->buffers.program);
}
LANE_INLINE const LANE_GLOBAL struct LaneInput* lane_input(const struct LaneLaunch* launch,
                                                           u32 lane) {
    return LANE_AS(const LANE_GLOBAL struct LaneInput*, launch->buffers.lanes) + lane;
}
LANE_INLINE LANE_GLOBAL u64* lane_row(const struct LaneLaunch* launch, u32 row, u32 lane) {
    return LANE_AS(LANE_GLOBAL u64*, launch->buffers.results) +
           ((u64)row * launch->push.stride + lane);
}
LANE_INLINE LANE_GLOBAL u32* lane_log(const struct LaneLaunch* launch, u32 row, u32 lane) {
    return LANE_AS(LANE_GLOBAL u32*, launch->buffers.log) + ((u64)row * launch->push.stride + lane);
}
LANE_INLINE LANE_LOCAL struct LaneHead* lane_head(LANE_LOCAL u8* frame) {
    return LANE_AS(LANE_LOCAL struct LaneHead*, frame);
}

/* Where these bytes are in the frame; 0: no window has all of them. */
LANE_INLINE u32 lane_place(const struct LaneLaunch* launch, u64 address, u64 bytes) {
    const LANE_GLOBAL struct LaneProgram* program = lane_program(launch);
    const LANE_GLOBAL struct LaneWindow* window =
        LANE_AS(const LANE_GLOBAL struct LaneWindow*, launch->buffers.program + program->windows);
    for (u32 i = 0; i < program->window_count; ++i) {
        const u64 begin = window[i].begin, end = begin + window[i].bytes;
        if (address >= begin && address + bytes <= end)
            return (u32)(window[i].at + (address - begin));
    }
    return 0;
}

LANE_INLINE u32 lane_word_at(const LANE_LOCAL u8* at) {
    return (u32)at[0] | (u32)at[1] << 8 | (u32)at[2] << 16 | (u32)at[3] << 24;
}
LANE_INLINE void lane_put_word(LANE_LOCAL u8* at, u32 word) {
    at[0] = (u8)word, at[1] = (u8)(word >> 8), at[2] = (u8)(word >> 16), at[3] = (u8)(word >> 24);
}

#ifdef __cplusplus
/* native::RanCode::pages_copied */
void record_pages(u64 at, u64 address, u64 bytes);
#endif

/* What a rule looked up; `exit`: the lane leaves. */
struct LaneFound {
    u64 answer, counted; /* `counted`: bytes that the fee counts */
    LaneBytes bytes;     /* what a copy writes */
    u32 size, to, copies, gives, is_fuel, has_read, id, exit;
};

/* The bytes that a pointer refers to: their place in the frame; 0: the rule yields, or the lane
 * leaves. */
LANE_INLINE u32 lane_text(const struct LaneLaunch* launch, const LANE_LOCAL u8* frame, u64 memory,
                          u32 pointer, u32 most, u32* bytes, u32* exit) {
    if (pointer < LANE_LENGTH || pointer > memory) return 0;
    const u32 length = lane_place(launch, pointer - LANE_LENGTH, LANE_LENGTH);
    if (length == 0) {
        *exit = EXIT_WINDOW;
        return 0;
    }
    *bytes = lane_word_at(frame + length);
    if ((u64)pointer + *bytes > memory || *bytes > most) return 0;
#ifdef __cplusplus
    if (launch->host != 0) record_pages(launch->host, pointer - LANE_LENGTH, *bytes + LANE_LENGTH);
#endif
    const u32 place = lane_place(launch, pointer, *bytes);
    if (place == 0) *exit = EXIT_WINDOW;
    return place;
}

LANE_INLINE u64 lane_hash(u64 hash, const LANE_LOCAL u8* bytes, u32 count) {
    for (u32 i = 0; i < count; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3ull;
    return hash;
}
LANE_INLINE u32 lane_same(LaneBytes known, const LANE_LOCAL u8* bytes, u32 count) {
    u32 same = 0;
    while (same < count && known[same] == bytes[same]) ++same;
    return same == count;
}

/* The value of a key whose bytes are at `key`, and of a pair the other half at `second`. */
LANE_INLINE const LANE_GLOBAL struct LaneValue* lane_find(const struct LaneLaunch* launch,
                                                          const LANE_LOCAL u8* key, u32 key_bytes,
                                                          const LANE_LOCAL u8* second,
                                                          u32 second_bytes, u32 owner) {
    const u32 bytes = key_bytes + second_bytes;
    u64 hash = 0xcbf29ce484222325ull;
    hash = lane_hash(lane_hash(hash, key, key_bytes), second, second_bytes);
    for (u32 i = 0; i < 4; ++i) hash = (hash ^ ((owner >> (8 * i)) & 255)) * 0x100000001b3ull;
    const LANE_GLOBAL struct LaneValue* table =
        LANE_AS(const LANE_GLOBAL struct LaneValue*, launch->buffers.inputs + launch->push.values);
    u32 probe = (u32)hash & launch->push.value_mask;
    for (u32 i = 0; i <= launch->push.value_mask; ++i) {
        const LANE_GLOBAL struct LaneValue* value = table + probe;
        if (value->owner == 0xffffffffu) return 0;
        if (value->owner == owner && value->hash == hash && value->key_bytes == bytes) {
            LaneBytes known = lane_bytes(launch->buffers.inputs) + value->key;
            if (lane_same(known, key, key_bytes) &&
                lane_same(known + key_bytes, second, second_bytes))
                return value;
        }
        probe = (probe + 1) & launch->push.value_mask;
    }
    return 0;
}

/* Whether the bytes begin with a map: the number of its entries, then each key and value behind its
 * length. */
LANE_INLINE u32 lane_is_map(const LANE_LOCAL u8* map, u32 bytes) {
    if (bytes < LANE_LENGTH) return 0;
    const u64 texts = (u64)lane_word_at(map) * 2;
    u64 at = LANE_LENGTH;
    for (u64 i = 0; i < texts; ++i) {
        if (at + LANE_LENGTH > bytes) return 0;
        at += (u64)LANE_LENGTH + lane_word_at(map + at);
        if (at > bytes) return 0;
    }
    return 1;
}

/* False: the rule yields, or the lane leaves with found->exit. */
LANE_INLINE u32 lane_look(const struct LaneLaunch* launch, const LANE_GLOBAL struct LaneRule* rule,
                          LANE_LOCAL u8* frame, const u64* cells, struct LaneFound* found) {
    LANE_LOCAL struct LaneHead* head = lane_head(frame);
    const LANE_GLOBAL struct LaneInput* input = lane_input(launch, head->own.lane);
    const u64 memory = head->memory_bytes;
    const u32 first = (u32)cells[0];
    u32 size = 0;
    found->to = first;
    switch (rule->kind) {
    case LANE_RULE_CONSTANT:
        found->answer = rule->value;
        return 1;
    case LANE_RULE_BLOB_LENGTH:
    case LANE_RULE_BLOB_COPY:
        if (input->blobs[rule->slot][0] == (u32)LANE_NO_BLOB) return 0;
        found->bytes = lane_bytes(launch->buffers.inputs) + input->blobs[rule->slot][0];
        found->size = input->blobs[rule->slot][1];
        found->answer = found->counted = found->size;
        found->copies = rule->kind == LANE_RULE_BLOB_COPY;
        return 1;
    case LANE_RULE_VALUE_LENGTH:
    case LANE_RULE_VALUE_COPY:
    case LANE_RULE_PAIR_COPY:
    case LANE_RULE_SINGLE_COPY: {
        if (launch->push.value_count == 0 || (head->own.flags & LANE_FLAG_VALUES) == 0 ||
            head->own.reads >= launch->push.log_rows)
            return 0;
        const u32 is_pair = rule->kind == LANE_RULE_PAIR_COPY,
                  is_single = rule->kind == LANE_RULE_SINGLE_COPY;
        u32 key = 0, second = 0, second_bytes = 0;
        if (!is_single) {
            key = lane_text(launch, frame, memory, first,
                            is_pair ? 0xffffffffu : (u32)LANE_MOST_KEY, &size, &found->exit);
            if (key == 0) return 0;
        }
        if (is_pair) {
            second = lane_text(launch, frame, memory, (u32)cells[1], 0xffffffffu, &second_bytes,
                               &found->exit);
            if (second == 0 || size < LANE_HALF || second_bytes < LANE_HALF) return 0;
            size = second_bytes = LANE_HALF;
        }
        const LANE_GLOBAL struct LaneValue* value =
            lane_find(launch, frame + key, size, frame + second, second_bytes,
                      input->owner + (is_pair | is_single));
        if (value == 0) return 0;
        found->bytes = lane_bytes(launch->buffers.inputs) + value->value;
        found->size = value->value_bytes;
        found->counted = is_pair | is_single ? 0 : (u64)size + found->size;
        found->answer = found->size;
        found->has_read = 1;
        found->id = value->id;
        found->copies = rule->kind != LANE_RULE_VALUE_LENGTH;
        if (rule->kind == LANE_RULE_VALUE_COPY) found->to = (u32)cells[1];
        if (is_pair) found->to = (u32)cells[2];
        return 1;
    }
    case LANE_RULE_FUEL:
        found->size = 8;
        found->copies = found->is_fuel = 1;
        return 1;
    case LANE_RULE_GIVEN_COPY:
        if (head->own.given == 0) return 0;
        found->bytes = lane_bytes(head->own.given);
        found->size = head->own.given_bytes;
        found->counted = found->size;
        found->copies = 1;
        return 1;
    case LANE_RULE_KNOWN_CALL: {
        if (launch->push.value_count == 0 || (head->own.flags & LANE_FLAG_CALLS) == 0 ||
            head->own.reads >= launch->push.log_rows)
            return 0;
        const u32 tokens =
            lane_text(launch, frame, memory, (u32)cells[1], LANE_EMPTY_LIST, &size, &found->exit);
        if (tokens == 0 || size != LANE_EMPTY_LIST) return 0;
        for (u32 k = 0; k < LANE_EMPTY_LIST; ++k)
            if (frame[tokens + k] != 0) return 0;
        const u32 map =
            lane_text(launch, frame, memory, (u32)cells[2], LANE_MOST_MAP, &size, &found->exit);
        if (map == 0 || !lane_is_map(frame + map, size)) return 0;
        const u32 key = lane_text(launch, frame, memory, first, LANE_MOST_KEY, &size, &found->exit);
        if (key == 0) return 0;
        const LANE_GLOBAL struct LaneValue* value =
            lane_find(launch, frame + key, size, frame, 0, head->own.calls);
        if (value == 0) return 0;
        found->bytes = lane_bytes(launch->buffers.inputs) + value->value;
        found->size = value->value_bytes;
        found->answer = found->size;
        found->gives = found->has_read = 1;
        found->id = value->id;
        return 1;
    }
    case LANE_RULE_TEXT: {
        const u32 text =
            lane_text(launch, frame, memory, first, LANE_MOST_TEXT, &size, &found->exit);
        if (text == 0) return 0;
        for (u32 i = 0; i < size; ++i)
            if (frame[text + i] >= 0x80) return 0;
        return 1;
    }
    default:
        return 0;
    }
}

/* True: the rule has answered. */
LANE_INLINE u32 lane_by_rule(const struct LaneLaunch* launch,
                             const LANE_GLOBAL struct LaneRule* rule, LANE_LOCAL u8* frame,
                             u64* fuel, u64* cells, u32* exit) {
    if (rule->kind == LANE_RULE_YIELD) return 0;
    LANE_LOCAL struct LaneHead* head = lane_head(frame);
    const u64 left = *fuel + head->own.held_back;
    struct LaneFound found = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    if (!lane_look(launch, rule, frame, cells, &found)) {
        *exit = found.exit;
        return 0;
    }
    if (found.copies) {
        found.answer = rule->answers_pointer ? found.to : 0;
        if (found.to < LANE_LENGTH || (u64)found.to + found.size > head->memory_bytes) return 0;
    }
    const u64 fee = rule->fee + rule->fee_per_byte * found.counted;
    if (fee > left) return 0;
    if (rule->deducts && fee > *fuel) { /* what is held back is not there */
        *exit = EXIT_FUEL;
        return 0;
    }
    if (found.copies) {
        const u32 place = lane_place(launch, found.to - LANE_LENGTH, (u64)LANE_LENGTH + found.size);
        if (place == 0) {
            *exit = EXIT_WINDOW;
            return 0;
        }
        lane_put_word(frame + place, found.size);
        LANE_LOCAL u8* to = frame + place + LANE_LENGTH;
        if (found.is_fuel) {
            lane_put_word(to, (u32)left);
            lane_put_word(to + 4, (u32)(left >> 32));
        } else {
            for (u32 i = 0; i < found.size; ++i) to[i] = found.bytes[i];
        }
    }
    if (found.gives) {
        head->own.given = LANE_AS(u64, found.bytes);
        head->own.given_bytes = found.size;
    }
    if (left - fee < head->own.least) head->own.least = left - fee;
    if (found.has_read) *lane_log(launch, head->own.reads++, head->own.lane) = found.id;
    if (found.is_fuel) head->own.fuel_read = 1;
    if (rule->deducts) {
        *fuel -= fee;
        head->fees += fee;
    }
    cells[0] = found.answer;
    return 1;
}

/* The host's answer to this call, in an earlier run; the lane leaves with what is returned. */
LANE_INLINE u32 lane_by_tape(const struct LaneLaunch* launch, LANE_LOCAL u8* frame, u64* fuel,
                             u64* cells) {
    LANE_LOCAL struct LaneHead* head = lane_head(frame);
    const LANE_GLOBAL struct LaneAnswer* answer =
        LANE_AS(const LANE_GLOBAL struct LaneAnswer*, launch->buffers.lanes + head->own.tape);
    const u64 results = launch->buffers.lanes + head->own.tape + sizeof(struct LaneAnswer);
    const u64 numbers = results + (u64)answer->results * 8;
    const u64 pages = numbers + ((u64)answer->pages * 4 + 7) / 8 * 8;
    if (answer->memory_pages != 0) head->memory_bytes = (u64)answer->memory_pages << 16;
    for (u32 i = 0; i < answer->pages; ++i) {
        const u32 place = lane_place(launch, (u64)lane_words(numbers)[i] * LANE_PAGE, LANE_PAGE);
        if (place == 0) return EXIT_WINDOW;
        LaneBytes from = lane_bytes(pages + (u64)i * LANE_PAGE);
        for (u32 k = 0; k < LANE_PAGE; ++k) frame[place + k] = from[k];
    }
    head->own.flags &= answer->flags;
    if (answer->gives) {
        head->own.given = pages + (u64)answer->pages * LANE_PAGE;
        head->own.given_bytes = answer->given_bytes;
    }
    head->own.tape += answer->size;
    ++head->own.played;
    if (answer->fee > *fuel) return EXIT_FUEL;
    *fuel -= answer->fee;
    head->fees += answer->fee;
    for (u32 i = 0; i < answer->results; ++i)
        cells[i] = LANE_AS(const LANE_GLOBAL u64*, results)[i];
    return EXIT_NONE;
}

LANE_INLINE u32 lane_add(LANE_GLOBAL u32* to, u32 more) {
#ifdef __NVPTX__
    return (u32)__nvvm_atom_add_gen_i((int*)to, (int)more);
#else
    return __atomic_fetch_add(to, more, __ATOMIC_RELAXED);
#endif
}

/* The page of the image that starts in a window at this place of the frame; 0: it is zero. `next`:
   where the search begins, for places that ascend. */
LANE_INLINE LaneBytes lane_image_page(const struct LaneLaunch* launch, u32 number, u32* next) {
    const LANE_GLOBAL struct LaneProgram* program = lane_program(launch);
    const LANE_GLOBAL struct LaneImagePage* pages =
        LANE_AS(const LANE_GLOBAL struct LaneImagePage*, launch->buffers.program + program->pages);
    while (*next < program->page_count && pages[*next].number < number) ++*next;
    if (*next == program->page_count || pages[*next].number != number) return 0;
    return lane_bytes(launch->buffers.program + program->page_bytes + (u64)*next * LANE_PAGE);
}

/* Pages of the frame that differ from the start are counted, or copied to the dump. Returns how
 * many. */
LANE_INLINE u32 lane_pages(const struct LaneLaunch* launch, const LANE_LOCAL u8* frame, u32 copies,
                           u32 first, u32* sum) {
    const LANE_GLOBAL struct LaneProgram* program = lane_program(launch);
    const LANE_GLOBAL struct LaneWindow* window =
        LANE_AS(const LANE_GLOBAL struct LaneWindow*, launch->buffers.program + program->windows);
    LANE_GLOBAL u32* numbers = LANE_AS(LANE_GLOBAL u32*, launch->buffers.dump + LANE_DUMP_NUMBERS);
    const u64 pages = launch->buffers.dump + LANE_DUMP_NUMBERS + (u64)launch->push.dump_pages * 4;
    u32 count = 0, image = 0;
    for (u32 w = 0; w < program->window_count; ++w)
        for (u32 offset = 0; offset < window[w].bytes; offset += LANE_PAGE) {
            const u32 number = (window[w].begin + offset) / LANE_PAGE;
            const LANE_LOCAL u32* now =
                LANE_AS(const LANE_LOCAL u32*, frame + window[w].at + offset);
            LaneBytes then = lane_image_page(launch, number, &image);
            u32 differs = 0;
            for (u32 i = 0; i < LANE_PAGE / 4 && !differs; ++i)
                differs = now[i] != (then ? LANE_AS(const LANE_GLOBAL u32*, then)[i] : 0);
            if (!differs) continue;
            if (copies) {
                LANE_GLOBAL u32* to =
                    LANE_AS(LANE_GLOBAL u32*, pages + (u64)(first + count) * LANE_PAGE);
                numbers[first + count] = number;
                *sum = lane_mix(*sum, number);
                for (u32 i = 0; i < LANE_PAGE / 4; ++i) {
                    to[i] = now[i];
                    *sum = lane_mix(*sum, now[i]);
                }
            }
            ++count;
        }
    return count;
}

/* The lane's globals and the pages that it wrote, for the host; false: there is no room. */
LANE_INLINE u32 lane_dump(const struct LaneLaunch* launch, const LANE_LOCAL u8* frame, u32 lane,
                          u32* sum) {
    const LANE_GLOBAL struct LaneProgram* program = lane_program(launch);
    const u32 global_pages = (program->global_count * 8 + LANE_PAGE - 1) / LANE_PAGE;
    const u32 count = global_pages + lane_pages(launch, frame, 0, 0, sum);
    const u32 first =
        count == 0 ? 0 : lane_add(LANE_AS(LANE_GLOBAL u32*, launch->buffers.dump), count);
    if (first + count > launch->push.dump_pages) return 0;
    LANE_GLOBAL u32* numbers = LANE_AS(LANE_GLOBAL u32*, launch->buffers.dump + LANE_DUMP_NUMBERS);
    const u64 pages = launch->buffers.dump + LANE_DUMP_NUMBERS + (u64)launch->push.dump_pages * 4;
    for (u32 i = 0; i < global_pages; ++i) numbers[first + i] = LANE_DUMP_GLOBALS;
    for (u32 i = 0; i < program->global_count; ++i) {
        const u64 cell = LANE_AS(const LANE_LOCAL u64*, frame + program->globals_at)[i];
        LANE_AS(LANE_GLOBAL u64*, pages + (u64)first * LANE_PAGE)[i] = cell;
        *sum = lane_mix_wide(*sum, cell);
    }
    lane_pages(launch, frame, 1, first + global_pages, sum);
    *lane_row(launch, LANE_ROW_DUMP, lane) = (u64)first | (u64)count << 32;
    return 1;
}

/* The bytes at the first result, if they are in the memory and in a window, and fit. Returns
 * whether they are there. */
LANE_INLINE u32 lane_respond(const struct LaneLaunch* launch, const LANE_LOCAL u8* frame,
                             u64 memory, u32 pointer, u32 lane, u32* bytes, u32* sum) {
    u32 exit = 0, size = 0;
    const u32 rows = launch->push.response_rows;
    const u32 place =
        lane_text(launch, frame, memory, pointer, rows * 4 - LANE_LENGTH, &size, &exit);
    if (place == 0) return 0;
    const LANE_LOCAL u8* from =
        frame + place - LANE_LENGTH; /* a window has both: nothing lies between */
    if (lane_place(launch, pointer - LANE_LENGTH, (u64)LANE_LENGTH + size) + LANE_LENGTH != place)
        return 0;
    *bytes = LANE_LENGTH + size;
    for (u32 i = 0; i * 4 < *bytes; ++i) {
        u32 word = 0;
        if ((place & 3) == 0) {
            word = *LANE_AS(const LANE_LOCAL u32*, from + i * 4);
            if (*bytes - i * 4 < 4) word &= 0xffffffffu >> (8 * (4 - (*bytes - i * 4)));
        } else {
            for (u32 k = 0; k < 4 && i * 4 + k < *bytes; ++k)
                word |= (u32)from[i * 4 + k] << (8 * k);
        }
        *lane_log(launch, launch->push.log_rows + i, lane) = word;
        *sum = lane_mix(*sum, word);
    }
    return 1;
}

/* All that a lane gives but its status. Returns the exit: `exit`, or that it runs again. */
LANE_INLINE u32 lane_give(const struct LaneLaunch* launch, LANE_LOCAL u8* frame, u64 left, u32 exit,
                          const u64* cells, u32 cell_count, u64 call) {
    LANE_LOCAL struct LaneHead* head = lane_head(frame);
    const u32 lane = head->own.lane;
    u32 done = head->own.reads | (head->own.fuel_read ? (u32)LANE_DONE_FUEL_READ : 0), response = 0;
    u32 sum = lane_mix(lane, exit);
    u32 dumps = exit == EXIT_HOST || launch->push.keep;
    if (!dumps && cell_count != 0) {
        const u32 pointer = (u32)cells[0];
        if (lane_respond(launch, frame, head->memory_bytes, pointer, lane, &response, &sum))
            done |= LANE_DONE_RESPONSE;
        else /* it is long, or not what it seems: the host looks at the memory */
            dumps = pointer >= LANE_LENGTH && pointer <= head->memory_bytes;
    }
    if (dumps) {
        if (!lane_dump(launch, frame, lane, &sum)) exit = LANE_NO_DUMP;
        done |= LANE_DONE_DUMPED;
    }
    *lane_row(launch, LANE_ROW_LEFT, lane) = left;
    *lane_row(launch, LANE_ROW_FEES, lane) = head->fees;
    *lane_row(launch, LANE_ROW_MEMORY, lane) = head->memory_bytes;
    *lane_row(launch, LANE_ROW_LEAST, lane) = head->own.least;
    *lane_row(launch, LANE_ROW_CALL, lane) = call;
    const u64 played = (u64)response | (u64)head->own.played << 32;
    *lane_row(launch, LANE_ROW_RESPONSE, lane) = played;
    sum = lane_mix_wide(lane_mix_wide(sum, left), head->fees);
    sum = lane_mix_wide(lane_mix_wide(sum, head->memory_bytes), head->own.least);
    sum = lane_mix(lane_mix_wide(lane_mix_wide(sum, call), played), done);
    for (u32 i = 0; i < cell_count; ++i) {
        *lane_row(launch, LANE_ROW_CELLS + i, lane) = cells[i];
        sum = lane_mix_wide(sum, cells[i]);
    }
    for (u32 i = 0; i < head->own.reads; ++i) sum = lane_mix(sum, *lane_log(launch, i, lane));
    *lane_row(launch, LANE_ROW_SUM, lane) = sum;
    *lane_row(launch, LANE_ROW_STATUS, lane) = (u64)exit | (u64)done << 32;
    return exit;
}

/* The call of an import: none, or the exit with which the lane leaves. */
LANE_INLINE u32 lane_answer(LANE_LOCAL u8* frame, u64* fuel, u32 function, u64* cells, u32 pc) {
    LANE_LOCAL struct LaneHead* head = lane_head(frame);
    const struct LaneLaunch* launch = LANE_AS(const struct LaneLaunch*, head->own.launch);
    const LANE_GLOBAL struct LaneRule* rule =
        LANE_AS(const LANE_GLOBAL struct LaneRule*,
                launch->buffers.program + lane_program(launch)->rules) +
        function;
    u32 exit = EXIT_NONE;
    if (lane_by_rule(launch, rule, frame, fuel, cells, &exit) || exit != EXIT_NONE) return exit;
    if (head->own.played < lane_input(launch, head->own.lane)->tape_count)
        return lane_by_tape(launch, frame, fuel, cells);
    return lane_give(launch, frame, *fuel, EXIT_HOST, cells, rule->parameters,
                     (u64)function | (u64)pc << 32);
}

/* Makes these bytes of the frame zero, as all of them are on the host; multiples of 16. */
LANE_INLINE void lane_clear(LANE_LOCAL u8* frame, u32 from, u32 to) {
#ifdef __NVPTX__
    LANE_LOCAL LanePair* pairs = LANE_AS(LANE_LOCAL LanePair*, frame);
    LANE_UNROLL
    for (u32 i = from / 16; i < to / 16; ++i) pairs[i] = (LanePair){0, 0};
#else
    (void)frame, (void)from, (void)to;
#endif
}

/* The frame of a lane at its start; fills `cells` with the arguments. */
LANE_INLINE void lane_begin(const struct LaneLaunch* launch, LANE_LOCAL u8* frame, u64* cells,
                            u32 lane) {
    const LANE_GLOBAL struct LaneProgram* program = lane_program(launch);
    const LANE_GLOBAL struct LaneInput* input = lane_input(launch, lane);
    const LANE_GLOBAL struct LaneImagePage* pages =
        LANE_AS(const LANE_GLOBAL struct LaneImagePage*, launch->buffers.program + program->pages);
    u32 filled = 0;
    for (u32 i = 0; i < program->page_count; ++i) { /* places ascend */
        const LANE_GLOBAL u64* from =
            LANE_AS(const LANE_GLOBAL u64*,
                    launch->buffers.program + program->page_bytes + (u64)i * LANE_PAGE);
        const u32 at = pages[i].at;
        lane_clear(frame, filled, at);
        LANE_LOCAL LanePair* to = LANE_AS(LANE_LOCAL LanePair*, frame + at);
        LANE_UNROLL
        for (u32 k = 0; k < LANE_PAGE / 16; ++k) {
            to[k].x = from[k * 2];
            to[k].y = from[k * 2 + 1];
        }
        filled = at + LANE_PAGE;
    }
    lane_clear(frame, filled, program->frame_bytes);
    for (u32 i = 0; i < program->global_count; ++i)
        LANE_AS(LANE_LOCAL u64*, frame + program->globals_at)
    [i] = LANE_AS(const LANE_GLOBAL u64*, launch->buffers.program + program->globals)[i];
    LANE_LOCAL struct LaneHead* head = lane_head(frame);
    head->memory_bytes = program->memory_bytes;
    head->fees = 0;
    head->leave = launch->buffers.results + (u64)lane * 8; /* its status */
    head->answer = 0;
    head->own.launch = LANE_AS(u64, launch);
    head->own.least = input->fuel + input->held_back;
    head->own.lane = lane;
    head->own.reads = head->own.fuel_read = head->own.played = 0;
    head->own.flags = input->flags;
    head->own.tape = input->tape;
    head->own.given = head->own.given_bytes = 0;
    head->own.calls = input->calls;
    head->own.held_back = input->held_back;
    const LANE_GLOBAL u64* arguments =
        LANE_AS(const LANE_GLOBAL u64*, launch->buffers.lanes + input->arguments);
    for (u32 i = 0; i < program->parameters; ++i) cells[i] = arguments[i];
}

#ifdef __cplusplus
} // namespace blockloom::simt
#endif
