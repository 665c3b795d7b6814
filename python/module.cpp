#include <exception>

#include <nanobind/nanobind.h>

#include "engine/error.h"
#include "python/arrays.h"
#include "python/module.h"

namespace threefold::python {
namespace {

/// Converts a text, which may hold bytes that are not UTF-8, to a string of Python.
nb::object text(const std::string& value) {
    return nb::steal(PyUnicode_DecodeUTF8(value.data(), std::ssize(value), "replace"));
}

const ErrorReport& errorReport(const Error& error) {
    return error.report();
}

ErrorReport errorReport(const Cancelled& cancelled) {
    return {"", "", cancelled.what(), ""};
}

/// Translates exceptions of type `Kind` to the package's class `name`, with the four fields of
/// their report.
template <class Kind>
void translate(const char* name) {
    const auto raise = [](const std::exception_ptr& thrown, void* named) {
        try {
            std::rethrow_exception(thrown);
        } catch (const Kind& error) {
            const nb::object package = nb::module_::import_("threefold._errors");
            const nb::object type = package.attr(static_cast<const char*>(named));
            const auto& [subject, place, problem, remedy] = errorReport(error);
            const nb::object raised =
                type(text(error.what()), text(subject), text(place), text(problem), text(remedy));
            PyErr_SetObject(type.ptr(), raised.ptr());
        }
    };
    nb::register_exception_translator(raise, const_cast<char*>(name));
}

}  // namespace

NB_MODULE(_engine, module) {
    module.attr("version") = THREEFOLD_VERSION;
    // nanobind tries the last registered translator first, so base classes come first.
    translate<Error>("Error");
    translate<IoError>("IoError");
    translate<NotThisFormat>("NotThisFormat");
    translate<FormatError>("FormatError");
    translate<InputError>("InputError");
    translate<ModelError>("ModelError");
    translate<DeviceError>("DeviceError");
    translate<UsageError>("UsageError");
    translate<Cancelled>("Cancelled");
    defineSamples(module);
    defineReconstruction(module);
    defineMeasures(module);
    definePages(module);
}

}  // namespace threefold::python
