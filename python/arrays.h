#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <glm/vec3.hpp>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

/// Arrays of Python as views of the engine's values and the other way round: neither copies where
/// the element type is the same and rows lie one after another.
namespace threefold::python {

namespace nb = nanobind;

/// An array that a caller passes.
template <class Number, class Shape>
using Given = nb::ndarray<const Number, Shape, nb::c_contig, nb::device::cpu>;
template <class Number>
using GivenRows = Given<Number, nb::shape<-1, 3>>;
/// An array that a caller gets; read-only where numbers are const.
template <class Number, class Shape = nb::shape<-1, 3>>
using Made = nb::ndarray<nb::numpy, Number, Shape, nb::c_contig>;

template <class Vector, class Number>
std::span<const Vector> spanOf(const GivenRows<Number>& rows) {
    static_assert(sizeof(Vector) == 3 * sizeof(Number));
    return {reinterpret_cast<const Vector*>(rows.data()), rows.shape(0)};
}

/// A view of rows of three, for a property of the object that holds them.
template <class Number>
auto rows(auto& vectors) {
    return Made<Number>(vectors.data(), {vectors.size(), 3});
}
template <class Number>
auto rowsOrNone(auto& vectors) {
    return vectors.empty() ? std::nullopt : std::optional(rows<Number>(vectors));
}

/// An array that owns the vector's elements, each of which is a number or a row of three.
template <class Number, class Vector>
auto owning(std::vector<Vector> values) {
    auto* const kept = new std::vector<Vector>(std::move(values));
    const nb::capsule owner(kept,
                            [](void* it) noexcept { delete static_cast<decltype(kept)>(it); });
    if constexpr (sizeof(Vector) == sizeof(Number))
        return Made<Number, nb::ndim<1>>(kept->data(), {kept->size()}, owner);
    else
        return Made<Number>(kept->data(), {kept->size(), 3}, owner);
}

template <class Number, class Vector>
auto owningOrNone(std::vector<Vector> values) {
    return values.empty() ? std::nullopt : std::optional(owning<Number>(std::move(values)));
}

}  // namespace threefold::python
