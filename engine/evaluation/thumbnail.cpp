#include "engine/evaluation/thumbnail.h"

#include <vector>

#include "engine/error.h"
#include "engine/formats/pictures/square_pictures.h"
#include "engine/sample_rendering/draw_mesh.h"
#include "engine/sample_steps/evaluate.h"

namespace threefold {

Image makeThumbnail(const NetworkInput& input, const FittedReconstruction& reconstruction,
                    const GroundTruth& truth) {
    if (input.images.empty() || input.images.front().width <= 0 || input.images.front().height <= 0)
        throw InputError({"thumbnail", "", "there is no input image", ""});
    std::vector<Image> pictures{resizedToSquare(input.images.front(), kThumbnailSide)};
    for (const NamedMesh& mesh : publishedAndFittedMeshes(reconstruction))
        pictures.push_back(drawMesh(mesh.vertices, mesh.faces, kThumbnailSide));
    if (!truth.points.empty()) pictures.push_back(drawTruth(truth, kThumbnailSide));
    return sideBySide(pictures);
}

}  // namespace threefold
