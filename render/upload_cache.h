#pragma once

#include <map>
#include <memory>
#include <utility>

#include "render/memory.h"

namespace threefold::render {

/// Maps shared objects of the scene to their copies on the device. An entry lasts as long as its
/// object; removeUnused() drops entries whose upload commands were recorded, but not submitted. For
/// one thread.
template <typename OnDevice>
class UploadCache {
  public:
    using Source = std::shared_ptr<const void>;

    bool contains(const Source& source) const { return entries_.contains(source); }

    /// Finds the copy of an object and keeps it alive in `resources`, for the frame that reads it;
    /// null if unknown.
    std::shared_ptr<const OnDevice> find(const Source& source, FrameResources& resources) const {
        const auto entry = entries_.find(source);
        if (entry == entries_.end()) return nullptr;
        resources.push_back(entry->second.onDevice);
        return entry->second.onDevice;
    }

    /// Adds a copy. `complete`: whether its content is on the device already; if not,
    /// removeUnused() drops the copy unless markSubmitted() was called before.
    void add(const Source& source, std::shared_ptr<const OnDevice> copy, bool complete = false) {
        entries_.emplace(source, Entry{std::move(copy), complete});
    }

    /// Forgets objects that are gone and uploads that were never submitted.
    void removeUnused() {
        std::erase_if(entries_, [](const auto& entry) {
            return entry.first.expired() || !entry.second.submitted;
        });
    }

    /// Notes that the commands of all uploads so far were submitted.
    void markSubmitted() {
        for (auto& [source, entry] : entries_) entry.submitted = true;
    }

  private:
    struct Entry {
        std::shared_ptr<const OnDevice> onDevice;
        bool submitted = false;
    };
    std::map<std::weak_ptr<const void>, Entry, std::owner_less<>> entries_;
};

}  // namespace threefold::render
