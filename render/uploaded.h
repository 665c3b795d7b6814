#pragma once

#include <map>
#include <memory>
#include <utility>

namespace threefold::render {

/// Maps shared objects of the scene to their copies on the device. An entry lasts as long as its
/// object, and is valid only once the commands that upload it were submitted.
template <typename Source, typename OnDevice>
class Uploaded {
  public:
    /// Null if unknown.
    std::shared_ptr<const OnDevice> find(const std::shared_ptr<const Source>& source) const {
        const auto entry = entries_.find(source);
        return entry == entries_.end() ? nullptr : entry->second.onDevice;
    }

    /// `complete`: needs no upload commands.
    void add(const std::shared_ptr<const Source>& source, std::shared_ptr<const OnDevice> made,
             bool complete = false) {
        entries_.emplace(source, Entry{std::move(made), complete});
    }

    /// Forgets objects that are gone and uploads that were never submitted.
    void tidy() {
        std::erase_if(entries_, [](const auto& entry) {
            return entry.first.expired() || !entry.second.submitted;
        });
    }

    void submitted() {
        for (auto& [source, entry] : entries_) entry.submitted = true;
    }

  private:
    struct Entry {
        std::shared_ptr<const OnDevice> onDevice;
        bool submitted = false;
    };
    std::map<std::weak_ptr<const Source>, Entry, std::owner_less<>> entries_;
};

}  // namespace threefold::render
