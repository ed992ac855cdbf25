// Shared by the functions of a module while they are translated to LLVM IR.
#pragma once

#include "native/code.h"
#include "native/context.h"
#include "wasm/program.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <vector>

namespace blockloom::native {

/// Kinds of memory that never overlap: a store to one leaves values read from the others valid.
enum class Region : std::uint8_t { context, linear, global, table };

class ModuleTranslation {
public:
    ModuleTranslation(const wasm::Program& program, llvm::LLVMContext& context, Tier tier,
                      MemoryChecks checks);
    virtual ~ModuleTranslation() = default;
    ModuleTranslation(const ModuleTranslation&) = delete;
    ModuleTranslation& operator=(const ModuleTranslation&) = delete;

    /// The module with all functions translated; call once.
    [[nodiscard]] std::unique_ptr<llvm::Module> take() { return std::move(module_); }

    [[nodiscard]] const wasm::Program& program() const noexcept { return program_; }
    [[nodiscard]] llvm::Module& module() noexcept { return *module_; }
    /// The declaration of a function defined in the module.
    [[nodiscard]] virtual llvm::Function* function(std::uint32_t index);
    [[nodiscard]] llvm::FunctionType* type_of(const wasm::FunctionType& type);
    /// The "Enter" function of a canonical type, created on the first request.
    llvm::Function* enter(std::uint32_t canonical_type);
    [[nodiscard]] llvm::Function* refuel() const noexcept { return refuel_; }
    [[nodiscard]] llvm::Function* mark() const noexcept { return mark_; }

    /// Tags an access with its region.
    void tag(llvm::Instruction* access, Region region) const;
    /// A load of the Context's field at `offset`; `fixed`: it never changes while machine code
    /// runs.
    llvm::LoadInst* load_field(llvm::IRBuilder<>& build, llvm::Value* context, std::size_t offset,
                               llvm::Type* type, bool fixed) const;
    /// Bytes that the module's own memory always has; 0 if it is imported or there is none.
    [[nodiscard]] std::uint64_t least_memory() const noexcept { return least_memory_; }
    /// Whether addresses that are sums of one register and constants are checked together: only for
    /// memories of at most 65,535 pages (address_facts.h).
    [[nodiscard]] bool relates() const noexcept { return relates_; }
    [[nodiscard]] bool checks_bounds() const noexcept { return checks_bounds_; }
    [[nodiscard]] llvm::MDNode* unlikely() const noexcept { return unlikely_; }

    [[nodiscard]] static std::string name_of(std::uint32_t function);
    [[nodiscard]] static std::string enter_name(std::uint32_t canonical_type);

    // Types that are used everywhere.
    llvm::Type *i1, *i8, *i16, *i32, *i64, *f32, *f64, *pointer, *nothing;
    llvm::StructType* answer; ///< {remaining fuel, first result}

private:
    llvm::Function* make_stub(const char* name, std::size_t service,
                              std::vector<llvm::Type*> parameters);

    const wasm::Program& program_;
    std::unique_ptr<llvm::Module> module_;
    llvm::Function *refuel_ = nullptr, *mark_ = nullptr;
    llvm::MDNode *tags_[4] = {}, *unlikely_ = nullptr;
    std::uint64_t least_memory_ = 0;
    bool relates_ = false, checks_bounds_ = true;
};

} // namespace blockloom::native
