// Operations that take more than one step: moving bytes. A lane moves at most 64 bytes per step and records its
// progress.

const uint FROM_MEMORY = 0, FROM_INPUTS = 1, FROM_DATA = 2, FROM_BYTE = 3;

uint fault;   // a page that this lane needs before it can continue, + 1; 0: none
uint counted; // rounds of inner loops in this step

// `done` of `bytes` have already been moved. Returns true once all are. Overlapping ranges are moved from the end if
// necessary.
bool move_bytes(uint record, uint kind, uint to, uint from, uint bytes, inout uint done) {
    const bool backwards = kind == FROM_MEMORY && to > from;
    for (uint i = 0; i < 16 && done < bytes; ++i) {
        ++counted;
        const uint left = bytes - done;
        const uint last = to + left - 1; // of what is left, seen from the end
        const uint n = backwards ? min((last & 3) + 1, left) : min(4 - ((to + done) & 3), left);
        const uint at = backwards ? left - n : done;
        const uint page = (to + at) >> 10;
        if (page_table[wave_table + page] == 0) {
            fault = page + 1;
            return false;
        }
        uint value = from * 0x01010101u;
        if (kind == FROM_MEMORY) value = read_bytes(record, from + at, n);
        if (kind == FROM_INPUTS) value = input_bytes(from + at, n);
        if (kind == FROM_DATA) value = data_bytes(from + at, n);
        const uint shift = ((to + at) & 3) * 8;
        write_word((to + at) >> 2, value << shift, (~0u >> (32 - n * 8)) << shift);
        done += n;
    }
    return done == bytes;
}
