// Host calls that the device answers itself (engine/gpuvm/host_rule.h). A call that it cannot answer exactly yields,
// with nothing changed.

const uint DONE = 0, AGAIN = 1, TO_HOST = 2; // AGAIN: a page is missing, or bytes are left

uint64_t fuel_of(uint low, uint high) {
    return packUint2x32(uvec2(low, high));
}

uint64_t state_u64(uint word, uint at) {
    return packUint2x32(uvec2(state[word * push.lanes + at], state[(word + 1) * push.lanes + at]));
}

void set_state_u64(uint word, uint at, uint64_t value) {
    const uvec2 halves = unpackUint2x32(value);
    state[word * push.lanes + at] = halves.x;
    state[(word + 1) * push.lanes + at] = halves.y;
}

// The bytes that a pointer refers to; false: not all of them are in memory.
bool text_at(uint record, uint pointer, uint64_t size, out uint bytes) {
    bytes = 0;
    if (pointer < 4 || uint64_t(pointer) > size) return false;
    bytes = read_bytes(record, pointer - 4, 4);
    return uint64_t(pointer) + bytes <= size;
}

bool room_at(uint pointer, uint bytes, uint64_t size) {
    return pointer >= 4 && uint64_t(pointer) + bytes <= size;
}

// A key in memory: `bytes` of them, those from `split` on at `rest`. Every read of memory is inlined where it is written,
// so keys of one and of two parts are read in the same place.
struct Key {
    uint pointer, split, rest, bytes;
};

uint address_in(Key key, uint i) {
    return i < key.split ? key.pointer + i : key.rest + (i - key.split);
}

// Whether a key is the bytes at `place` of the inputs.
bool key_is(uint record, Key key, uint place) {
    for (uint i = 0; i < key.bytes; i += 4) { // a split is a multiple of four, or the end
        ++counted;
        const uint n = min(4, key.bytes - i);
        const uint mask = ~0u >> (32 - n * 8);
        if (((read_bytes(record, address_in(key, i), n) ^ input_bytes(place + i, n)) & mask) != 0) return false;
    }
    return true;
}

// The index of a key in the value table, or ~0. The hash is FNV-1a of the owner's four bytes and the key's.
uint find_value(uint record, uint owner, Key key) {
    uint64_t hash = 0xcbf29ce484222325ul;
    const uint64_t prime = 0x100000001b3ul;
    for (uint i = 0; i < 4; ++i) hash = (hash ^ uint64_t((owner >> (8 * i)) & 255)) * prime;
    for (uint i = 0; i < key.bytes; ++i) {
        ++counted;
        hash = (hash ^ uint64_t(read_bytes(record, address_in(key, i), 1) & 255)) * prime;
    }
    const uvec2 wanted = unpackUint2x32(hash);
    uint probe = wanted.x & push.value_mask;
    for (uint i = 0; i <= push.value_mask; ++i) {
        ++counted;
        const uint place = push.value_table + probe * GPUVM_VALUE_WORDS;
        const uint found = inputs[place + GPUVM_VALUE_OWNER];
        if (found == GPUVM_NO_OWNER) return ~0u;
        if (found == owner && inputs[place] == wanted.x && inputs[place + 1] == wanted.y &&
            inputs[place + GPUVM_VALUE_KEY_BYTES] == key.bytes && key_is(record, key, inputs[place + GPUVM_VALUE_KEY]))
            return place;
        probe = (probe + 1) & push.value_mask;
    }
    return ~0u;
}

// Whether a pointer refers to 16 zeros (a list of no tokens) or to bytes that begin with a map: the number of its entries,
// then each key and value after its length.
bool is_list(uint record, uint pointer, uint64_t size, bool is_map) {
    uint bytes = 0;
    if (!text_at(record, pointer, size, bytes) || (is_map ? bytes > GPUVM_MOST_MAP_BYTES : bytes != 16)) return false;
    uint at = 0, words = is_map ? 1 : 4;
    for (uint i = 0; i < words; ++i) {
        ++counted;
        if (at + 4 > bytes) return false;
        const uint word = read_bytes(record, pointer + at, 4);
        at += 4;
        if (!is_map) {
            if (word != 0) return false;
        } else if (i == 0) {
            if (word > bytes / 8) return false;
            words += 2 * word;
        } else {
            if (word > bytes - at) return false;
            at += word;
        }
    }
    return true;
}

