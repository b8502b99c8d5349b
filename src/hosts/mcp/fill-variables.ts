// `${NAME}` in the values of a configuration: secrets come from the environment, never from the file (DESIGN 8.1).
import { quotedText } from "../../tools/place-text.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The filled-in text, or what is wrong with it. */
export type FilledText = { readonly text: string; readonly problem?: undefined } | { readonly problem: string };

const VARIABLE = /\$\{([^}]*)\}/g;
/** VS Code and Cursor write `${env:NAME}` for the same. */
const NAME = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)$/;

export function fillVariables(text: string, environment: Environment): FilledText {
  let problem: string | undefined;
  const filled = text.replace(VARIABLE, (whole, inner: string) => {
    const name = NAME.exec(inner)?.[1];
    const value = name === undefined || !Object.hasOwn(environment, name) ? undefined : environment[name];
    problem ??= problemOf(whole, name, value);
    return value ?? "";
  });
  return problem === undefined ? { text: filled } : { problem };
}

function problemOf(whole: string, name: string | undefined, value: string | undefined): string | undefined {
  if (name === undefined)
    return `has ${quotedText(whole, 60)}; only \${NAME}, an environment variable, can be filled in`;
  if (value !== undefined) return undefined;
  return `needs the environment variable ${name}, which is not set; set it, or take \${${name}} out`;
}
