#include "engine/pipeline/name_claims.h"

namespace threefold {

NameClaim::~NameClaim() {
    const std::scoped_lock lock(names_.mutex_);
    names_.waiting_.erase(position_);
    names_.passed_.notify_all();
}

std::optional<std::size_t> NameClaim::take(const std::string& name) {
    std::unique_lock lock(names_.mutex_);
    const std::set<std::size_t>& waiting = names_.waiting_;
    names_.passed_.wait(lock, [&] { return waiting.empty() || *waiting.begin() >= position_; });
    const auto [known, isNew] = names_.names_.emplace(name, position_);
    if (isNew || known->second == position_) return std::nullopt;
    return known->second;
}

}  // namespace threefold
