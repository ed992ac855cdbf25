/* What the kernel of compiled lanes and the host share: C for a GPU (compiled by clang), C++ for
   the host. Numbers are little-endian; a row holds one word of every lane, so that neighbours lie
   side by side. */
#pragma once

#ifdef __cplusplus
#include <cstdint>
namespace blockloom::simt {
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
#else
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
#endif

#ifdef __NVPTX__
#define LANE_LOCAL                                                                                 \
    __attribute__((address_space(5))) /* memory of a thread, interleaved over lanes */
#define LANE_GLOBAL __attribute__((address_space(1)))
#define LANE_INLINE static inline __attribute__((always_inline))
#else
#define LANE_LOCAL
#define LANE_GLOBAL
#define LANE_INLINE static inline
#endif

enum {
    LANE_PAGE = 1024,      /* gpuvm::small_page */
    LANE_MOST_KEY = 256,   /* bytes of a key that a rule looks up */
    LANE_MOST_TEXT = 1024, /* bytes of text that a rule checks */
    LANE_MOST_MAP = 4096,  /* bytes of a map that a rule checks */
    LANE_HALF = 32,        /* bytes of each half of a pair */
    LANE_LENGTH = 4,       /* bytes of the length before bytes at a pointer */
    LANE_BLOBS = 4,        /* gpuvm::blob_slots */
    LANE_NO_BLOB = -1,     /* the offset of gpuvm::no_blob */
    LANE_RUNNING = 0x7f,   /* the exit of a lane that has not ended */
    LANE_NO_DUMP = 0x7e,   /* the exit of a lane that found no room for its memory: it runs again */
    LANE_BUFFERS = 6,      /* bindings of the kernel, in the order of struct LaneBuffers */
    LANE_PUSH_WORDS = 10,  /* struct LanePush */
};

/* As gpuvm::HostRule::Kind. */
enum {
    LANE_RULE_YIELD,
    LANE_RULE_CONSTANT,
    LANE_RULE_BLOB_LENGTH,
    LANE_RULE_BLOB_COPY,
    LANE_RULE_VALUE_LENGTH,
    LANE_RULE_VALUE_COPY,
    LANE_RULE_PAIR_COPY,
    LANE_RULE_SINGLE_COPY,
    LANE_RULE_FUEL,
    LANE_RULE_TEXT,
    LANE_RULE_GIVEN_COPY,
    LANE_RULE_KNOWN_CALL,
};

struct LaneRule {
    u64 value, fee;
    u32 kind, slot, fee_per_byte, deducts, answers_pointer;
    u32 parameters, results; /* cells of the import */
    u32 unused;
};

struct LaneWindow {
    u32 begin, bytes, at;
};

/* A page of the state that lanes start with. */
struct LaneImagePage {
    u32 number;
    u32 at; /* where it goes in the frame */
};

/* The beginning of the buffer `program`; offsets in bytes from there. */
struct LaneProgram {
    u64 memory_bytes;
    u32 frame_bytes, globals_at;
    u32 windows, window_count; /* LaneWindow */
    u32 rules, rule_count;     /* LaneRule by import */
    u32 globals, global_count; /* u64 */
    u32 pages, page_count;     /* LaneImagePage, ascending */
    u32 page_bytes;            /* of the pages, one after the other */
    u32 parameters, results;   /* cells of the function that lanes run */
    u32 unused;
};

enum {
    LANE_FLAG_VALUES = 1, /* value rules answer */
    LANE_FLAG_CALLS = 2,  /* known calls answer */
    LANE_EMPTY_LIST = 16, /* bytes of a list of tokens without any, all zero */
};

struct LaneInput {
    u64 fuel, held_back;      /* what its code is given, and what the lane has beside that */
    u32 blobs[LANE_BLOBS][2]; /* offset in the inputs, bytes */
    u32 owner, flags;
    u32 arguments;        /* offset of its cells in the buffer `lanes` */
    u32 tape, tape_count; /* offset of its answers there */
    u32 calls;            /* the owner of known calls */
};

/* An answer of the host; results (u64 each), page numbers (u32 each, padded to 8), pages and bytes
 * follow. */
struct LaneAnswer {
    u64 fee;
    u32 import, results;
    u32 memory_pages; /* new size in pages of 64 KiB; 0: unchanged */
    u32 flags;        /* LANE_FLAG_ of rules that answer from here on, as far as they did */
    u32 pages;        /* written by the host */
    u32 gives;        /* 1: bytes for `given_copy` follow */
    u32 given_bytes;
    u32 size; /* of this answer with all that follows, a multiple of 8 */
};

/* A known value: open addressing by FNV-1a of the key's bytes and the owner's four. */
struct LaneValue {
    u64 hash;
    u32 owner; /* 0xffffffff: an empty place */
    u32 key, key_bytes, value, value_bytes, id;
};

/* Rows of `results`, each of `stride` words of 64 bits. */
enum {
    LANE_ROW_STATUS, /* low half: the exit; high half: reads in the log, and LANE_DONE_ flags */
    LANE_ROW_LEFT,   /* fuel that its code has left */
    LANE_ROW_FEES,   /* fuel that was no step */
    LANE_ROW_MEMORY, /* bytes */
    LANE_ROW_LEAST,  /* the least fuel after a rule's fee */
    LANE_ROW_CALL,   /* low half: the import that the host answers; high half: the place of the call
                      */
    LANE_ROW_DUMP,   /* low half: its first page in the dump; high half: how many */
    LANE_ROW_RESPONSE, /* low half: bytes at the first result with their length; high half: played
                          answers */
    LANE_ROW_SUM,      /* checksum of all that the lane gives */
    LANE_ROW_CELLS,    /* results, or arguments of the call, each a row */
};
enum {
    LANE_READS = 0xffff, /* the part of the high half that counts reads */
    LANE_DONE_FUEL_READ = 1 << 16,
    LANE_DONE_DUMPED = 1 << 17,   /* its memory is in the dump */
    LANE_DONE_RESPONSE = 1 << 18, /* the response rows have the bytes at the first result */
};

/* The first words of the dump: pages in use. Page numbers follow at 16, one a page; then pages of 1
   KiB; a lane's globals are its first page. */
enum { LANE_DUMP_NUMBERS = 16, LANE_DUMP_GLOBALS = 0xffffffff };

struct LaneBuffers {
    u64 program, lanes, inputs, results, log, dump; /* addresses; `log`: reads, then responses */
};

struct LanePush {
    u32 count;  /* lanes of this launch */
    u32 stride; /* words of a row */
    u32 values, value_mask,
        value_count; /* the table in `inputs`, offset in bytes; mask of its places */
    u32 log_rows, response_rows;
    u32 dump_pages; /* room in the dump */
    u32 keep;       /* 1: the memory of lanes that returned is dumped, too */
    u32 cell_rows;
};

/* What a lane knows while it runs: in its frame, behind the fields that its code uses. */
struct LaneOwn {
    u64 launch; /* struct LaneLaunch */
    u64 least;
    u32 lane, reads;
    u32 flags, fuel_read;
    u32 played, tape; /* the next answer's offset */
    u32 calls, given_bytes;
    u64 given; /* address of what `given_copy` writes, 0: nothing yet */
    u64 held_back;
};

/* The checksum of what a lane gave, word by word. */
LANE_INLINE u32 lane_mix(u32 sum, u32 word) {
    const u32 mixed = (sum ^ word) * 0x85ebca6bu;
    return mixed ^ mixed >> 15;
}
LANE_INLINE u32 lane_mix_wide(u32 sum, u64 value) {
    return lane_mix(lane_mix(sum, (u32)value), (u32)(value >> 32));
}

#ifdef __cplusplus
} // namespace blockloom::simt
#endif
