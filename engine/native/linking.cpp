#include "native/linking.h"

#include "native/code_image.h"
#include "native/control_graph.h"
#include "native/machine.h"
#include "native/module_translation.h"

#include <algorithm>

namespace blockloom::native {
namespace {

/// Machine code that the compiler made is always right to link: this machine lacked something.
Error not_linked(const std::string& why) {
    return Error{ErrorCode::system, "native compiler: linking: " + why};
}

/// Links the objects and looks up what they define.
Status link(std::vector<Object> objects, CodeImage& image) {
    // Three groups of sections an object begin pages of their own; stubs and tables of addresses
    // are there besides what the object has.
    auto made = make_linker(2 * image.bytes + objects.size() * (std::size_t{64} << 10));
    if (!made) return made.error();
    const std::shared_ptr<Linker> linker = *std::move(made);
    for (Object& object : objects)
        if (auto error = linker->jit->addObjectFile(std::move(object)))
            return not_linked(llvm::toString(std::move(error)));
    const auto find = [&](const std::string& name) -> const void* {
        auto found = linker->jit->lookupLinkerMangled(name);
        if (found) return reinterpret_cast<const void*>(found->getAddress());
        // It names the symbols; the cause was reported before.
        const std::string missing = llvm::toString(found.takeError());
        if (linker->why.empty()) linker->why = missing;
        return nullptr;
    };
    const wasm::Program& program = *image.program;
    for (std::uint32_t i = 0; i < program.functions.size(); ++i) {
        FunctionEntry entry;
        entry.cells = program.functions[i].cells;
        if (i >= program.module->imported_functions) {
            const std::uint32_t type = program.canonical_type[program.functions[i].type];
            entry.code = find(ModuleTranslation::name_of(i));
            if (image.enter[type] == nullptr)
                image.enter[type] = reinterpret_cast<Enter>(
                    reinterpret_cast<std::uintptr_t>(find(ModuleTranslation::enter_name(type))));
        }
        image.functions.push_back(entry);
    }
    if (!linker->why.empty()) return not_linked(linker->why);
    image.owner = linker;
    return {};
}

} // namespace

Result<std::shared_ptr<const NativeCode>> link_objects(std::shared_ptr<const wasm::Program> program,
                                                       Tier tier, std::vector<Object> objects) {
    auto image = std::make_unique<CodeImage>();
    image->program = std::move(program);
    image->tier = tier;
    ControlGraph::write_costs(*image->program, image->costs);
    image->enter.resize(image->program->module->types.size());
    for (const Object& object : objects) {
        image->bytes += object->getBufferSize();
        image->most_frame_bytes = std::max(image->most_frame_bytes, most_frame_bytes(*object));
    }
    if (const Status linked = link(std::move(objects), *image); !linked) return linked.error();
    return std::make_shared<const NativeCode>(std::move(image));
}

} // namespace blockloom::native
