#include "alkane.h"

void bytes_reserve(bytes* to, uint32_t more) {
    const uint32_t needed = to->size + more;
    if (needed <= to->capacity) return;
    uint32_t capacity = to->capacity * 2;
    if (capacity < 16) capacity = 16;
    if (capacity < needed) capacity = needed;
    to->data = realloc(to->data, capacity);
    to->capacity = capacity;
}

__attribute__((noinline)) void bytes_append(bytes* to, const void* from, uint32_t size) {
    bytes_reserve(to, size);
    memcpy(to->data + to->size, from, size);
    to->size += size;
}

void bytes_text(bytes* to, const char* text) {
    bytes_append(to, text, strlen(text));
}
void bytes_u8(bytes* to, uint8_t value) {
    bytes_append(to, &value, sizeof value);
}
void bytes_u32(bytes* to, uint32_t value) {
    bytes_append(to, &value, sizeof value);
}
void bytes_u64(bytes* to, uint64_t value) {
    bytes_append(to, &value, sizeof value);
}
void bytes_u128(bytes* to, u128 value) {
    bytes_append(to, &value, sizeof value);
}

void bytes_id(bytes* to, alkane_id id) {
    bytes_u128(to, id.block);
    bytes_u128(to, id.tx);
}

void bytes_decimal(bytes* to, u128 value) {
    uint8_t digits[39];
    uint32_t at = sizeof digits;
    do {
        digits[--at] = (uint8_t)('0' + (uint32_t)(value % 10));
        value /= 10;
    } while (value != 0);
    bytes_append(to, digits + at, sizeof digits - at);
}

__attribute__((noinline)) int bytes_compare(const bytes* a, const bytes* b) {
    const int order = memcmp(a->data, b->data, a->size < b->size ? a->size : b->size);
    if (order != 0) return order;
    return a->size == b->size ? 0 : a->size < b->size ? -1 : 1;
}

void bytes_free(bytes* of) {
    free(of->data);
    *of = (bytes){0};
}

reader reader_of(const bytes* from) {
    return (reader){.data = from->data, .size = from->size};
}

__attribute__((noinline)) bytes read_take(reader* from, uint32_t size) {
    bytes taken = {0};
    if (size > from->size - from->at) {
        from->failed = true;
        from->at = from->size;
        return taken;
    }
    bytes_append(&taken, from->data + from->at, size);
    from->at += size;
    return taken;
}

void read_bytes(reader* from, void* to, uint32_t size) {
    bytes taken = read_take(from, size);
    memset(to, 0, size);
    memcpy(to, taken.data, taken.size);
    bytes_free(&taken);
}

uint8_t read_u8(reader* from) {
    bytes taken = read_take(from, sizeof(uint8_t));
    const uint8_t value = taken.size != 0 ? taken.data[0] : 0;
    bytes_free(&taken);
    return value;
}

// Numbers are put together from their bytes, lowest first.
__attribute__((noinline)) static uint64_t number_of(const uint8_t* from, uint32_t size) {
    uint64_t value = 0;
    while (size-- != 0) value = value << 8 | from[size];
    return value;
}

uint32_t read_u32(reader* from) {
    bytes taken = read_take(from, sizeof(uint32_t));
    const uint32_t value = (uint32_t)number_of(taken.data, taken.size);
    bytes_free(&taken);
    return value;
}

uint64_t read_u64(reader* from) {
    bytes taken = read_take(from, sizeof(uint64_t));
    const uint64_t value = number_of(taken.data, taken.size);
    bytes_free(&taken);
    return value;
}

u128 read_u128(reader* from) {
    bytes taken = read_take(from, sizeof(u128));
    u128 value = 0;
    if (taken.size != 0)
        value = (u128)number_of(taken.data + 8, 8) << 64 | number_of(taken.data, 8);
    bytes_free(&taken);
    return value;
}

alkane_id read_id(reader* from) {
    alkane_id id;
    id.block = read_u128(from);
    id.tx = read_u128(from);
    return id;
}

uint64_t read_compact_size(reader* from) {
    const uint8_t first = read_u8(from);
    if (first < 0xfd) return first;
    if (first == 0xff) return read_u64(from);
    if (first == 0xfe) return read_u32(from);
    uint16_t value;
    read_bytes(from, &value, sizeof value);
    return value;
}
