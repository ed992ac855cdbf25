// An allocator with boundary tags: every block carries its size at both ends, so that freeing joins
// it with free neighbours at once. Free blocks hang in lists by size; the first that fits is split.
#include "alkane.h"

enum { page_bytes = 65536, granule = 16, tag_bytes = 4, list_count = 24, used = 1 };

// A block: tag, payload, tag. The payload starts at a multiple of 16; a free one begins with its
// links.
typedef struct block {
    struct block *next, *previous;
} block;

static block lists[list_count]; // heads of rings
static uint32_t filled;         // a bit for each list that is not empty

static uint32_t* tag_before(void* payload) {
    return (uint32_t*)payload - 1;
}
static uint32_t size_of(void* payload) {
    return *tag_before(payload) & ~(uint32_t)used;
}

static void set_tags(uint8_t* payload, uint32_t size, uint32_t flag) {
    *tag_before(payload) = size | flag;
    *(uint32_t*)(payload + size - 2 * tag_bytes) = size | flag;
}

// Lists 0 … 15 hold one size each (16, 32, …), the others everything up to a power of two.
__attribute__((noinline)) static uint32_t list_of(uint32_t size) {
    if (size <= 16 * granule) return size / granule - 1;
    const uint32_t list = 16 + (23 - (uint32_t)__builtin_clz(size - 1));
    return list < list_count ? list : list_count - 1;
}

__attribute__((noinline)) static void insert(uint8_t* payload) {
    const uint32_t list = list_of(size_of(payload));
    filled |= 1u << list;
    block* head = &lists[list];
    block* added = (block*)payload;
    added->next = head->next;
    added->previous = head;
    head->next->previous = added;
    head->next = added;
}

__attribute__((noinline)) static void unlink_block(uint8_t* payload) {
    block* gone = (block*)payload;
    if (gone->next == gone->previous)
        filled &= ~(1u << list_of(size_of(payload))); // only the head is left
    gone->previous->next = gone->next;
    gone->next->previous = gone->previous;
}

// More memory from the host, as one free block. Fences at both ends stop the joining there.
__attribute__((noinline)) static void more_memory(uint32_t size) {
    const uint32_t pages = (size + 3 * granule + page_bytes - 1) / page_bytes;
    const size_t first = __builtin_wasm_memory_grow(0, pages);
    if (first == (size_t)-1) __builtin_trap();
    uint8_t* start = (uint8_t*)(first * page_bytes);
    if (lists[0].next == NULL)
        for (uint32_t list = 0; list < list_count; ++list)
            lists[list].next = lists[list].previous = &lists[list];
    uint8_t* payload = start + granule;
    const uint32_t bytes_free = pages * page_bytes - 2 * granule;
    set_tags(payload, bytes_free, 0);
    *((uint32_t*)payload - 2) = used;         // the tag of what would lie before
    *tag_before(payload + bytes_free) = used; // and behind
    insert(payload);
}

__attribute__((noinline)) static uint8_t* find(uint32_t size) {
    for (uint32_t lists_left = filled & ~0u << list_of(size); lists_left != 0;
         lists_left &= lists_left - 1) {
        const block* head = &lists[__builtin_ctz(lists_left)];
        for (block* at = head->next; at != head; at = at->next)
            if (size_of(at) >= size) return (uint8_t*)at;
    }
    return NULL;
}

__attribute__((noinline)) void* malloc(size_t wanted) {
    if (wanted > 0x7fff0000) __builtin_trap();
    const uint32_t size =
        ((uint32_t)wanted + 2 * tag_bytes + granule - 1) & ~(uint32_t)(granule - 1);
    uint8_t* payload = find(size);
    if (payload == NULL) {
        more_memory(size);
        payload = find(size);
    }
    unlink_block(payload);
    const uint32_t left = size_of(payload) - size;
    if (left >= granule) {
        set_tags(payload + size, left, 0);
        insert(payload + size);
        set_tags(payload, size, used);
    } else {
        set_tags(payload, size + left, used);
    }
    return payload;
}

__attribute__((noinline)) void free(void* freed) {
    if (freed == NULL) return;
    uint8_t* payload = freed;
    uint32_t size = size_of(payload);
    if ((*tag_before(payload) & used) == 0) __builtin_trap(); // freed twice
    uint8_t* after = payload + size;
    if ((*tag_before(after) & used) == 0) {
        unlink_block(after);
        size += size_of(after);
    }
    const uint32_t before = *(tag_before(payload) - 1);
    if ((before & used) == 0) {
        payload -= before;
        unlink_block(payload);
        size += before;
    }
    set_tags(payload, size, 0);
    insert(payload);
}

void* realloc(void* old, size_t size) {
    if (old == NULL) return malloc(size);
    const uint32_t had = size_of(old) - 2 * tag_bytes;
    if (had >= size) return old;
    void* moved = malloc(size);
    memcpy(moved, old, had);
    free(old);
    return moved;
}
