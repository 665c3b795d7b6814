// Features that nothing else refers to, in the order of their commands: each line names the
// function that adds one. Features that others need are made in main_window_features.cpp.
THREEFOLD_FEATURE(addCutOut)
THREEFOLD_FEATURE(addReconstructInvitation)
THREEFOLD_FEATURE(addUnusedGpu)
THREEFOLD_FEATURE(addLog)
THREEFOLD_FEATURE(addAbout)
THREEFOLD_FEATURE(addShortcuts)
THREEFOLD_FEATURE(addMenuHover)
THREEFOLD_FEATURE(addFirstRunHint)
