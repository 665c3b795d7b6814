#pragma once

#include <filesystem>
#include <vector>

#include <QObject>

class QMenu;
class QSettings;

namespace threefold::ui {

class OpenedFiles;
struct FeatureContext;

/// List of the files opened last, newest first, kept in the settings. Missing files are disabled;
/// the check runs in the background each time the menu is shown.
class RecentFiles : public QObject {
    Q_OBJECT

  public:
    static constexpr std::size_t kMaxFiles = 12;

    RecentFiles(const FeatureContext& context, OpenedFiles& files);

    const std::vector<std::filesystem::path>& list() const { return list_; }

  private:
    void add(const std::filesystem::path& file);
    void save();
    void fillMenu();

    QSettings& settings_;
    OpenedFiles& files_;
    QMenu* menu_;
    std::vector<std::filesystem::path> list_;
};

}  // namespace threefold::ui
