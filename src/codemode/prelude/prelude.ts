// What is evaluated once in every sandbox, before its memory is kept as the image that scripts start from.
import { BOUNDARY } from "./boundary.js";
import { CALLS } from "./calls.js";
import { LOCKDOWN } from "./lockdown.js";
import { OUTPUT } from "./output.js";

/** An expression whose value is a function: it takes the bridge and gives the functions that the driver calls. */
export const PRELUDE = `(function (bridge) { "use strict";${LOCKDOWN}${BOUNDARY}${OUTPUT}${CALLS}})`;
