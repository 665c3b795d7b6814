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
                "Samples whose meshes report.html embeds in 3D: \"shown\", those with pictures "
                "(worst, best, most changed), or \"all\", up to {}. About 0.3 MB a sample. Coarse "
                "meshes appear in the pictures only",
                kMaxEmbedded))
        ->option_text("shown|all")
        ->check(CLI::IsMember({"shown", "all"}));
}

}  // namespace threefold
