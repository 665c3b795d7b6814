#pragma once

#include <optional>

#include "ui/run/network_client.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

/// The menus Reconstruct > Model (weights at the window's start, recent weights, and weights from a
/// file) and Reconstruct > Device (back end and precision). A choice reconstructs the input at
/// once. If the chosen network cannot be opened, the current network stays and the banner reports
/// why.
class NetworkMenu : public QObject {
    Q_OBJECT

  public:
    static constexpr std::size_t kMaxRecent = 6;

    /// `isLocked`: whether a running evaluation needs the current network.
    NetworkMenu(const FeatureContext& context, NetworkClient& client, NetworkSources sources,
                std::function<bool()> isLocked);

    /// The network that is being opened, or else the network in use.
    const NetworkChoice& choice() const { return pending_ ? *pending_ : choice_; }
    /// Opens a network in the background.
    void choose(const NetworkChoice& choice);
    void load(const std::filesystem::path& model) { choose({model, choice().device}); }

    const NetworkSources& sources() const { return sources_; }

    /// Add entries for the models or devices to `menu`. The entry of `current` is checked; `chosen`
    /// is called with the value that the user picks.
    void addModels(QMenu& menu, const std::optional<std::filesystem::path>& current,
                   const std::function<void(const std::filesystem::path&)>& chosen);
    void addDevices(QMenu& menu, const std::optional<std::string>& current,
                    const std::function<void(const std::string&)>& chosen) const;

  Q_SIGNALS:
    /// Choice, recent models or devices have changed.
    void changed();

  private:
    void onOpened();
    void onRejected(const ErrorReport& report, quint64 number);
    void fillMenus();

    FeatureContext context_;
    NetworkClient& client_;
    NetworkSources sources_;
    std::function<bool()> isLocked_;
    QMenu* models_;
    QMenu* devices_;
    NetworkChoice choice_;
    std::optional<NetworkChoice> pending_;  ///< being opened
    NetworkClient::Id newestCall_ = 0;      ///< number of the newest useNetwork(); 0: none
    QString initialModel_;
    QString initialDevice_;
    std::vector<std::filesystem::path> recent_;  ///< newest first
};

/// Name of a device: "Processor · bfloat16" for "cpu:bfloat16".
QString deviceText(const std::string& device);

/// Adds Reconstruct > Model and Device. For `isLocked` see the constructor.
NetworkMenu& addNetworkMenu(const FeatureContext& context, NetworkClient& client,
                            NetworkSources sources, std::function<bool()> isLocked);

}  // namespace threefold::ui
