// Every object has these already: TypeScript takes those for an optional property of the name that a value leaves out,
// and for one that a type does not mention. Such a property is always written, and without a type.

const INHERITED: ReadonlySet<string> = new Set(
  "constructor toString toLocaleString valueOf hasOwnProperty isPrototypeOf propertyIsEnumerable".split(" "),
);

export function isInherited(name: string): boolean {
  return INHERITED.has(name);
}
