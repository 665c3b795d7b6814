#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <glm/vec3.hpp>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

/// Views of Python arrays as engine values and vice versa, without copies if element types match
/// and rows are contiguous.
namespace threefold::python {

namespace nb = nanobind;

/// Array argument of a Python function.
template <class Number, class Shape>
using InputArray = nb::ndarray<const Number, Shape, nb::c_contig, nb::device::cpu>;
template <class Number>
using InputRows = InputArray<Number, nb::shape<-1, 3>>;
/// Array result of a Python function; read-only if Number is const.
template <class Number, class Shape = nb::shape<-1, 3>>
using OutputArray = nb::ndarray<nb::numpy, Number, Shape, nb::c_contig>;

/// View of the rows as vectors; valid while the array lives.
template <class Vector, class Number>
std::span<const Vector> spanOf(const InputRows<Number>& rows) {
    static_assert(sizeof(Vector) == 3 * sizeof(Number));
    return {reinterpret_cast<const Vector*>(rows.data()), rows.shape(0)};
}

/// View of vectors as rows of three; valid while their owner lives. A property of the owner may
/// return it with nb::rv_policy::reference_internal, by which the array keeps the owner alive.
template <class Number>
auto rowsView(auto& vectors) {
    return OutputArray<Number>(vectors.data(), {vectors.size(), 3});
}
/// rowsView(), or None if there are no vectors.
template <class Number>
auto rowsViewOrNone(auto& vectors) {
    return vectors.empty() ? std::nullopt : std::optional(rowsView<Number>(vectors));
}

/// An array that owns the vector's elements, which are numbers or rows of three.
template <class Number, class Vector>
auto ownedArray(std::vector<Vector> values) {
    auto* const kept = new std::vector<Vector>(std::move(values));
    const nb::capsule owner(kept,
                            [](void* it) noexcept { delete static_cast<decltype(kept)>(it); });
    if constexpr (sizeof(Vector) == sizeof(Number))
        return OutputArray<Number, nb::ndim<1>>(kept->data(), {kept->size()}, owner);
    else
        return OutputArray<Number>(kept->data(), {kept->size(), 3}, owner);
}

/// ownedArray(), or None if there are no values.
template <class Number, class Vector>
auto ownedArrayOrNone(std::vector<Vector> values) {
    return values.empty() ? std::nullopt : std::optional(ownedArray<Number>(std::move(values)));
}

}  // namespace threefold::python
