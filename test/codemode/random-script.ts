// Scripts that a seed makes up: calls one after another, together, in races and left behind, whose arguments and output
// depend on results, time, random numbers and the order in which results come.
import { createRandom, type Random } from "../helpers/random.js";
import type { LabTool, LabTools } from "./lab.js";

/** Each call of the source has its own number `k`, so that a test can change exactly one. */
export interface RandomScript {
  readonly source: string;
  readonly calls: number;
}

class ScriptWriter {
  readonly #random: Random;
  #calls = 0;
  #names = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  write(): RandomScript {
    const source = this.#block(this.#random.between(2, 7), 2);
    const end = this.#random.weighted({ "return seen;": 6, seen: 2, 'throw new Error("the end " + seen.length);': 1 });
    return { source: `const seen = [];\n${source}\n${end}`, calls: this.#calls };
  }

  #block(statements: number, depth: number): string {
    return Array.from({ length: statements }, () => this.#statement(depth)).join("\n");
  }

  #statement(depth: number): string {
    const random = this.#random;
    const kind = random.weighted({
      call: 6,
      print: 2,
      failing: 2,
      together: 3,
      race: 2,
      settled: 1,
      parallel: 1,
      left: 1,
      clock: 1,
      loop: depth > 0 ? 1 : 0,
      branch: depth > 0 ? 2 : 0,
      tasks: depth > 0 ? 2 : 0,
    });
    switch (kind) {
      case "call":
        return `seen.push(await ${this.#call()});`;
      case "print":
        return random.pick(["text(seen.at(-1) ?? null);", 'console.log("seen", seen.length);', "text({ seen });"]);
      case "failing":
        return `try { await ${this.#call("trouble")}; } catch (error) { seen.push(error.message, error.code); }`;
      case "together":
        return `seen.push(...await Promise.all([${this.#calls3()}]));`;
      case "race":
        return `seen.push(await Promise.race([${this.#calls3()}]));`;
      case "settled":
        return `for (const { status } of await Promise.allSettled([${this.#calls3()}, ${this.#call("trouble")}])) seen.push(status);`;
      case "parallel":
        return `seen.push(...await parallel([1, 2, 3, 4], (item) => ${this.#call("number", "item")}, ${random.between(1, 3)}));`;
      case "left":
        return `${this.#call()};`;
      case "clock":
        return "seen.push(Date.now(), new Date().toISOString(), Math.random());";
      case "loop":
        return `for (let i = 0; i < ${random.between(1, 3)}; i += 1) {\n${this.#block(1, depth - 1)}\n}`;
      case "branch":
        return `if (Number(seen.length) % 2 === ${random.between(0, 1)}) {\n${this.#block(2, depth - 1)}\n}`;
      case "tasks":
        return this.#tasks(depth);
    }
  }

  /** Functions that run side by side: who comes first is seen in the output. */
  #tasks(depth: number): string {
    const tasks = Array.from({ length: this.#random.between(2, 3) }, () => {
      this.#names += 1;
      return `(async () => {\n${this.#block(2, depth - 1)}\ntext("task ${this.#names}");\n})()`;
    });
    return `await Promise.all([${tasks.join(", ")}]);`;
  }

  #calls3(): string {
    return Array.from({ length: this.#random.between(1, 3) }, () => this.#call()).join(", ");
  }

  #call(name: string = this.#random.pick(["number", "words"]), more?: string): string {
    this.#calls += 1;
    const extra = more ?? this.#random.pick(["0", "seen.length", "Math.random()", "Date.now()", "seen.at(-1) ?? null"]);
    return `tools.${name}({ k: ${this.#calls}, extra: ${extra} })`;
  }
}

export function randomScript(seed: number): RandomScript {
  return new ScriptWriter(createRandom(seed)).write();
}

/** Tools that answer in any order, with what nobody can foresee. */
export function unforeseeableTools(random: Random): LabTools {
  const waiting: (() => void)[] = [];
  let isAwake = false;
  const wake = () => {
    isAwake = waiting.length > 0;
    if (!isAwake) return;
    const answers = random.between(1, Math.min(3, waiting.length));
    for (let n = 0; n < answers; n += 1) waiting.splice(random.between(0, waiting.length - 1), 1)[0]?.();
    setImmediate(wake);
  };
  const later =
    (answer: () => unknown): LabTool =>
    () =>
      new Promise((resolve, reject) => {
        waiting.push(() => {
          try {
            resolve(answer());
          } catch (error) {
            reject(error as Error);
          }
        });
        if (!isAwake) setImmediate(wake);
        isAwake = true;
      });
  return {
    number: later(() => random.between(0, 1000)),
    words: later(() => ({ words: ["some", `word ${random.between(0, 9)}`] })),
    trouble: later(() => {
      throw Object.assign(new Error(`trouble ${random.between(0, 9)}`), { code: "E_TROUBLE" });
    }),
  };
}
