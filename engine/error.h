#pragma once

#include <exception>
#include <stdexcept>
#include <string>

namespace threefold {

/// An error report for the user, in four fields. `place` and `remedy` may be empty.
struct ErrorReport {
    std::string subject;  ///< file, option or device with the error
    std::string place;    ///< position in the subject: "byte 128", "line 3", "array 'coord'"
    std::string problem;  ///< found and expected values or state
    std::string remedy;   ///< the user's next action, a full sentence
};

/// Base class of Threefold's exceptions, except Cancelled. `what()` is one line:
/// "subject: place: problem. Remedy.", with control characters as escapeControls() writes them.
/// report() keeps the fields as given, except that a NUL becomes "\x00".
class Error : public std::runtime_error {
  public:
    explicit Error(ErrorReport report);
    const ErrorReport& report() const { return report_; }

  private:
    ErrorReport report_;
};

/// A file cannot be opened, read or written.
class IoError : public Error {
    using Error::Error;
};

/// The bytes are not in this reader's format; another reader may try.
class NotThisFormat : public Error {
    using Error::Error;
};

/// Damaged or truncated bytes of a known format, or bytes beyond the accepted limits.
class FormatError : public Error {
    using Error::Error;
};

/// Readable input that cannot be used as requested (missing view, wrong shape, NaN coordinates).
class InputError : public Error {
    using Error::Error;
};

/// Weights or template are missing, misshapen or inconsistent.
class ModelError : public Error {
    using Error::Error;
};

/// A device (GPU, processor feature, Vulkan, display) is missing or failed.
class DeviceError : public Error {
    using Error::Error;
};

/// The command line or configuration is wrong; the program ends with exit code 2.
class UsageError : public Error {
    using Error::Error;
};

/// The work was cancelled on request, which is no failure and is never shown as one. Cancelled is
/// not derived from Error, so handlers of Error let it pass.
class Cancelled : public std::exception {
  public:
    const char* what() const noexcept override { return "cancelled"; }
};

}  // namespace threefold
