// All commands, in the order of the help: each line names the function that adds one.
THREEFOLD_COMMAND(addWindow)  // what runs where no command is named
THREEFOLD_COMMAND(addReconstruct)
THREEFOLD_COMMAND(addEval)
THREEFOLD_COMMAND(addMerge)
THREEFOLD_COMMAND(addCompare)
THREEFOLD_COMMAND(addScore)
THREEFOLD_COMMAND(addRender)
THREEFOLD_COMMAND(addFigure)
THREEFOLD_COMMAND(addConvert)
THREEFOLD_COMMAND(addInspect)
THREEFOLD_COMMAND(addConfig)
THREEFOLD_COMMAND(addDoctor)
THREEFOLD_COMMAND(addBench)
