// Global variables of browsers and Node.js. A script may have a namespace object of such a name, but declaring it
// again would not compile beside the standard declarations, so its tools are listed under a comment instead.
const NAMES =
  "alert blur browser Buffer caches cancelAnimationFrame close closed confirm cookieStore crypto customElements defs " +
  "devicePixelRatio document event exports external fetch find focus frameElement frames global history indexedDB " +
  "innerHeight innerWidth length localStorage location locationbar matchMedia menubar module moveBy moveTo name " +
  "navigation navigator open opener origin originAgentCluster parent performance personalbar postMessage print process " +
  "prompt reportError require screen screenLeft screenTop screenX screenY scheduler scroll scrollbars scrollX scrollY " +
  "self sessionStorage speechSynthesis status statusbar stop toolbar toString top trustedTypes viewport " +
  "visualViewport window atob btoa addEventListener dispatchEvent removeEventListener createImageBitmap gc";
const CONFLICTING: ReadonlySet<string> = new Set(NAMES.split(" "));

/** Whether declaring this name could clash with what a type checker already knows. */
export function isConflictingGlobal(name: string): boolean {
  // Classes of the platform begin with a capital letter, handlers with "on".
  return CONFLICTING.has(name) || /^[A-Z]/.test(name) || /^on[a-z]/.test(name);
}
