// A decoded module: the content of the binary, before validation. Bodies stay bytes; offsets count
// from the module's start.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "wasm/types.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace blockloom::wasm {

/// A constant expression: one instruction, as WebAssembly 1.0 allows.
struct ConstantExpression {
    enum class Kind : std::uint8_t { value, global_get, ref_null, ref_func, empty, not_constant };
    Kind kind = Kind::value;         ///< the last two are refused by `validate`
    ValueType type = ValueType::i32; ///< of a value or of a null
    Cell value = 0;
    std::uint32_t index = 0;  ///< global_get: the global; ref_func: the function
    std::uint32_t offset = 0; ///< in the module
    bool arithmetic = false;  ///< not_constant: constants, additions and multiplications only
};

struct TableType {
    ValueType element = ValueType::funcref;
    Limits limits;
};

struct GlobalType {
    ValueType type = ValueType::i32;
    bool is_mutable = false;
};

enum class ExternalKind : std::uint8_t { function = 0, table = 1, memory = 2, global = 3 };

struct Import {
    std::string module, name;
    ExternalKind kind = ExternalKind::function;
    std::uint32_t type = 0; ///< function: its type's index
    TableType table;
    Limits memory;
    GlobalType global;
    std::uint32_t offset = 0;
};

struct Export {
    std::string name;
    ExternalKind kind = ExternalKind::function;
    std::uint32_t index = 0;
};

struct Global {
    GlobalType type;
    ConstantExpression start; ///< initial value
};

struct ElementSegment {
    enum class Mode : std::uint8_t { active, passive, declared } mode = Mode::active;
    ValueType type = ValueType::funcref;
    std::uint32_t table = 0;
    ConstantExpression place;              ///< active: where it begins
    std::vector<ConstantExpression> items; ///< ref_func or ref_null (or global_get)
    std::uint32_t offset = 0;
};

struct DataSegment {
    bool active = true;
    std::uint32_t memory = 0;
    ConstantExpression place;
    std::uint32_t begin = 0, size = 0; ///< bytes in the module
    std::uint32_t offset = 0;
};

struct LocalRun {
    std::uint32_t count = 0;
    ValueType type = ValueType::i32;
};

/// A function's body: instructions (with the final `end`) are module bytes [begin, end).
struct Body {
    std::vector<LocalRun> locals;
    std::uint32_t begin = 0, end = 0;
};

/// Index spaces put imports first, as the specification does. Immutable once decoded.
struct Module {
    std::shared_ptr<const Bytes> bytes;
    std::vector<FunctionType> types;
    std::vector<Import> imports;
    std::vector<std::uint32_t> functions; ///< type of each function, imported ones first
    std::vector<TableType> tables;        ///< imported ones first, as are memories and globals
    std::vector<Limits> memories;
    std::vector<GlobalType> global_types;
    std::vector<Global> globals; ///< those defined in the module only
    std::vector<Export> exports;
    std::optional<std::uint32_t> start;
    std::vector<ElementSegment> elements;
    std::optional<std::uint32_t> data_count;
    std::vector<DataSegment> data;
    std::vector<Body> bodies;                ///< functions defined in the module only
    std::vector<std::string> function_names; ///< from the name section; empty, or one per function

    std::uint32_t imported_functions = 0, imported_tables = 0, imported_memories = 0,
                  imported_globals = 0;
};

/// Why a module is refused: malformed (the binary grammar) or invalid (the typing rules).
enum class Refusal : std::uint8_t { malformed, invalid };

struct ModuleError {
    Refusal refusal = Refusal::malformed;
    std::uint32_t offset = 0;
    std::string rule; ///< what was expected and found, in the specification's words if it has any
    /// Other engines may be able to run it: it needs an unsupported feature or exceeds a limit of
    /// this engine.
    bool unclaimed = false;
};

/// Decodes the sections; bodies are only delimited (their instructions are checked by `validate`).
/// Time and memory are bounded by the size of the bytes. No exceptions.
[[nodiscard]] std::variant<Module, ModuleError> decode(std::shared_ptr<const Bytes> bytes);

/// Checks all of the specification's rules, bodies included. Nothing: the module is valid. Time is
/// linear in the bytes.
[[nodiscard]] std::optional<ModuleError> validate(const Module& module);

/// Decode and validate in one call, with an Error "PLACE: offset N: …" for users.
[[nodiscard]] Result<std::shared_ptr<const Module>> load_module(Bytes bytes,
                                                                const std::string& place);

} // namespace blockloom::wasm