// The place in the inputs of what a value rule, or a known call, answers with; ~0: it does not.
uint known_value(uint kind, uint record, uint at, uint window, uint first, uint64_t size, out uint key_bytes) {
    const bool is_call = kind == GPUVM_RULE_KNOWN_CALL, is_pair = kind == GPUVM_RULE_PAIR_COPY;
    const bool is_single = kind == GPUVM_RULE_SINGLE_COPY;
    key_bytes = 0;
    if (push.value_count == 0 || state[GPUVM_LOGGED * push.lanes + at] >= push.log_words) return ~0u;
    uint owner = state[GPUVM_OWNER * push.lanes + at] + (is_pair || is_single ? 1 : 0);
    if (is_call) {
        owner = state[GPUVM_CALLS * push.lanes + at];
        if (owner == GPUVM_NO_OWNER) return ~0u;
        for (uint i = 1; i <= 2; ++i)
            if (!is_list(record, cells[window + i * WAVE].x, size, i == 2)) return ~0u;
    } else if ((state[GPUVM_FLAGS * push.lanes + at] & GPUVM_FLAG_VALUES) == 0) {
        return ~0u;
    }
    if (!is_single && !text_at(record, first, size, key_bytes)) return ~0u;
    Key key = Key(first, key_bytes, 0, key_bytes);
    if (is_pair) {
        uint second_bytes = 0;
        key.rest = cells[window + WAVE].x;
        if (!text_at(record, key.rest, size, second_bytes) || min(key_bytes, second_bytes) < GPUVM_HALF_BYTES) return ~0u;
        key.split = GPUVM_HALF_BYTES;
        key.bytes = 2 * GPUVM_HALF_BYTES;
    }
    if (key.bytes > GPUVM_MOST_KEY_BYTES) return ~0u;
    return find_value(record, owner, key);
}

