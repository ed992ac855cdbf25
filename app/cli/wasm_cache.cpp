// blockloom-cli wasm cache: the machine code that is kept between starts.
#include "base/number_text.h"
#include "compute/settings.h"
#include "native/code_store.h"
#include "terminal.h"
#include "wasm.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace blockloom::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CacheOptions {
    bool clear = false, json = false;
};

Result<int> show_cache(const CacheOptions& options) {
    const auto settings = compute::read_settings();
    if (!settings) return settings.error();
    const std::filesystem::path folder = compute::code_folder(*settings);
    native::CodeStore store(folder);
    native::CodeStore::Contents removed, left;
    if (!folder.empty()) {
        if (options.clear) {
            const auto cleared = store.clear();
            if (!cleared) return cleared.error();
            removed = *cleared;
        }
        const auto contents = store.contents();
        if (!contents) return contents.error();
        left = *contents;
    }
    if (options.json) {
        Json document{{"folder", folder.empty() ? Json() : Json(folder.string())},
                      {"entries", left.entries},
                      {"bytes", left.bytes},
                      {"bound", store.most_bytes()}};
        if (options.clear)
            document["removed"] = {{"entries", removed.entries}, {"bytes", removed.bytes}};
        print(document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
        return 0;
    }
    if (folder.empty()) {
        print("machine code is not kept (code_cache)\n");
        return 0;
    }
    std::string text = printable(folder.string()) + "\n";
    if (options.clear)
        text += fmt::format("removed {} ({})\n", counted(removed.entries, "entry", "entries"),
                            counted(removed.bytes, "byte"));
    text += fmt::format("{} ({}), at most {}\n", counted(left.entries, "entry", "entries"),
                        counted(left.bytes, "byte"), counted(store.most_bytes(), "byte"));
    print(text);
    return 0;
}

} // namespace

Command add_wasm_cache(CLI::App& group) {
    auto options = std::make_shared<CacheOptions>();
    CLI::App* command =
        group.add_subcommand("cache", "Show or clear the machine code kept between starts");
    command->add_flag("--clear", options->clear, "Remove all entries");
    command->add_flag("--json", options->json, "One JSON document on standard output");
    command->footer("Example: blockloom-cli wasm cache --clear\n"
                    "The setting code_cache (BLOCKLOOM_CODE_CACHE) is on, off or a folder.");
    return {command, [options](const Context&) { return show_cache(*options); }};
}

} // namespace blockloom::cli
