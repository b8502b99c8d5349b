// What the samples import from `nestcall/pi`, given by Pi and its own packages.
export * from "@earendil-works/pi-coding-agent";
export { Text } from "@earendil-works/pi-tui";
export { Type } from "typebox";
