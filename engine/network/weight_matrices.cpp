#include "engine/network/weight_matrices.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/error.h"

namespace threefold {

std::vector<float> weightValues(const Model& model, const std::string& name, std::size_t count) {
    const auto found = model.weights.find(name);
    if (found == model.weights.end())
        throw ModelError({model.file.string(), name, "the model lacks this tensor",
                          "Make the model anew with 'threefold convert'."});
    std::vector<float> values = found->second.toFloat();
    if (values.size() != count)
        throw ModelError({model.file.string(), name,
                          fmt::format("{} values where the network needs {}", values.size(), count),
                          "Make the model anew with 'threefold convert'."});
    return values;
}

std::vector<float> supportsSideBySide(const Model& model, const std::string& prefix,
                                      std::size_t inner, std::size_t outer,
                                      std::size_t paddedInner) {
    std::vector<float> joined(paddedInner * 2 * outer, 0.0F);
    for (std::size_t support = 0; support < 2; ++support) {
        const std::vector<float> w =
            weightValues(model, fmt::format("{}.weights.{}", prefix, support), inner * outer);
        for (std::size_t row = 0; row < inner; ++row)
            std::copy_n(
                w.begin() + static_cast<std::ptrdiff_t>(row * outer), outer,
                joined.begin() + static_cast<std::ptrdiff_t>(row * 2 * outer + support * outer));
    }
    return joined;
}

std::vector<float> stackedSupports(const Model& model, const std::string& prefix, std::size_t inner,
                                   std::size_t outer) {
    std::vector<float> joined = weightValues(model, prefix + ".weights.0", inner * outer);
    const std::vector<float> second = weightValues(model, prefix + ".weights.1", inner * outer);
    joined.insert(joined.end(), second.begin(), second.end());
    return joined;
}

}  // namespace threefold
