#pragma once

#include <exception>
#include <stdexcept>
#include <string>

namespace threefold {

/// An error in the four parts that the user needs. `place` and `remedy` may be empty.
struct ErrorReport {
    std::string subject;  ///< file, option or device the error is about
    std::string place;    ///< where in it: "byte 128", "line 3", "array 'coord'"
    std::string problem;  ///< what was found, and what was expected instead
    std::string remedy;   ///< what the reader can do about it, a full sentence
};

/// Root of everything that Threefold throws, but for Cancelled. `what()` is one line:
/// "subject: place: problem. Remedy." A NUL in a part, as files may hold, becomes "\x00".
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

/// The bytes are not of the format that the reader reads; another reader may try.
class NotThisFormat : public Error {
    using Error::Error;
};

/// The bytes are of the format, but damaged, truncated, or beyond what is accepted.
class FormatError : public Error {
    using Error::Error;
};

/// Readable input that cannot be used as asked (missing view, wrong shape, NaN coordinates).
class InputError : public Error {
    using Error::Error;
};

/// Weights or template are missing, misshapen or inconsistent.
class ModelError : public Error {
    using Error::Error;
};

/// A device (processor feature, Vulkan, display) is missing or failed.
class DeviceError : public Error {
    using Error::Error;
};

/// The command line or configuration is wrong; the program ends with exit code 2.
class UsageError : public Error {
    using Error::Error;
};

/// The work was cancelled on request: not a failure, never shown as one. No Error, so that who
/// deals with those lets it pass.
class Cancelled : public std::exception {
  public:
    const char* what() const noexcept override { return "cancelled"; }
};

}  // namespace threefold
