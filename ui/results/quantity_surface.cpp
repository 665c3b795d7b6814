#include "engine/geometry/curvature.h"
#include "ui/results/quantities.h"

namespace threefold::ui::quantity {

QuantityInfo none() {
    return {.name = Quantities::tr("Plain"),
            .explanation = Quantities::tr("The surface in one colour"),
            .colouring = render::Colouring::plain};
}

QuantityInfo normals() {
    return {.name = Quantities::tr("Normals"),
            .explanation = Quantities::tr("The direction of the surface in world space: x, y and z "
                                          "as red, green and blue"),
            .colouring = render::Colouring::normals};
}

QuantityInfo fileValues() {
    return {.name = Quantities::tr("Values of the file"),
            .explanation = Quantities::tr("Numbers of the vertices in the file of an opened mesh, "
                                          "such as `quality` in a PLY"),
            .fromZero = false,
            .isFromFile = true};
}

QuantityInfo ownColours() {
    return {.name = Quantities::tr("Own colours"),
            .explanation = Quantities::tr("The colours and textures of the file that the opened "
                                          "mesh came from; other meshes are plain"),
            .colouring = render::Colouring::vertexColours};
}

QuantityInfo photographs() {
    return {
        .name = Quantities::tr("Photographs"),
        .explanation = Quantities::tr("The photographs as texture, as the mesh is exported; parts "
                                      "that no photograph shows take the colours around them"),
        .colouring = render::Colouring::vertexColours};
}

QuantityInfo curvature() {
    return {.name = Quantities::tr("Mean curvature"),
            .unit = Quantities::tr("1 ÷ object unit"),
            .explanation = Quantities::tr("By the cotangent Laplacian: positive where convex, "
                                          "negative where concave, 1 ÷ radius on a sphere"),
            .diverging = true,
            .fromZero = false,
            .decimals = 1,
            .tailFactor = 20,
            .needsFaces = true,
            .ofMesh = [](const render::SceneMesh& mesh, const TruthShape&) {
                return meanCurvature(mesh.vertices, mesh.faces);
            }};
}

}  // namespace threefold::ui::quantity
