// Whether a value is a drawing. Renderers are code of others: what they give is read once and copied, so that getters,
// proxies and later changes concern nobody, and is bounded, so that a cycle ends.
import { describeValue, shortenText, thrownText } from "../errors/text.js";
import type { Drawing, DrawingTone, TreeDrawing } from "./drawing.js";

const MAX_LEVELS = 200;
const MAX_PARTS = 100_000;
const TONES: readonly unknown[] = ["plain", "muted", "accent", "success", "warning", "error"] satisfies DrawingTone[];

type Fields = { readonly [field: string]: unknown };
/** The drawing as plain data, or what is wrong and where. */
export type CheckedDrawing = { readonly drawing: Drawing } | { readonly problem: string };

/** Copies a drawing. Fields that no drawing has are left out. Never throws. */
export function checkDrawing(value: unknown): CheckedDrawing {
  const reader = new DrawingReader();
  try {
    return { drawing: reader.drawing(value, "the drawing", 1) };
  } catch (error) {
    if (error instanceof Wrong) return { problem: error.message };
    return { problem: `the drawing cannot be read: ${shortenText(thrownText(error), 200)}` };
  }
}

class Wrong extends Error {}

class DrawingReader {
  #parts = 0;

  drawing(value: unknown, place: string, level: number): Drawing {
    this.#enter(place, level);
    const fields = fieldsOf(value, place);
    const { type } = fields;
    switch (type) {
      case "text":
        return { type, text: text(fields.text, `${place}.text`), ...toneOf(fields, place) };
      case "markdown":
        return { type, text: text(fields.text, `${place}.text`) };
      case "diff":
        return { type, text: text(fields.text, `${place}.text`), ...optional("path", fields, place) };
      case "image": {
        const [data, mimeType] = [text(fields.data, `${place}.data`), text(fields.mimeType, `${place}.mimeType`)];
        return { type, data, mimeType, ...optional("alternative", fields, place) };
      }
      case "table": {
        const columns = this.#texts(fields.columns, `${place}.columns`);
        const rows = this.#list(fields.rows, `${place}.rows`, (row, at) => this.#texts(row, at));
        return { type, columns, rows };
      }
      case "tree":
        return this.#tree(fields, place, level);
      case "stack": {
        const items = this.#list(fields.items, `${place}.items`, (item, at) => this.drawing(item, at, level + 1));
        return { type, items };
      }
      default:
        throw new Wrong(
          `${place}.type is ${describeValue(type)}; known are text, markdown, table, diff, image, tree and stack`,
        );
    }
  }

  #tree(fields: Fields, place: string, level: number): TreeDrawing {
    const children = this.#list(fields.children, `${place}.children`, (child, at) => {
      this.#enter(at, level + 1);
      const own = fieldsOf(child, at);
      if (own.type !== "tree") throw new Wrong(`${at}.type is ${describeValue(own.type)}, not "tree"`);
      return this.#tree(own, at, level + 1);
    });
    return { type: "tree", label: text(fields.label, `${place}.label`), ...toneOf(fields, place), children };
  }

  #texts(value: unknown, place: string): string[] {
    return this.#list(value, place, text);
  }

  #list<T>(value: unknown, place: string, read: (item: unknown, place: string) => T): T[] {
    if (!Array.isArray(value)) throw new Wrong(`${place} is ${describeValue(value)}, not a list`);
    const items: T[] = [];
    for (let index = 0; index < value.length; index += 1) {
      this.#count(place);
      items.push(read(value[index], `${place}[${index}]`));
    }
    return items;
  }

  #enter(place: string, level: number): void {
    this.#count(place);
    if (level > MAX_LEVELS) throw new Wrong(`the drawing has more than ${MAX_LEVELS} levels`);
  }

  #count(place: string): void {
    this.#parts += 1;
    if (this.#parts > MAX_PARTS) {
      throw new Wrong(`the drawing has more than ${MAX_PARTS} parts, at ${shortenText(place, 200)}`);
    }
  }
}

function fieldsOf(value: unknown, place: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new Wrong(`${place} is ${describeValue(value)}, not a drawing`);
}

function text(value: unknown, place: string): string {
  if (typeof value === "string") return value;
  throw new Wrong(`${place} is ${describeValue(value)}, not a text`);
}

function optional<K extends string>(field: K, fields: Fields, place: string): { readonly [F in K]?: string } {
  const value = fields[field];
  // A computed key of a generic type is only known as a text.
  return value === undefined ? {} : ({ [field]: text(value, `${place}.${field}`) } as { readonly [F in K]?: string });
}

function toneOf(fields: Fields, place: string): { readonly tone?: DrawingTone } {
  const { tone } = fields;
  if (tone === undefined) return {};
  if (!TONES.includes(tone)) throw new Wrong(`${place}.tone is ${describeValue(tone)}; known are ${TONES.join(", ")}`);
  return { tone: tone as DrawingTone }; // it is one of the list
}
