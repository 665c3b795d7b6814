#include "app/options/protocols.h"

#include <CLI/CLI.hpp>

namespace threefold {

void addProtocols(CLI::App& command, std::string& word) {
    command
        .add_option("--protocol", word,
                    "published (the default: vertices against the truth's points), surface "
                    "(10 000 points of each surface), both")
        ->check(CLI::IsMember({"published", "surface", "both"}))
        ->option_text("NAME");
}

std::vector<Protocol> protocolsOf(const std::string& word) {
    if (word == "both") return {Protocol::published, Protocol::surface};
    return {protocolFromName(word)};
}

}  // namespace threefold
