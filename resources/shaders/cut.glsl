// On Mesa's software device the scissor of a multisampled picture lets samples of the column before
// it through. The two sides of a wipe must share no column, so the right one discards them.
void cutOff() {
    if (!has(kCut)) return;
    if (gl_FragCoord.x < float(layer.mapAndColumn >> kFirstColumnShift)) discard;
}
