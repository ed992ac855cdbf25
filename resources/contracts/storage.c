#include "alkane.h"
#include "host.h"

typedef struct {
    bytes key, value;
} entry;

static entry* entries; // what this call wrote, sorted by key
static uint32_t count, capacity;

// The first entry whose key is not below this one.
__attribute__((noinline)) static uint32_t lower_bound(const bytes* key) {
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (bytes_compare(&entries[middle].key, key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bytes storage_get(const bytes* key) {
    const uint32_t at = lower_bound(key);
    bytes copy = {0};
    if (at < count && bytes_compare(&entries[at].key, key) == 0) {
        bytes_append(&copy, entries[at].value.data, entries[at].value.size);
        return copy;
    }
    void* name = arraybuffer_make(key->data, key->size);
    void* value = arraybuffer_make(NULL, (uint32_t)host_request_storage(name));
    host_load_storage(name, value);
    arraybuffer_free(name);
    return arraybuffer_take(value);
}

void storage_set(const bytes* key, const void* value, uint32_t size) {
    const uint32_t at = lower_bound(key);
    if (at == count || bytes_compare(&entries[at].key, key) != 0) {
        if (count == capacity) {
            capacity = capacity == 0 ? 4 : 2 * capacity;
            entries = realloc(entries, capacity * sizeof *entries);
        }
        memmove(entries + at + 1, entries + at, (count - at) * sizeof *entries);
        ++count;
        entries[at] = (entry){0};
        bytes_append(&entries[at].key, key->data, key->size);
    }
    entries[at].value.size = 0;
    bytes_append(&entries[at].value, value, size);
}

void storage_write_map(bytes* to) {
    bytes_u32(to, count);
    for (const entry* each = entries; each != entries + count; ++each) {
        bytes_u32(to, each->key.size);
        bytes_append(to, each->key.data, each->key.size);
        bytes_u32(to, each->value.size);
        bytes_append(to, each->value.data, each->value.size);
    }
}

bytes storage_text(const char* key) {
    bytes name = {0};
    bytes_text(&name, key);
    const bytes value = storage_get(&name);
    bytes_free(&name);
    return value;
}

void storage_set_bytes(const char* key, const bytes* value) {
    bytes name = {0};
    bytes_text(&name, key);
    storage_set(&name, value->data, value->size);
    bytes_free(&name);
}

u128 storage_number(const char* key) {
    bytes value = storage_text(key);
    u128 number = 0;
    memcpy(&number, value.data, value.size < sizeof number ? value.size : sizeof number);
    bytes_free(&value);
    return number;
}

void storage_set_number(const char* key, u128 value) {
    bytes raw = {0};
    bytes_u128(&raw, value);
    storage_set_bytes(key, &raw);
    bytes_free(&raw);
}

alkane_id storage_id(const char* key) {
    bytes value = storage_text(key);
    alkane_id id = {0, 0};
    if (value.size == sizeof id) memcpy(&id, value.data, sizeof id);
    bytes_free(&value);
    return id;
}

void storage_set_id(const char* key, alkane_id id) {
    bytes raw = {0};
    bytes_id(&raw, id);
    storage_set_bytes(key, &raw);
    bytes_free(&raw);
}
