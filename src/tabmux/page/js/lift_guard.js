// @ts-check
/** For a press that was aimed and given up, so that others get through. */
function liftGuard() {
  tabmux.liftGuard();
}
