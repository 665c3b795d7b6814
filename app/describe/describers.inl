// Every describer of files, in the order in which they are asked: those that know a file by its
// name or signature come before those that have to try. describeForeign describes nothing: it says
// what a file is that none of the others reads.
THREEFOLD_DESCRIBER(describeTestList)
THREEFOLD_DESCRIBER(describeCameras)
THREEFOLD_DESCRIBER(describeMetadata)
THREEFOLD_DESCRIBER(describeImage)
THREEFOLD_DESCRIBER(describeForeign)
THREEFOLD_DESCRIBER(describeMesh)
THREEFOLD_DESCRIBER(describeNpz)
THREEFOLD_DESCRIBER(describeNpy)
THREEFOLD_DESCRIBER(describeSafetensors)
THREEFOLD_DESCRIBER(describeTorch)
THREEFOLD_DESCRIBER(describePickle)
