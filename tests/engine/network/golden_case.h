#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/formats/tensors/array.h"
#include "engine/model/model.h"
#include "engine/network/backend.h"
#include "engine/views/network_input.h"

namespace threefold::test {

/// One file of tests/golden: the tensors that the reference gives for a bundled sample and the
/// bundled weights (shapes as in the goldens' description in METHOD.md's reference).
struct GoldenCase {
    std::string name;      ///< "plane_each"
    std::string location;  ///< "02691156/p0001" within the bundled samples
    SamplerKind sampler;
    ArrayMap tensors;

    std::vector<float> values(const std::string& tensor) const {
        return tensors.at(tensor).toFloat();
    }
};

/// All cases, read once from the repository.
const std::vector<GoldenCase>& goldenCases();

/// The bundled model with the sampler of the case.
std::shared_ptr<const Model> goldenModel(const GoldenCase& golden);

/// Views 0, 6 and 7 of the case's bundled sample.
NetworkInput goldenInput(const GoldenCase& golden);

/// Takes from a probed tensor the elements that the golden file keeps of it.
std::vector<float> asGolden(const std::string& name, std::span<const float> values,
                            std::span<const std::size_t> shape);

/// One run of a backend on a case: every probed tensor that the golden file has as well.
struct GoldenRun {
    Reconstruction result;
    std::map<std::string, std::vector<float>> tensors;
};
GoldenRun runGolden(Backend& backend, const GoldenCase& golden);

/// Stage 2 of the processor's implementation, each block started from the golden file's own mesh:
/// what then differs is the block's error, not an earlier rounding that the network amplifies (a
/// vertex moved by 1e-6, which is the reference's own accuracy, changes a score by up to 5e-5).
std::map<std::string, std::vector<float>> stage2FromGoldenMeshes(const GoldenCase& golden,
                                                                 Precision precision);

/// Vertices where the method itself is not continuous: some hypothesis around `points` projects
/// within float32's rounding of an integer pixel, where the published sampler gives 0 (METHOD.md
/// §5). There the reference does not agree with itself when its threads or its precision change.
std::vector<bool> atSamplerGap(const GoldenCase& golden, const Points& points);

/// Rows of a golden tensor that belong to such vertices (`gap`), and so are not compared.
struct SkippedRows {
    std::vector<bool> rows;  ///< empty: none
    std::size_t width = 1;   ///< values a row
};
SkippedRows rowsAtGaps(const std::string& name, const Array& array, const std::vector<bool>& gap);

Points asPoints(const std::vector<float>& values);

}  // namespace threefold::test
