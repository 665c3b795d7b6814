#pragma once

#include <nanobind/nanobind.h>

namespace threefold::python {

/// Adds Camera, Truth and Sample to the module _engine, and the functions that read and render
/// samples, with the defaults of rendering.
void defineSamples(nanobind::module_& module);
/// Adds Result, ReconstructorBase, fit() and hull() to the module _engine, with the default of
/// hull().
void defineReconstruction(nanobind::module_& module);
/// Adds score(), distances(), nearest(), emd() and compare() to the module _engine, with the
/// defaults of scores.
void defineMeasures(nanobind::module_& module);
/// Adds page(), and COLOURINGS, the colourings that it accepts, to the module _engine.
void definePages(nanobind::module_& module);

}  // namespace threefold::python
