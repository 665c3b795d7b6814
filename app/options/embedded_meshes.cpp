#include "app/options/embedded_meshes.h"

#include <map>
#include <string>

#include <fmt/format.h>

namespace threefold {

void addEmbed(CLI::App& command, EmbeddedMeshes& embedded) {
    const std::map<std::string, EmbeddedMeshes> words{{"shown", EmbeddedMeshes::shown},
                                                      {"all", EmbeddedMeshes::all}};
    command
        .add_option_function<std::string>(
            "--embed", [&embedded, words](const std::string& word) { embedded = words.at(word); },
            fmt::format("Samples whose meshes report.html turns: shown (those that it shows "
                        "with pictures: worst, best, most changed), or all, at most {}; about "
                        "0.3 MB each. Coarse meshes are in its pictures alone",
                        kMaxEmbedded))
        ->option_text("shown|all")
        ->check(CLI::IsMember({"shown", "all"}));
}

}  // namespace threefold
