// A host that puts a facade of its own in the place of the bare package name `typebox`, in dependencies too (A16): schemas
// made by it are functions. Loaded before the program, with --import.
import { register } from "node:module";

const facade = `
const make = () => () => ({});
export const Type = new Proxy({}, { get: () => make });
export const Object = make, String = make;
export default Type;`;
const hooks = `
export async function resolve(specifier, context, next) {
  if (specifier !== "typebox") return next(specifier, context);
  return { url: "data:text/javascript," + encodeURIComponent(${JSON.stringify(facade)}), shortCircuit: true };
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
