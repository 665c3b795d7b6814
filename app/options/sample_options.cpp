#include "app/options/sample_options.h"

#include <fmt/format.h>

#include "app/configuration/bind_settings.h"
#include "app/configuration/setting.h"
#include "app/options/add_option.h"
#include "engine/error.h"
#include "engine/text.h"
#include "engine/texturing/bake_texture.h"
#include "engine/views/network_input.h"

namespace threefold {

void addTexture(CLI::App& command, int& side) {
    const auto take = [&side](const std::string& word) {
        side = word.empty() ? kDefaultTextureSide : parseNumber<int>(word).value_or(0);
        if (side < kMinTextureSide || side > kMaxTextureSide)
            throw UsageError({"--texture", word, "is no number of pixels for a texture's side",
                              fmt::format("Give {} to {}, or nothing: then it is {}.",
                                          kMinTextureSide, kMaxTextureSide, kDefaultTextureSide)});
    };
    command
        .add_option_function<std::string>(
            "--texture", take,
            fmt::format("The sample's photographs on each mesh, in obj, glb and gltf, as a square "
                        "picture. PIXELS: its side, {} to {}; default {}",
                        kMinTextureSide, kMaxTextureSide, kDefaultTextureSide))
        ->option_text("[PIXELS]")
        ->expected(0, 1);
}

void addTruthSpace(CLI::App& command, TruthSpaceChoice& space) {
    addSettingWord(command, setting::truthSpace,
                   [&space](const std::string& word) { space = truthSpaceFromName(word); });
}

void addListRoots(CLI::App& command, std::filesystem::path& images, std::filesystem::path& truths,
                  const ListRootNames& names) {
    addValue(command, names.images, images, "ROOT",
             "Folder with the images of a list's samples, such as ShapeNetRendering");
    addValue(command, names.truths, truths, "ROOT",
             "Folder of the truths: {category}_{sample}_{view}.dat, or .obj, .npz …");
}

std::string viewCountWarning(std::size_t views) {
    if (views == 0 || views == kPublishedViews.size()) return {};
    return fmt::format("{} views: the model was trained with {}; expect a rougher mesh", views,
                       kPublishedViews.size());
}

}  // namespace threefold
