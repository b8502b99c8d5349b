// Standard Schemas: telling them from others, and getting the JSON Schema that models and hosts are shown.
import { describeValue, thrownText } from "../errors/text.js";
import { quotedText } from "./place-text.js";
import type { StandardSchema } from "./tool.js";

/** Whether a library made this schema that checks values itself. Such a schema may be a function (arktype's are). */
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null) return false;
  const standard: unknown = (schema as { readonly "~standard"?: unknown })["~standard"];
  if (typeof standard !== "object" || standard === null) return false;
  return typeof (standard as { readonly validate?: unknown }).validate === "function";
}

export type StandardJsonSchema =
  | { readonly jsonSchema: Readonly<Record<string, unknown>>; readonly problem?: undefined }
  /** `cause` is what the library threw, if it did. */
  | { readonly problem: string; readonly cause?: unknown };

const known = new WeakMap<object, StandardJsonSchema>();

/** The JSON Schema of what the schema takes, or why there is none. Asked once per schema. */
export function standardJsonSchema(schema: StandardSchema): StandardJsonSchema {
  let answer = known.get(schema);
  if (answer === undefined) {
    answer = askLibrary(schema);
    known.set(schema, answer);
  }
  return answer;
}

function askLibrary(schema: StandardSchema): StandardJsonSchema {
  const { jsonSchema, vendor } = schema["~standard"];
  if (typeof jsonSchema?.input !== "function") {
    return { problem: `is a Standard Schema that cannot give its JSON Schema. ${remedyOf(vendor)}` };
  }
  let reason = "";
  let thrown: { readonly cause?: unknown } = {};
  for (const target of ["draft-2020-12", "draft-07"]) {
    try {
      const answer: unknown = jsonSchema.input({ target });
      if (typeof answer === "object" && answer !== null) return { jsonSchema: withoutMark(answer) };
      reason ||= `it gave ${describeValue(answer)}`;
    } catch (error) {
      if (reason === "") thrown = { cause: error };
      reason ||= thrownText(error);
    }
  }
  return {
    problem: `is a schema whose library (${quotedText(String(vendor), 40)}) gives no JSON Schema for it: ${reason}`,
    ...thrown,
  };
}

/** zod's JSON Schemas have a "~standard" themselves; this one is to be read as what it says. */
function withoutMark(jsonSchema: object): Readonly<Record<string, unknown>> {
  const { "~standard": _mark, ...rest } = jsonSchema as Readonly<Record<string, unknown>>;
  return rest;
}

function remedyOf(vendor: unknown): string {
  switch (vendor) {
    case "valibot":
      return 'Wrap it: toStandardJsonSchema(schema), from "@valibot/to-json-schema"';
    case "zod":
      return "zod gives it from 4.2 on";
    case "arktype":
      return "arktype gives it from 2.2 on";
    default:
      return 'Its "~standard" needs jsonSchema.input, see standardschema.dev/json-schema';
  }
}
