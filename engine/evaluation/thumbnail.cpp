#include "engine/evaluation/thumbnail.h"

#include <vector>

#include "engine/error.h"
#include "engine/formats/pictures/square_pictures.h"
#include "engine/sample_rendering/draw_mesh.h"

namespace threefold {

Image makeThumbnail(const NetworkInput& input, const FittedReconstruction& reconstruction,
                    const GroundTruth& truth) {
    if (input.images.empty() || input.images.front().width <= 0 || input.images.front().height <= 0)
        throw InputError({"thumbnail", "", "there is no input image", ""});
    static const Faces kNone;
    const bool hasFaces =
        reconstruction.network.levelFaces && !reconstruction.network.levelFaces->empty();
    const Faces& faces = hasFaces ? reconstruction.network.faces() : kNone;
    std::vector<Image> pictures{resizedToSquare(input.images.front(), kThumbnailSide)};
    for (const StageMesh* mesh : reconstruction.network.published())
        pictures.push_back(drawMesh(mesh->vertices, faces, kThumbnailSide));
    if (const auto& fitted = reconstruction.fitted)
        pictures.push_back(drawMesh(fitted->vertices, fitted->faces, kThumbnailSide));
    if (!truth.points.empty()) pictures.push_back(drawTruth(truth, kThumbnailSide));
    return sideBySide(pictures);
}

}  // namespace threefold
