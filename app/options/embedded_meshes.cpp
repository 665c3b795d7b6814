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
            fmt::format(
                "Samples whose meshes can be turned in report.html: shown (the worst, best "
                "and most changed, which also have pictures), or all, at most {}. About 0.3 "
                "MB each. Coarse meshes are only in the pictures",
                kMaxEmbedded))
        ->option_text("shown|all")
        ->check(CLI::IsMember({"shown", "all"}));
}

}  // namespace threefold
