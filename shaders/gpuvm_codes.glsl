// Numbers that the interpreter on the device and its host share: plain #defines, read by GLSL and by C++
// (engine/gpuvm/codes.h).

// What a lane is doing.
#define GPUVM_IDLE 0u
#define GPUVM_START 1u
#define GPUVM_RUNNING 2u
#define GPUVM_RETURNED 3u
#define GPUVM_TRAPPED 4u // detail: wasm::TrapKind
#define GPUVM_YIELDED 5u // detail: import
#define GPUVM_EJECTED 6u // detail: gpuvm::Ejection
#define GPUVM_ANSWERED 7u // detail: cells of the host's results, which are in the exchange area

// Words of a lane's state; word k of lane i of n is at k * n + i.
#define GPUVM_STATUS 0u
#define GPUVM_DETAIL 1u
#define GPUVM_PC 2u
#define GPUVM_BASE 3u
#define GPUVM_DEPTH 4u
#define GPUVM_FUEL 5u    // two words: what is left
#define GPUVM_FEES 7u    // two words: charged beyond steps
#define GPUVM_PAGES 9u   // of 64 KiB
#define GPUVM_PROGRAM 10u // index of the program's record
#define GPUVM_PROGRESS 11u // of a bulk instruction: bytes done + 1
#define GPUVM_FOUND 12u    // what an unfinished host rule found
#define GPUVM_FLAGS 13u
#define GPUVM_LOGGED 14u   // entries of the read log
#define GPUVM_OWNER 15u    // the owner whose keys are looked up in the value table
#define GPUVM_LEAST 16u    // two words: the least fuel left after a fee of a host rule
#define GPUVM_DROPPED 18u  // bit i: data segment i is empty
#define GPUVM_RESULTS 19u  // result cells of the invoked function
#define GPUVM_BLOBS 20u    // offset and bytes of each of four
#define GPUVM_CALLS 28u    // the owner of known calls, or GPUVM_NO_OWNER
#define GPUVM_GIVEN 29u    // the value that the last known call gave: its place in the inputs; 0: none
#define GPUVM_STATE_WORDS 30u

#define GPUVM_BLOB_SLOTS 4u
#define GPUVM_NO_BLOB 0xffffffffu // the offset of one that is not there
// Arguments in, results and a host call's arguments out: cells of two words, words like the state's.
#define GPUVM_EXCHANGE_CELLS 16u

#define GPUVM_FLAG_VALUES 1u   // value rules may be answered on the device
#define GPUVM_FLAG_FUEL_READ 2u // a rule returned the remaining fuel

// Words of the page bookkeeping: counters of a batch, then two words per frame: wave, page.
#define GPUVM_BOOK_FRAMES 0u  // frames allocated; may exceed the pool
#define GPUVM_BOOK_STOPPED 1u // lanes that stopped
#define GPUVM_BOOK_ENDED 2u   // waves that reached their end in order
#define GPUVM_BOOK_CUT 3u     // waves whose loop ended although there was budget and work
#define GPUVM_BOOK_STEPS 4u   // two words: instructions run, over all lanes
#define GPUVM_BOOK_ROUNDS 6u  // instructions run, over all waves
#define GPUVM_BOOK_RUNNING 7u // lanes that still run
#define GPUVM_BOOK_WORDS 16u

// Words of a program's record in the data buffer. Offsets are words of that buffer.
#define GPUVM_PROGRAM_FUNCTIONS 0u // position in the code of a header for each function: entry, cost, cells,
                                   // parameters | locals << 16
#define GPUVM_PROGRAM_GLOBALS 1u   // cells of two words
#define GPUVM_PROGRAM_TYPES 2u     // canonical type of each function
#define GPUVM_PROGRAM_TABLES 3u    // two words per table: offset, cells; a cell: 0, or function + 1, or foreign
#define GPUVM_PROGRAM_IMAGE 4u     // one word per page of 1 KiB: 0, or offset of its 256 words
#define GPUVM_PROGRAM_IMAGE_PAGES 5u
#define GPUVM_PROGRAM_MOST_PAGES 6u // of 64 KiB
#define GPUVM_PROGRAM_SEGMENTS 7u  // two words per data segment: offset, bytes
#define GPUVM_PROGRAM_DEPTH 8u     // frames that a run may have
#define GPUVM_PROGRAM_STACK 9u     // cells that a run may have
#define GPUVM_PROGRAM_GLOBAL_COUNT 10u
#define GPUVM_PROGRAM_WORDS 12u
#define GPUVM_FOREIGN 0xffffffffu

