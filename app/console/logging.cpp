#include "app/console/logging.h"

#include <memory>

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace threefold {
namespace {

spdlog::level::level_enum severity(LogLevel level) {
    switch (level) {
        case LogLevel::debug:
            return spdlog::level::debug;
        case LogLevel::info:
            return spdlog::level::info;
        case LogLevel::warning:
            return spdlog::level::warn;
        case LogLevel::error:
            return spdlog::level::err;
    }
    return spdlog::level::err;
}

}  // namespace

void startLogging() {
    auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
    auto logger = std::make_shared<spdlog::logger>("threefold", std::move(sink));
    logger->set_pattern("%n: %v");
    logger->set_level(spdlog::level::warn);
    spdlog::set_default_logger(std::move(logger));
}

void setLogVerbosity(bool verbose) {
    spdlog::set_level(verbose ? spdlog::level::debug : spdlog::level::warn);
}

void logLine(LogLevel level, std::string_view line) {
    spdlog::log(severity(level), "{}", line);
}

}  // namespace threefold
