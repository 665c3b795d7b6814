#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <utility>

namespace threefold::render {

/// What stands on the device for shared objects of the scene, each as long as somebody holds the
/// object. An entry is sure only once the commands that upload it were submitted.
template <typename Source, typename OnDevice>
class Uploaded {
  public:
    /// Null where there is none yet.
    std::shared_ptr<const OnDevice> find(const std::shared_ptr<const Source>& source) const {
        const auto entry = entries_.find(source);
        return entry == entries_.end() ? nullptr : entry->second.onDevice;
    }

    /// `sure`: no commands are needed to have it there.
    void add(const std::shared_ptr<const Source>& source, std::shared_ptr<const OnDevice> made,
             bool sure = false) {
        entries_.emplace(source, Entry{std::move(made), sure});
    }

    /// Forgets what nobody holds, and what never reached the device.
    void tidy() {
        std::erase_if(entries_, [](const auto& entry) {
            return entry.first.expired() || !entry.second.submitted;
        });
    }

    void submitted() {
        for (auto& [source, entry] : entries_) entry.submitted = true;
    }

    std::size_t size() const { return entries_.size(); }

  private:
    struct Entry {
        std::shared_ptr<const OnDevice> onDevice;
        bool submitted = false;
    };
    std::map<std::weak_ptr<const Source>, Entry, std::owner_less<>> entries_;
};

}  // namespace threefold::render
