#include "alkane.h"

void* arraybuffer_make(const void* from, uint32_t size) {
    uint32_t* buffer = malloc(size + sizeof *buffer);
    *buffer = size;
    if (from != NULL) {
        memcpy(buffer + 1, from, size);
    } else {
        memset(buffer + 1, 0, size);
    }
    return buffer + 1;
}

uint32_t arraybuffer_size(const void* buffer) {
    return *((const uint32_t*)buffer - 1);
}

void arraybuffer_free(void* buffer) {
    free((uint32_t*)buffer - 1);
}

bytes arraybuffer_take(void* buffer) {
    bytes copy = {0};
    bytes_append(&copy, buffer, arraybuffer_size(buffer));
    arraybuffer_free(buffer);
    return copy;
}
