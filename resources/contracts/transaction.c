#include "alkane.h"

// Counts come from outside: never make room for more than the bytes can hold.
static bool plausible(const reader* from, uint64_t count, uint32_t least) {
    return !from->failed && count <= (from->size - from->at) / least;
}

static bytes read_string(reader* from) {
    const uint64_t size = read_compact_size(from);
    return read_take(from, size > UINT32_MAX ? UINT32_MAX : (uint32_t)size);
}

static void read_input(reader* from, tx_input* to) {
    read_bytes(from, to->txid, sizeof to->txid);
    to->vout = read_u32(from);
    to->script = read_string(from);
    to->sequence = read_u32(from);
    to->witness = NULL;
    to->witness_count = 0;
}

static void read_witness(reader* from, tx_input* to) {
    const uint64_t items = read_compact_size(from);
    if (!plausible(from, items, 1)) {
        from->failed = true;
        return;
    }
    to->witness = malloc((uint32_t)items * sizeof *to->witness);
    while (to->witness_count < items) to->witness[to->witness_count++] = read_string(from);
}

static bool read_inputs(reader* from, transaction* to) {
    const uint64_t inputs = read_compact_size(from);
    if (!plausible(from, inputs, 41)) return false;
    to->inputs = malloc((uint32_t)inputs * sizeof *to->inputs);
    while (to->input_count < inputs) read_input(from, &to->inputs[to->input_count++]);
    return true;
}

static bool read_outputs(reader* from, transaction* to) {
    const uint64_t outputs = read_compact_size(from);
    if (!plausible(from, outputs, 9)) return false;
    to->outputs = malloc((uint32_t)outputs * sizeof *to->outputs);
    while (to->output_count < outputs) {
        tx_output* output = &to->outputs[to->output_count++];
        output->value = read_u64(from);
        output->script = read_string(from);
    }
    return true;
}

bool transaction_read(const bytes* raw, transaction* to) {
    *to = (transaction){0};
    reader from = reader_of(raw);
    to->version = read_u32(&from);
    const bool segwit = raw->size > 6 && raw->data[4] == 0 && raw->data[5] != 0;
    if (segwit) from.at += 2;
    if (!read_inputs(&from, to) || !read_outputs(&from, to)) return false;
    for (uint32_t i = 0; segwit && i < to->input_count; ++i) read_witness(&from, &to->inputs[i]);
    to->locktime = read_u32(&from);
    return !from.failed;
}

static void hash_u32(sha256* hash, uint32_t value) {
    sha256_add(hash, &value, sizeof value);
}
static void hash_u64(sha256* hash, uint64_t value) {
    sha256_add(hash, &value, sizeof value);
}

static void hash_compact_size(sha256* hash, uint32_t value) {
    const uint8_t prefix = value < 0xfd ? (uint8_t)value : value <= 0xffff ? 0xfd : 0xfe;
    sha256_add(hash, &prefix, sizeof prefix);
    if (prefix == 0xfd) sha256_add(hash, &value, 2);
    if (prefix == 0xfe) sha256_add(hash, &value, 4);
}

static void hash_string(sha256* hash, const bytes* text) {
    hash_compact_size(hash, text->size);
    sha256_add(hash, text->data, text->size);
}

void transaction_id(const transaction* of, uint8_t txid[32]) {
    sha256 hash;
    sha256_start(&hash);
    hash_u32(&hash, of->version);
    hash_compact_size(&hash, of->input_count);
    for (const tx_input* in = of->inputs; in != of->inputs + of->input_count; ++in) {
        sha256_add(&hash, in->txid, sizeof in->txid);
        hash_u32(&hash, in->vout);
        hash_string(&hash, &in->script);
        hash_u32(&hash, in->sequence);
    }
    hash_compact_size(&hash, of->output_count);
    for (const tx_output* out = of->outputs; out != of->outputs + of->output_count; ++out) {
        hash_u64(&hash, out->value);
        hash_string(&hash, &out->script);
    }
    hash_u32(&hash, of->locktime);
    uint8_t once[32];
    sha256_finish(&hash, once);
    sha256_start(&hash);
    sha256_add(&hash, once, sizeof once);
    sha256_finish(&hash, txid);
}

void transaction_free(transaction* of) {
    for (tx_input* in = of->inputs; in != of->inputs + of->input_count; ++in) {
        for (uint32_t i = 0; i < in->witness_count; ++i) bytes_free(&in->witness[i]);
        free(in->witness);
        bytes_free(&in->script);
    }
    for (tx_output* out = of->outputs; out != of->outputs + of->output_count; ++out)
        bytes_free(&out->script);
    free(of->inputs);
    free(of->outputs);
    *of = (transaction){0};
}

enum { OP_PUSHDATA1 = 0x4c, OP_PUSHDATA2 = 0x4d, OP_IF = 0x63, OP_ENDIF = 0x68, annex = 0x50 };

// The data of the push at the reader, appended; false where there is no push.
static bool read_push(reader* script, bytes* to) {
    const uint8_t op = read_u8(script);
    uint32_t size = op;
    if (op == OP_PUSHDATA1) size = read_u8(script);
    if (op == OP_PUSHDATA2) {
        size = read_u8(script);
        size |= (uint32_t)read_u8(script) << 8;
    }
    if (script->failed || op > OP_PUSHDATA2 || size > script->size - script->at) return false;
    bytes_append(to, script->data + script->at, size);
    script->at += size;
    return true;
}

static bool envelope_of(const bytes* script, bytes* payload) {
    static const uint8_t head[] = {0x00, OP_IF, 3, 'B', 'I', 'N'};
    for (uint32_t at = 0; at + sizeof head <= script->size; ++at) {
        if (memcmp(script->data + at, head, sizeof head) != 0) continue;
        reader from = reader_of(script);
        from.at = at + sizeof head;
        bytes tag = {0};
        if (!read_push(&from, &tag)) return false; // the body tag, an empty push
        while (from.at < from.size && from.data[from.at] != OP_ENDIF)
            if (!read_push(&from, payload)) return false;
        return from.at < from.size;
    }
    return false;
}

bytes transaction_envelope(const transaction* of) {
    for (const tx_input* in = of->inputs; in != of->inputs + of->input_count; ++in) {
        uint32_t items = in->witness_count;
        if (items > 1 && in->witness[items - 1].size > 0 && in->witness[items - 1].data[0] == annex)
            --items;
        if (items < 2) continue;
        bytes payload = {0};
        if (envelope_of(&in->witness[items - 2], &payload)) return payload;
        bytes_free(&payload);
    }
    return (bytes){0};
}
