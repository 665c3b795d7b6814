#include "ui/document/quantities.h"

namespace threefold::ui::quantity {

QuantityInfo ownColours() {
    return {.name = Quantities::tr("Own colours"),
            .explanation = Quantities::tr("The colours and textures of the file that the opened "
                                          "mesh came from; other meshes are plain"),
            .colouring = render::Colouring::colours};
}

QuantityInfo photographs() {
    return {.name = Quantities::tr("Photographs"),
            .explanation = Quantities::tr("The photographs of network and fit, projected onto the "
                                          "meshes: each face takes the view that sees it best; "
                                          "what no view sees is plain"),
            .colouring = render::Colouring::colours};
}

}  // namespace threefold::ui::quantity
