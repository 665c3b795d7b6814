// The scissor of a multisampled picture lets samples of the column before it through on Mesa's
// software device. A wipe's two sides must share no column, so the right one cuts itself off.
layout(constant_id = kCutConstant) const bool cutsOff = false;

void cutOff() {
    if (cutsOff && gl_FragCoord.x < float(layer.mode >> kFirstColumnShift)) discard;
}
