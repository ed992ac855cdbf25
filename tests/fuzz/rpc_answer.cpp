// What a server answers to a call: any bytes are a result, an error of the node, or neither.
#include "node/rpc_answer.h"
#include "node/metashrew_node.h"

#include <cstdlib>

using namespace blockloom;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const node::RpcAnswer answer = node::read_rpc_answer(text, 7, "fuzz", 1 << 16);
    using Kind = node::RpcAnswer::Kind;
    if (answer.kind != Kind::result && answer.message.empty()) std::abort();
    if (answer.kind == Kind::result) {
        const JsonValue result = answer.document->root()["result"];
        if (const auto bytes = result.text(1 << 16)) (void)node::bytes_of_hex(*bytes);
        (void)answer.document->status();
    }
    return 0;
}
