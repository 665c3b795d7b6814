#pragma once

#include <optional>

#include "ui/run/network_requests.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {

class InputPanel;

/// Networks that the window can run.
struct NetworkSources {
    NetworkOpener first;  ///< the network at the window's start
    NetworkChooser open;  ///< opens another network; null: not possible
    std::function<std::vector<std::string>()>
        devices;                   ///< devices that a choice may name; may be null
    std::function<bool()> locked;  ///< whether a running evaluation needs the current network
};

/// Reconstruct > Model: weights at the window's start, recent weights, and weights from a file.
/// Reconstruct > Device: back end and precision. A choice reconstructs the input at once. If it
/// cannot be opened, the current network stays and the banner reports why.
class NetworkMenu : public QObject {
    Q_OBJECT

  public:
    static constexpr std::size_t kMaxRecent = 6;

    NetworkMenu(const WindowParts& parts, InputPanel& input, NetworkRequests& requests,
                NetworkSources sources);

    /// The network in use, or the one being opened.
    const NetworkChoice& choice() const { return pending_ ? *pending_ : choice_; }
    /// Opens a network in the background.
    void choose(const NetworkChoice& choice);
    void load(const std::filesystem::path& model) { choose({model, choice().device}); }

    const NetworkSources& sources() const { return sources_; }
    QMenu& models() { return *models_; }
    QMenu& devices() { return *devices_; }

    /// Add entries for the models or devices to `menu`. `current` is checked; `chosen` is called
    /// with the value that the user picks.
    void addModels(QMenu& menu, const std::optional<std::filesystem::path>& current,
                   const std::function<void(const std::filesystem::path&)>& chosen);
    void addDevices(QMenu& menu, const std::optional<std::string>& current,
                    const std::function<void(const std::string&)>& chosen) const;

  Q_SIGNALS:
    /// Choice, recent models or devices have changed.
    void changed();

  private:
    void onOpened();
    void onRefused(const ErrorReport& report);
    void fill();

    WindowParts parts_;
    InputPanel& input_;
    NetworkRequests& requests_;
    NetworkSources sources_;
    QMenu* models_;
    QMenu* devices_;
    NetworkChoice choice_;
    std::optional<NetworkChoice> pending_;  ///< being opened
    QString firstModel_;
    QString firstDevice_;
    std::vector<std::filesystem::path> recent_;  ///< newest first
};

/// Name of a device: "Processor · bfloat16" for "cpu:bfloat16".
QString deviceText(const std::string& device);

}  // namespace threefold::ui
