// A Bitcoin transaction written into a buffer, then parsed as a contract does: compact sizes,
// witnesses, scripts pushed apart, an OP_RETURN's payload found.
#include "freestanding.h"

typedef struct {
    const uint8_t *at, *end;
    uint32_t failed;
} Reader;

static uint64_t read(Reader* in, uint32_t bytes) {
    if ((uint32_t)(in->end - in->at) < bytes) {
        in->failed = 1;
        return 0;
    }
    uint64_t value = 0;
    for (uint32_t i = 0; i < bytes; ++i) value |= (uint64_t)in->at[i] << (8 * i);
    in->at += bytes;
    return value;
}

static uint64_t compact_size(Reader* in) {
    const uint32_t first = (uint32_t)read(in, 1);
    if (first < 0xfd) return first;
    return read(in, first == 0xfd ? 2 : first == 0xfe ? 4 : 8);
}

static const uint8_t* skip(Reader* in, uint64_t bytes) {
    const uint8_t* here = in->at;
    if ((uint64_t)(in->end - in->at) < bytes) {
        in->failed = 1;
        return here;
    }
    in->at += bytes;
    return here;
}

/// Sums up a script by its kinds of opcodes.
static uint64_t parse_script(const uint8_t* script, uint32_t bytes) {
    Reader in = {script, script + bytes, 0};
    uint64_t sum = 0;
    while (in.at != in.end && !in.failed) {
        const uint32_t op = (uint32_t)read(&in, 1);
        uint32_t push = 0;
        if (op >= 1 && op <= 75) {
            push = op;
        } else {
            switch (op) {
            case 0x4c:
                push = (uint32_t)read(&in, 1);
                break;
            case 0x4d:
                push = (uint32_t)read(&in, 2);
                break;
            case 0x4e:
                push = (uint32_t)read(&in, 4);
                break;
            case 0x6a:
                sum += 1000;
                break;
            case 0x5d:
                sum += 500;
                break;
            case 0x76:
                sum += 3;
                break;
            case 0xa9:
                sum += 5;
                break;
            case 0x87:
            case 0x88:
                sum += 7;
                break;
            case 0xac:
                sum += 11;
                break;
            default:
                sum += op;
                break;
            }
        }
        const uint8_t* data = skip(&in, push);
        for (uint32_t i = 0; i < push && !in.failed; ++i) sum = sum * 33 ^ data[i];
    }
    return sum + in.failed;
}

static uint64_t parse(const uint8_t* bytes, uint32_t size) {
    Reader in = {bytes, bytes + size, 0};
    uint64_t sum = read(&in, 4), value = 0;
    uint32_t segwit = 0;
    if (in.at[0] == 0) segwit = 1, skip(&in, 2);
    const uint64_t inputs = compact_size(&in);
    for (uint64_t i = 0; i < inputs && !in.failed; ++i) {
        const uint8_t* outpoint = skip(&in, 32);
        sum = sum * 31 + outpoint[0] + read(&in, 4);
        const uint32_t script = (uint32_t)compact_size(&in);
        sum += parse_script(skip(&in, script), script) + read(&in, 4);
    }
    const uint64_t outputs = compact_size(&in);
    for (uint64_t i = 0; i < outputs && !in.failed; ++i) {
        value += read(&in, 8);
        const uint32_t script = (uint32_t)compact_size(&in);
        sum = sum * 31 + parse_script(skip(&in, script), script);
    }
    for (uint64_t i = 0; segwit && i < inputs && !in.failed; ++i) {
        const uint64_t items = compact_size(&in);
        for (uint64_t k = 0; k < items && !in.failed; ++k) {
            const uint64_t item = compact_size(&in);
            sum += *skip(&in, item) + item;
        }
    }
    return sum + value + read(&in, 4) + in.failed;
}

static uint8_t* write(uint8_t* to, uint64_t value, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; ++i) *to++ = (uint8_t)(value >> (8 * i));
    return to;
}

static uint8_t* write_random(uint8_t* to, uint32_t bytes, uint64_t* random) {
    for (uint32_t i = 0; i < bytes; ++i) *to++ = (uint8_t)(next_random(random) >> 40);
    return to;
}

/// Three inputs with witnesses, outputs to two addresses and one OP_RETURN with a payload.
static uint32_t make(uint8_t* buffer, uint64_t* random) {
    uint8_t* to = write(buffer, 2, 4);
    *to++ = 0, *to++ = 1, *to++ = 3;
    for (int i = 0; i < 3; ++i) {
        to = write(write_random(to, 32, random), (uint64_t)i, 4);
        *to++ = 0;
        to = write(to, 0xfffffffd, 4);
    }
    *to++ = 3;
    to = write(to, next_random(random) >> 30, 8);
    *to++ = 25, *to++ = 0x76, *to++ = 0xa9, *to++ = 20;
    to = write_random(to, 20, random);
    *to++ = 0x88, *to++ = 0xac;
    to = write(to, next_random(random) >> 30, 8);
    *to++ = 34, *to++ = 0x51, *to++ = 32;
    to = write_random(to, 32, random);
    to = write(to, 0, 8);
    *to++ = 44, *to++ = 0x6a, *to++ = 0x5d, *to++ = 0x4c, *to++ = 40;
    to = write_random(to, 40, random);
    for (int i = 0; i < 3; ++i) {
        *to++ = 2, *to++ = 71;
        to = write_random(to, 71, random);
        *to++ = 33;
        to = write_random(to, 33, random);
    }
    return (uint32_t)(write(to, 0, 4) - buffer);
}

KERNEL(transaction) {
    uint8_t buffer[1024];
    uint64_t random = 0x5eed5eed5eedull, sum = 0;
    uint32_t size = 0;
    for (uint32_t round = 0; round < rounds; ++round) {
        if (round % 64 == 0) size = make(buffer, &random);
        sum = sum * 31 + parse(buffer, size);
        buffer[5 + 2 + round % 32] ^= (uint8_t)round;
    }
    return sum;
}
