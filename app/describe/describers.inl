// Every describer of files, in the order in which they are tried: first describers that recognise a
// name or signature, then describers that must parse the file. describeForeign describes nothing:
// its error names the kind of a file that no other describer reads.
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
