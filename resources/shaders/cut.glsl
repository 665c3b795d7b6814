// The scissor of a multisampled picture lets samples of the column before it through on Mesa's
// software device. A wipe's two sides must share no column, so the right one cuts itself off.
void cutOff() {
    if (!has(kCut)) return;
    if (gl_FragCoord.x < float(layer.mapAndColumn >> kFirstColumnShift)) discard;
}
