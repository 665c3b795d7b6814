#include "app/console/logging.h"

#include <memory>
#include <utility>

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "app/console/printable.h"

namespace threefold {
namespace {

/// A message names files, and files may have any names: what it says stays one line of text.
class OneLine : public spdlog::custom_flag_formatter {
  public:
    void format(const spdlog::details::log_msg& message, const std::tm& /*time*/,
                spdlog::memory_buf_t& line) override {
        const std::string text = printable({message.payload.data(), message.payload.size()});
        line.append(text.data(), text.data() + text.size());
    }
    std::unique_ptr<spdlog::custom_flag_formatter> clone() const override {
        return std::make_unique<OneLine>();
    }
};

}  // namespace

void startLogging() {
    auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
    auto logger = std::make_shared<spdlog::logger>("threefold", std::move(sink));
    auto pattern = std::make_unique<spdlog::pattern_formatter>();
    pattern->add_flag<OneLine>('*').set_pattern("%n: %*");
    logger->set_formatter(std::move(pattern));
    logger->set_level(spdlog::level::warn);
    spdlog::set_default_logger(std::move(logger));
}

void setLogVerbosity(bool verbose) {
    spdlog::set_level(verbose ? spdlog::level::debug : spdlog::level::warn);
}

void logLine(LogLevel level, std::string_view line) {
    constexpr spdlog::level::level_enum kLevels[] = {spdlog::level::debug, spdlog::level::info,
                                                     spdlog::level::warn, spdlog::level::err};
    spdlog::log(kLevels[static_cast<std::size_t>(level)], "{}", line);
}

}  // namespace threefold
