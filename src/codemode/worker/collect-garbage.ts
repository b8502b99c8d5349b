// Memory of instances that were let go stays with the process until the thread collects its garbage, which an idle one never
// does by itself.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collect: (() => void) | undefined;

export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void; // the flag puts it into every new context
    setFlagsFromString("--no-expose-gc");
  }
  collect();
}