// One step of a host call of this lane. `window`: cell of the first argument; `answer`: cell 0 of the window after it.
uint host_step(uint rule, uint record, uint at, uint window, uint pages, inout uint fuel_low, inout uint fuel_high,
               inout uint progress, out uvec2 answer) {
    const uint word = data[rule + GPUVM_RULE_KIND], kind = word & GPUVM_RULE_KINDS;
    const uint64_t size = uint64_t(pages) << 16;
    answer = uvec2(0);
    if (kind == GPUVM_RULE_YIELD) return TO_HOST;
    const uint first = cells[window].x;
    uint64_t n = 0;        // what the fee counts
    uint to = first;       // where a copy goes,
    uint from = 0, bytes = 0; // and what: input bytes
    bool copies = false;
    uint place = ~0u;
    if (kind == GPUVM_RULE_CONSTANT) {
        answer = uvec2(data[rule + GPUVM_RULE_SLOT], data[rule + GPUVM_RULE_SLOT + 1]);
    } else if (kind == GPUVM_RULE_BLOB_LENGTH || kind == GPUVM_RULE_BLOB_COPY) {
        const uint blob = GPUVM_BLOBS + 2 * data[rule + GPUVM_RULE_SLOT];
        from = state[blob * push.lanes + at];
        if (from == GPUVM_NO_BLOB) return TO_HOST;
        bytes = state[(blob + 1) * push.lanes + at];
        n = bytes;
        answer.x = bytes;
        copies = kind == GPUVM_RULE_BLOB_COPY;
    } else if (kind == GPUVM_RULE_GIVEN_COPY) {
        const uint given = state[GPUVM_GIVEN * push.lanes + at];
        if (given == 0) return TO_HOST;
        from = inputs[given + GPUVM_VALUE_AT];
        bytes = inputs[given + GPUVM_VALUE_BYTES];
        n = bytes;
        copies = true;
    } else if (kind != GPUVM_RULE_FUEL && kind != GPUVM_RULE_TEXT) { // values, and known calls
        uint key_bytes = 0;
        if (progress == 0) {
            place = known_value(kind, record, at, window, first, size, key_bytes);
            if (place == ~0u) return TO_HOST;
            state[GPUVM_FOUND * push.lanes + at] = place;
        } else {
            place = state[GPUVM_FOUND * push.lanes + at];
        }
        from = inputs[place + GPUVM_VALUE_AT];
        bytes = inputs[place + GPUVM_VALUE_BYTES];
        if (kind == GPUVM_RULE_VALUE_LENGTH || kind == GPUVM_RULE_VALUE_COPY) n = uint64_t(key_bytes) + bytes;
        answer.x = bytes;
        copies = kind != GPUVM_RULE_VALUE_LENGTH && kind != GPUVM_RULE_KNOWN_CALL;
        if (kind == GPUVM_RULE_VALUE_COPY) to = cells[window + WAVE].x;
        if (kind == GPUVM_RULE_PAIR_COPY) to = cells[window + 2 * WAVE].x;
    } else if (kind == GPUVM_RULE_FUEL) {
        bytes = 8;
        copies = true;
    } else { // text
        uint text_bytes = 0;
        if (!text_at(record, first, size, text_bytes) || text_bytes > 1024) return TO_HOST;
        for (uint i = 0; i < text_bytes; i += 4) {
            ++counted;
            const uint some = min(4, text_bytes - i);
            if ((read_bytes(record, first + i, some) & (~0u >> (32 - some * 8)) & 0x80808080u) != 0) return TO_HOST;
        }
    }
    if (copies) {
        answer.x = (word & GPUVM_RULE_ANSWERS_POINTER) != 0 ? to : 0;
        if (progress == 0) {
            if (!room_at(to, bytes, size)) return TO_HOST;
            fault = missing_page(to - 4, 4);
            if (kind == GPUVM_RULE_FUEL && fault == 0) fault = missing_page(to, 8);
        }
    }
    if (progress == 0) {
        const uint64_t left = fuel_of(fuel_low, fuel_high);
        const uint64_t fee = packUint2x32(uvec2(data[rule + GPUVM_RULE_FEE], data[rule + GPUVM_RULE_FEE + 1])) +
                             uint64_t(data[rule + GPUVM_RULE_BYTE_FEE]) * n;
        if (fee > left) {
            fault = 0;
            return TO_HOST;
        }
        if (fault != 0) return AGAIN;
        if (left - fee < state_u64(GPUVM_LEAST, at)) set_state_u64(GPUVM_LEAST, at, left - fee);
        if (kind == GPUVM_RULE_KNOWN_CALL) state[GPUVM_GIVEN * push.lanes + at] = place;
        if (place != ~0u) {
            const uint logged = state[GPUVM_LOGGED * push.lanes + at];
            exchange[(2 * GPUVM_EXCHANGE_CELLS + logged) * push.lanes + at] = inputs[place + GPUVM_VALUE_ID];
            state[GPUVM_LOGGED * push.lanes + at] = logged + 1;
        }
        if (copies) write_bytes(to - 4, bytes, 4);
        if (kind == GPUVM_RULE_FUEL) {
            write_bytes(to, fuel_low, 4);
            write_bytes(to + 4, fuel_high, 4);
            state[GPUVM_FLAGS * push.lanes + at] |= GPUVM_FLAG_FUEL_READ;
            bytes = 0; // nothing is left to copy
        }
        if ((word & GPUVM_RULE_DEDUCTS) != 0) {
            const uvec2 after = unpackUint2x32(left - fee);
            fuel_low = after.x, fuel_high = after.y;
            set_state_u64(GPUVM_FEES, at, state_u64(GPUVM_FEES, at) + fee);
        }
        if (!copies || bytes == 0) return DONE;
        progress = 1;
    }
    uint done = progress - 1;
    const bool all = move_bytes(record, FROM_INPUTS, to, from, bytes, done);
    progress = all ? 0 : done + 1;
    return all ? DONE : AGAIN;
}