// Words of an import's rule.
#define GPUVM_RULE_KIND 0u // GPUVM_RULE_* | flags
#define GPUVM_RULE_IMPORT 1u
#define GPUVM_RULE_SLOT 2u // blob slot; of a constant: the value, two words
#define GPUVM_RULE_FEE 4u  // two words
#define GPUVM_RULE_BYTE_FEE 6u
#define GPUVM_RULE_ARGUMENTS 7u // cells
#define GPUVM_RULE_WORDS 8u

#define GPUVM_RULE_YIELD 0u
#define GPUVM_RULE_CONSTANT 1u
#define GPUVM_RULE_BLOB_LENGTH 2u
#define GPUVM_RULE_BLOB_COPY 3u
#define GPUVM_RULE_VALUE_LENGTH 4u
#define GPUVM_RULE_VALUE_COPY 5u
#define GPUVM_RULE_FUEL 6u
#define GPUVM_RULE_TEXT 7u
#define GPUVM_RULE_PAIR_COPY 8u
#define GPUVM_RULE_SINGLE_COPY 9u
#define GPUVM_RULE_GIVEN_COPY 10u
#define GPUVM_RULE_KNOWN_CALL 11u
#define GPUVM_RULE_KINDS 0xffu
#define GPUVM_RULE_DEDUCTS 0x100u  // the fee is deducted, not only checked
#define GPUVM_RULE_ANSWERS 0x200u  // returns an i32: 0, or for a copy the pointer
#define GPUVM_RULE_ANSWERS_POINTER 0x400u

// Words of an entry of the value table.
#define GPUVM_VALUE_HASH 0u // two words
#define GPUVM_VALUE_OWNER 2u
#define GPUVM_VALUE_KEY 3u   // byte offset in the inputs
#define GPUVM_VALUE_KEY_BYTES 4u
#define GPUVM_VALUE_AT 5u    // byte offset in the inputs
#define GPUVM_VALUE_BYTES 6u
#define GPUVM_VALUE_ID 7u    // the id recorded in the read log
#define GPUVM_VALUE_WORDS 8u
#define GPUVM_NO_OWNER 0xffffffffu
#define GPUVM_MOST_KEY_BYTES 256u
#define GPUVM_HALF_BYTES 32u     // of a pair
#define GPUVM_MOST_MAP_BYTES 4096u

// Device instructions: those of the register program with other opcodes and absolute targets. Word 0: operation | flags
// << 8 | b << 16. Word 1: a | c << 16, or a constant. Words 2 and 3: x and y.
#define GPUVM_OPERATION 0x3fu
#define GPUVM_CHAIN 0x80u // only produces a result, and no lane begins at the next instruction: both may run in one round
#define GPUVM_IMMEDIATE 0x100u // words 2 and 3 stand for c; of a store: word 3, sign-extended
#define GPUVM_LESS 0x200u      // comparisons: true where …
#define GPUVM_EQUAL 0x400u
#define GPUVM_GREATER 0x800u
#define GPUVM_SIGNED 0x1000u
#define GPUVM_FAR 0x200u       // of a call: word 2 is the position of the callee's header, word 3 the cost after it; else word 1
                               // has cells | cost << 16, word 2 entry | locals << 24, word 3 cost after it | parameters << 16
#define GPUVM_VARIANT_SHIFT 9u // other operations: their variant
#define GPUVM_VARIANT_MASK 0x7fu

#define GPUVM_WRAPS 0x2000u    // of a load or store: the sum of register and word 2 is taken modulo 2^32
#define GPUVM_ABSOLUTE 0x4000u // of a load or store: word 2 is the address
#define GPUVM_INDEXED 0x8000u  // of a load: c, or of a store: the register in word 3, is added to the address. Of a load
                               // with c and without this: c is added to what was loaded
#define GPUVM_ACCESS_MASK 0xfu // mask of the variant in the bits from GPUVM_VARIANT_SHIFT on of a load or store

#define GPUVM_WITH_SUM 0x400u  // BRANCH_ZERO, RETURN: of the sum of b and a constant: c with its sign, or word 2
#define GPUVM_WITH_MASK 0x800u // BRANCH_ZERO: of the bits of b that c names. Both: a gets what was looked at

