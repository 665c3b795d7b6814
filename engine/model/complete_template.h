#pragma once

#include <string>

#include "engine/model/template_mesh.h"

namespace threefold {

/// Puts the centre (0, 0, 0) before `mesh.hypotheses`, joins it to all others, and sets
/// `mesh.hypothesisLaplacian` to the scaled Laplacian 2/λmax · (I − D^-½ A D^-½) − I of that graph
/// (METHOD.md §6, §7). `graph` is the matrix of the hypotheses that are there: where two are
/// neighbours, its entry is not zero. Throws ModelError where it is not of their number, or not
/// symmetric in its places.
void addCentreHypothesis(TemplateMesh& mesh, const SparseMatrix& graph, const std::string& subject);

}  // namespace threefold
