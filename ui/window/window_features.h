#pragma once

#include <QMainWindow>

class QBoxLayout;
class QSettings;

namespace threefold::ui {

class Actions;
class InputModel;
class Inspector;
class LiveUpdate;
class LogStore;
class NetworkClient;
class Viewport;
struct FeatureContext;

/// While opened meshes are shown without a sample: hides the input and the commands of a
/// reconstruction, and shows the meshes' own facts in the inspector. The user may show the input
/// again, to open a sample of the data set.
void addMeshesAlone(const FeatureContext& context, InputModel& input, Inspector& inspector,
                    LiveUpdate& liveUpdate);
/// Accents the button Reconstruct only while the input differs from the shown result's input and
/// has known cameras: cameras of photographs have to be found first.
void addReconstructAccent(const FeatureContext& context, InputModel& input);
/// Adds the log in a dock at the bottom, hidden at first.
void addLog(QMainWindow& window, Actions& actions, LogStore& store);
/// Adds Help > About: version, licence, citation, network and renderer.
void addAbout(const FeatureContext& context, Viewport& viewport, NetworkClient& client);
/// Adds the list of shortcuts and its command, F1.
void addShortcuts(QMainWindow& window, Actions& actions);
/// Sends buttons the leave event that they miss while their menu grabs the pointer.
void addMenuHover(QMainWindow& window);
/// Adds a line of help under the panes for new users. The line stays until closed, since nothing
/// may move under the pointer. Later windows omit it once the user has done the first steps.
void addFirstRunHint(QMainWindow& window, QSettings& settings, Viewport& viewport,
                     QBoxLayout& belowPanes);

}  // namespace threefold::ui
