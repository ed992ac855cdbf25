#include "native/kept_code.h"

#include "base/contain.h"
#include "base/sha256.h"
#include "native/compiler_memory.h"
#include "native/keeping.h"
#include "native/machine.h"
#include "native/module_id.h"

#include <atomic>
#include <llvm/Config/llvm-config.h>
#include <mutex>
#include <native_generator.h>

namespace blockloom::native {
namespace {

std::mutex store_mutex;
std::shared_ptr<CodeStore> store_of_process; // under store_mutex

struct AtomicCounts {
    std::atomic<std::uint64_t> compiled = 0, loaded = 0, kept = 0;
};
AtomicCounts counts;

/// The length before the bytes: parts never run into each other.
void add_part(Sha256Stream& to, ByteView part) {
    Bytes size;
    append_le(size, static_cast<std::uint64_t>(part.size()));
    to.add(size);
    to.add(part);
}

} // namespace

void keep_code_in(std::shared_ptr<CodeStore> store) noexcept {
    const std::lock_guard lock(store_mutex);
    store_of_process.swap(store);
}

std::shared_ptr<CodeStore> code_kept_in() noexcept {
    const std::lock_guard lock(store_mutex);
    return store_of_process;
}

const CodeMaker& code_maker() {
    // Never destroyed: threads may still compile while the process exits (closing_threads.h).
    static const CodeMaker& maker = *[] {
        const Processor processor = this_processor();
        return new CodeMaker{native_generator, LLVM_VERSION_STRING, processor.triple,
                             processor.name, processor.features};
    }();
    return maker;
}

Hash256 code_key(const CodeMaker& maker, const wasm::Program& program, Tier tier) {
    Sha256Stream hash;
    for (const std::string* part :
         {&maker.generator, &maker.llvm, &maker.triple, &maker.processor, &maker.features})
        add_part(hash, as_bytes(*part));
    add_part(hash, module_id(program));
    const Byte of_tier[] = {static_cast<Byte>(tier)};
    add_part(hash, of_tier);
    return hash.finish();
}

std::shared_ptr<const NativeCode>
load_kept_code(const std::shared_ptr<const wasm::Program>& program, Tier tier) {
    const std::shared_ptr<CodeStore> store = code_kept_in();
    if (!store) return nullptr;
    const Hash256 key = code_key(code_maker(), *program, tier);
    const auto kept = store->find(key);
    if (!kept) return nullptr;
    const CompilerMemory memory;
    std::vector<Object> objects;
    for (const ByteView object : kept->objects)
        // A copy: LLVM wants its own alignment, and keeps what it links.
        objects.push_back(llvm::MemoryBuffer::getMemBufferCopy(
            {reinterpret_cast<const char*>(object.data()), object.size()}, "blockloom"));
    auto linked = link_objects(program, tier, std::move(objects));
    if (!linked) {
        // Compiled again; if this machine lacks the memory, that says so.
        store->remove(key);
        return nullptr;
    }
    ++counts.loaded;
    return *std::move(linked);
}

void count_compiled() noexcept {
    ++counts.compiled;
}

void keep_code(const wasm::Program& program, Tier tier, std::span<const Object> objects) {
    const std::shared_ptr<CodeStore> store = code_kept_in();
    if (!store) return;
    const Status kept = contain("keeping machine code", [&] {
        std::vector<ByteView> views;
        for (const Object& object : objects)
            views.emplace_back(reinterpret_cast<const Byte*>(object->getBufferStart()),
                               object->getBufferSize());
        return store->keep(code_key(code_maker(), program, tier), views);
    });
    if (kept) ++counts.kept;
}

CodeCounts code_counts() noexcept {
    return {counts.compiled, counts.loaded, counts.kept};
}

} // namespace blockloom::native
