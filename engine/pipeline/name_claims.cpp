#include "engine/pipeline/name_claims.h"

namespace threefold {

NameClaim::~NameClaim() {
    const std::scoped_lock lock(claims_.mutex_);
    claims_.waiting_.erase(position_);
    claims_.passed_.notify_all();
}

std::optional<std::size_t> NameClaim::take(const std::string& name) {
    std::unique_lock lock(claims_.mutex_);
    const std::set<std::size_t>& waiting = claims_.waiting_;
    claims_.passed_.wait(lock, [&] { return waiting.empty() || *waiting.begin() >= position_; });
    const auto [known, isNew] = claims_.names_.emplace(name, position_);
    if (isNew || known->second == position_) return std::nullopt;
    return known->second;
}

}  // namespace threefold
