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

/// One file of tests/golden: the tensors that the reference computes from a bundled sample and the
/// bundled weights (resources/models/training/make_golden.py describes their shapes).
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

/// Selects the elements of a probed tensor that the golden file keeps.
std::vector<float> asGolden(const std::string& name, std::span<const float> values,
                            std::span<const std::size_t> shape);

/// One run of a back end on a case: all probed tensors that the golden file also has.
struct GoldenRun {
    Reconstruction result;
    std::map<std::string, std::vector<float>> tensors;
};
GoldenRun runGolden(Backend& backend, const GoldenCase& golden);

/// Tensors of stage 2 on the processor, with each block started from the golden file's own mesh, so
/// that differences are the block's errors and not earlier rounding that the network amplifies. (A
/// vertex moved by 1e-6, the reference's own accuracy, changes a score by up to 5e-5.)
std::map<std::string, std::vector<float>> stage2FromGoldenMeshes(const GoldenCase& golden,
                                                                 Precision precision);

/// For each of `points`, whether it is at a discontinuity of the sampler: whether a hypothesis
/// around the point projects within float32's rounding of an integer pixel coordinate, where the
/// published sampler returns 0 (METHOD.md §5). There the reference's own result changes with its
/// number of threads or its precision.
std::vector<bool> atSamplerGap(const GoldenCase& golden, const Points& points);

/// Rows of a golden tensor that belong to vertices at a gap (`gap`), and so are not compared.
struct SkippedRows {
    std::vector<bool> rows;  ///< empty: none
    std::size_t width = 1;   ///< values in a row
};
SkippedRows rowsAtGaps(const std::string& name, const Array& array, const std::vector<bool>& gap);

Points asPoints(const std::vector<float>& values);

}  // namespace threefold::test
