// A process with a crossProcess queue of its own, told what to do by its parent: each message is answered by one.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createFileMutationQueue } from "../../../dist/index.js";

const { withFileMutationQueue } = createFileMutationQueue({ crossProcess: true });
const held = new Map();

const commands = {
  /** Answers when the file is held, until `letGo`. */
  hold: (path) =>
    new Promise((holds, fails) => {
      withFileMutationQueue(path, () => {
        holds();
        return new Promise((letGo) => held.set(path, letGo));
      }).catch(fails);
    }),
  letGo: (path) => held.get(path)(),
  /** Adds one to the number in the file, so many times, one after the other or all asked for together. */
  increment: async (path, times, isTogether) => {
    const running = [];
    for (let time = 0; time < times; time += 1) {
      const one = withFileMutationQueue(path, async () => {
        const value = Number(readFileSync(path, "utf8"));
        await new Promise(setImmediate); // others may run between the two
        writeFileSync(path, String(value + 1));
      });
      if (isTogether) running.push(one);
      else await one;
    }
    await Promise.all(running);
  },
  /** Holds the file, tells so, and lets the event loop stand for a time before it adds one. */
  stand: (path, milliseconds) =>
    withFileMutationQueue(path, () => {
      const value = Number(readFileSync(path, "utf8"));
      process.send({ stands: path });
      return new Promise((resolve) => setImmediate(resolve)).then(() => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
        writeFileSync(path, String(value + 1));
      });
    }),
  /** Puts a new file in the place of the old one, whoever holds it. */
  replace: (path, text) => {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  },
};

process.on("message", async ({ id, name, values }) => {
  try {
    process.send({ id, value: await commands[name](...values) });
  } catch (error) {
    process.send({ id, error: String(error) });
  }
});
process.on("disconnect", () => process.exit());
process.send({ isReady: true });
