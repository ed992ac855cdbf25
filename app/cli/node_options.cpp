#include "node_options.h"

namespace blockloom::cli {

void add_node_options(CLI::App& command, range::RangeOptions& range) {
    const auto file = [&](const char* name, std::string& into, const char* words) {
        command.add_option(name, into, words)
            ->type_name("FILE")
            ->default_str("")
            ->group("Nodes as sources");
    };
    file("--node-credentials", range.nodes.credentials_file,
         "File with user:password (also a cookie file of Bitcoin Core) or bearer TOKEN; else the "
         "variable BLOCKLOOM_NODE_CREDENTIALS");
    file("--node-ca", range.nodes.ca_file, "Certificates to trust, PEM [those of the system]");
}

} // namespace blockloom::cli
