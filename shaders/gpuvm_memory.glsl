// A lane's bytes. Words are those of linear memory: address / 4.

// Where a page of the lane is: its frame, or with IN_IMAGE the word of the data buffer where it begins, or NOWHERE:
// zeros.
const uint IN_IMAGE = 0x80000000u, NOWHERE = ~0u;

// The two pages that were looked up last, the later one first. Frames never move; a cached page without a frame is
// dropped when the wave gets a frame for it.
uint page_a = ~0u, place_a = NOWHERE, page_b = ~0u, place_b = NOWHERE;

void forget_pages() {
    page_a = page_b = ~0u;
    place_a = place_b = NOWHERE;
}

uint place_of(uint record, uint page) {
    if (page == page_a) return place_a;
    if (page == page_b) return place_b;
    const uint found = page_table[wave_table + page];
    uint where = found - 1;
    if (found == 0) {
        const uint from = image_page(record, page);
        where = from != 0 ? from | IN_IMAGE : NOWHERE;
    }
    page_b = page_a, place_b = place_a;
    page_a = page, place_a = where;
    return where;
}

uint word_at(uint where, uint word) {
    if ((where & IN_IMAGE) == 0) return pool[frame_word(where, word & 255)];
    return where != NOWHERE ? data[(where & ~IN_IMAGE) + (word & 255)] : 0;
}

uint read_word(uint record, uint word) {
    return word_at(place_of(record, word >> 8), word);
}

// Four bytes at any address, of which only the first `bytes` count.
uint read_bytes(uint record, uint address, uint bytes) {
    const uint shift = (address & 3) * 8;
    uint value = read_word(record, address >> 2) >> shift;
    if ((address & 3) + bytes > 4) value |= read_word(record, (address >> 2) + 1) << (32 - shift);
    return value;
}

uint input_bytes(uint address, uint bytes) {
    const uint shift = (address & 3) * 8;
    uint value = inputs[address >> 2] >> shift;
    if ((address & 3) + bytes > 4) value |= inputs[(address >> 2) + 1] << (32 - shift);
    return value;
}

uint data_bytes(uint address, uint bytes) { // an address in bytes of the data buffer
    const uint shift = (address & 3) * 8;
    uint value = data[address >> 2] >> shift;
    if ((address & 3) + bytes > 4) value |= data[(address >> 2) + 1] << (32 - shift);
    return value;
}

// The page that a write of `bytes` at `address` misses, + 1; 0: all of it is resident.
uint missing_page(uint address, uint bytes) {
    const uint first = address >> 10, last = (address + bytes - 1) >> 10;
    if (page_table[wave_table + first] == 0) return first + 1;
    return page_table[wave_table + last] == 0 ? last + 1 : 0;
}

// Into a word whose page is resident: the bytes that the mask names.
void write_word(uint word, uint value, uint mask) {
    const uint at = frame_word(page_table[wave_table + (word >> 8)] - 1, word & 255);
    pool[at] = mask == ~0u ? value : (pool[at] & ~mask) | (value & mask);
}

// The low `bytes` (1 to 4) of a value to any address whose pages are resident.
void write_bytes(uint address, uint value, uint bytes) {
    const uint shift = (address & 3) * 8;
    const uint mask = ~0u >> (32 - bytes * 8);
    write_word(address >> 2, value << shift, mask << shift);
    if ((address & 3) + bytes > 4) write_word((address >> 2) + 1, value >> (32 - shift), mask >> (32 - shift));
}
