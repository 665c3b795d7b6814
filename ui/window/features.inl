// Features that no other feature refers to, in the order of their commands. Each line names the
// function that adds a feature, its parameter types and its arguments. Features that others need
// are created in main_window_features.cpp.
THREEFOLD_FEATURE(addSampleLayouts, (const WindowParts&, InputPanel&), (parts, *input_))
THREEFOLD_FEATURE(addCutOut, (const WindowParts&, InputPanel&, QBoxLayout&),
                  (parts, *input_, page->masks()))
THREEFOLD_FEATURE(addMaskSheet,
                  (const WindowParts&, InputPanel&, QBoxLayout&, EnlargedPhotograph&),
                  (parts, *input_, page->masks(), *enlarged))
THREEFOLD_FEATURE(addReconstructInvitation, (const WindowParts&, InputPanel&), (parts, *input_))
THREEFOLD_FEATURE(addUnusedGpu, (const WindowParts&, NetworkRequests&), (parts, *requests_))
THREEFOLD_FEATURE(addLog, (const WindowParts&), (parts))
THREEFOLD_FEATURE(addAbout, (const WindowParts&, Viewport&, NetworkRequests&), (parts, *viewport_, *requests_))
THREEFOLD_FEATURE(addShortcuts, (const WindowParts&), (parts))
THREEFOLD_FEATURE(addMenuHover, (const WindowParts&), (parts))
THREEFOLD_FEATURE(addFirstRunHint, (const WindowParts&, Viewport&), (parts, *viewport_))
