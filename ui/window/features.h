#pragma once

#include <QMainWindow>

class QBoxLayout;
class QSettings;

namespace threefold::ui {

class Actions;
class CameraLayers;
class LiveUpdate;
class Document;
class PhotographViewer;
class InputModel;
class InputPanel;
class Inspector;
class ResultHistory;
class LogStore;
class MeasuredMeshes;
class NetworkClient;
class StatusLine;
class Viewport;
struct ShownValues;
struct FeatureContext;

// Features that no other feature refers to. Each function adds one to the window; the module of its
// definition needs no header for it.

// ui/figure
void addFigureExport(const FeatureContext& context, const ResultHistory& kept);
void addWebPageExport(const FeatureContext& context, const ShownValues& shown,
                      const MeasuredMeshes& measured);

// ui/files
/// Gives bundled samples the panes of their layout. Panes that the user chose stay; a layout goes
/// with its sample.
void addSampleLayouts(Document& document, InputModel& input);

// ui/input
/// `masks`: the step "masks" of the page of photographs.
void addCutOut(const FeatureContext& context, InputPanel& input, QBoxLayout& masks);
void addMaskSheet(const FeatureContext& context, InputPanel& input, QBoxLayout& masks,
                  PhotographViewer& viewer);

// ui/panes
void addViewAids(const FeatureContext& context, Viewport& viewport, const CameraLayers& layers);

// ui/run
/// Adds a status bar label that says why an available GPU is not used. Hidden if a GPU is in use,
/// if there is none, and if another device was chosen.
void addUnusedGpu(StatusLine& status, NetworkClient& client);

// ui/window
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
/// may move under the pointer; after the user's first steps, later windows do not show it.
void addFirstRunHint(QMainWindow& window, QSettings& settings, Viewport& viewport,
                     QBoxLayout& belowPanes);

}  // namespace threefold::ui
