// The entry of the plug-in.
