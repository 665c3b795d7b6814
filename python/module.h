#pragma once

#include <nanobind/nanobind.h>

namespace threefold::python {

/// Each function defines one part of the module _engine.
void defineSamples(nanobind::module_& module);         ///< Camera, Truth, Sample; reads, renders
void defineReconstruction(nanobind::module_& module);  ///< Result, ReconstructorBase, fit, hull
void defineMeasures(nanobind::module_& module);        ///< score, distances, nearest, emd, compare
void definePages(nanobind::module_& module);           ///< page

}  // namespace threefold::python