// Results only: none of these can stop a lane. The interpreter distinguishes them bit by bit. With two registers, word
// 2 is added to what ADD32 and SUB32 give, and XOR32 turns b to the left by it and c by word 3. Word 3 is added to what
// the shifts and rotations give.
#define GPUVM_OP_MOV 0
#define GPUVM_OP_CONSTANT 1
#define GPUVM_OP_SELECT 2
#define GPUVM_OP_COMPARE64 3
#define GPUVM_OP_ADD32 4
#define GPUVM_OP_SUB32 5
#define GPUVM_OP_MUL32 6
#define GPUVM_OP_COMPARE32 7
#define GPUVM_OP_AND32 8
#define GPUVM_OP_OR32 9
#define GPUVM_OP_XOR32 10
#define GPUVM_OP_ARITHMETIC64 11 // variants below
#define GPUVM_OP_SHL32 12
#define GPUVM_OP_SHRS32 13
#define GPUVM_OP_SHRU32 14
#define GPUVM_OP_ROTL32 15
// Branches: word 2 is the target, word 3 the costs there (low half) and behind (high half).
#define GPUVM_OP_BRANCH 16 // always; `charge` is one to the next instruction
#define GPUVM_OP_BRANCH32 17 // compare and branch
#define GPUVM_OP_BRANCH64 18
#define GPUVM_OP_BRANCH_ZERO 19 // variant 1: branch if not zero
// Memory.
#define GPUVM_OP_LOAD 20  // variant: log2 of bytes | 4 * (0, 1: sign to 32 bits, 2: to 64); word 3: bits that are kept
#define GPUVM_OP_STORE 21 // variant: log2 of bytes
// All others.
#define GPUVM_OP_BRANCH_TABLE 22
#define GPUVM_OP_CALL 23
#define GPUVM_OP_RETURN 24 // variants: nothing, register, constant, register and constant
#define GPUVM_OP_CALL_INDIRECT 25
#define GPUVM_OP_CALL_IMPORT 26
#define GPUVM_OP_ROTR32 27
#define GPUVM_OP_DIVIDE 28 // variant: 1 signed, 2 remainder, 4 64 bits
#define GPUVM_OP_UNARY 29  // variants below
#define GPUVM_OP_GLOBAL_GET 30
#define GPUVM_OP_GLOBAL_SET 31
#define GPUVM_OP_MEMORY_SIZE 32
#define GPUVM_OP_MEMORY_GROW 33
#define GPUVM_OP_BULK 34  // variants below
#define GPUVM_OP_TABLE 35 // variant 0: get, 1: size, 2: ref_func
#define GPUVM_OP_TRAP 36
#define GPUVM_OP_EJECT 37 // x: code
#define GPUVM_OP_DATA_DROP 38

#define GPUVM_ADD 0u
#define GPUVM_SUB 1u
#define GPUVM_MUL 2u
#define GPUVM_AND 3u
#define GPUVM_OR 4u
#define GPUVM_XOR 5u
#define GPUVM_SHL 6u
#define GPUVM_SHRS 7u
#define GPUVM_SHRU 8u
#define GPUVM_ROTL 9u
#define GPUVM_ROTR 10u

#define GPUVM_CLZ32 0u
#define GPUVM_CTZ32 1u
#define GPUVM_POPCNT32 2u
#define GPUVM_EQZ 3u // of the whole cell
#define GPUVM_EXTEND8_32 4u
#define GPUVM_EXTEND16_32 5u
#define GPUVM_CLZ64 6u
#define GPUVM_CTZ64 7u
#define GPUVM_POPCNT64 8u
#define GPUVM_EXTEND8_64 9u
#define GPUVM_EXTEND16_64 10u
#define GPUVM_EXTEND32_64 11u
#define GPUVM_WRAP 12u

#define GPUVM_COPY 0u
#define GPUVM_FILL 1u
#define GPUVM_INIT 2u

// gpuvm::Ejection codes that the device detects.
#define GPUVM_EJECT_FLOATS 1u
#define GPUVM_EJECT_REGISTERS 2u
#define GPUVM_EJECT_DEPTH 3u
#define GPUVM_EJECT_PAGES 4u
#define GPUVM_EJECT_MEMORY 5u
#define GPUVM_EJECT_TABLES 6u
#define GPUVM_EJECT_FOREIGN 7u
#define GPUVM_EJECT_SEGMENTS 8u

// Tasks of the kernel for pages.
#define GPUVM_PAGES_MAP 0u
#define GPUVM_PAGES_GATHER 1u
#define GPUVM_PAGES_SCATTER 2u
#define GPUVM_PAGES_SUM 3u // of `jobs` words; the checksums begin at `value_table`
#define GPUVM_SUM_WORDS 4096u // words per checksum
