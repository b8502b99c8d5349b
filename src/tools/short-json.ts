// A value as one short line of JSON, for people. The work is bounded by the length of the line, not by the value.
import { shortenText } from "../errors/text.js";

const MAX_LEVELS = 6;

/**
 * Compact JSON, cut with an ellipsis at about `maxChars` UTF-16 units; what JSON cannot hold is named in words.
 * Never throws.
 */
export function shortJson(value: unknown, maxChars: number): string {
  try {
    const line = new Line(maxChars);
    line.value(value, 0);
    return shortenText(line.text, maxChars);
  } catch {
    return "(unreadable)"; // a getter or a proxy threw
  }
}

/** The fields of an object as `key: value, …`, each value short, so that every field is seen before the end of one is. */
export function shortFields(value: object, maxChars: number, maxValueChars = 60): string {
  try {
    const line = new Line(maxChars);
    line.fields(value, (item) => line.add(shortJson(item, maxValueChars)));
    return shortenText(line.text, maxChars);
  } catch {
    return "(unreadable)";
  }
}

class Line {
  text = "";
  readonly #maxChars: number;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  add(part: string): void {
    this.text += part;
  }

  value(value: unknown, level: number): void {
    if (typeof value === "string") this.#string(value);
    else if (typeof value === "number" || typeof value === "boolean" || value === null) this.add(String(value));
    else if (typeof value !== "object") this.add(typeof value === "undefined" ? "undefined" : `(${typeof value})`);
    else if (level >= MAX_LEVELS) this.add(Array.isArray(value) ? "[…]" : "{…}");
    else if (Array.isArray(value)) this.#array(value, level);
    else this.#object(value, level);
  }

  /** `key: value` for each field, until the line is full. */
  fields(value: object, write: (item: unknown) => void): void {
    let isFirst = true;
    for (const key in value) {
      if (this.#isFull()) return;
      if (!Object.hasOwn(value, key)) continue;
      if (!isFirst) this.add(", ");
      isFirst = false;
      this.add(/^[A-Za-z_$][\w$]{0,60}$/.test(key) ? key : JSON.stringify(shortenText(key, 60)));
      this.add(": ");
      write((value as { readonly [key: string]: unknown })[key]);
    }
  }

  #string(value: string): void {
    // One unit more than fits, so that the cut is seen by the caller.
    this.add(JSON.stringify(value.slice(0, Math.max(0, this.#maxChars - this.text.length) + 1)));
  }

  #array(value: readonly unknown[], level: number): void {
    this.add("[");
    for (let index = 0; index < value.length && !this.#isFull(); index += 1) {
      if (index > 0) this.add(", ");
      this.value(value[index], level + 1);
    }
    this.add("]");
  }

  #object(value: object, level: number): void {
    this.add("{");
    this.fields(value, (item) => this.value(item, level + 1));
    this.add("}");
  }

  #isFull(): boolean {
    return this.text.length > this.#maxChars;
  }
}
