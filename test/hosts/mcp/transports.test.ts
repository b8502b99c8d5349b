// The parts below the SDK: lines, tails, bounded bodies, and what is remembered of requests.
import { randomBytes } from "node:crypto";
import type { JSONRPCMessage, TransportSendOptions } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { guardedFetch } from "../../../src/hosts/mcp/guarded-fetch.js";
import { HttpTransport } from "../../../src/hosts/mcp/http-transport.js";
import { MCP_LIMITS } from "../../../src/hosts/mcp/limits.js";
import { LineReader } from "../../../src/hosts/mcp/line-reader.js";
import { MessageWatch } from "../../../src/hosts/mcp/message-watch.js";
import { TextTail } from "../../../src/hosts/mcp/text-tail.js";

function readLines(maxBytes: number, chunks: readonly Buffer[]): string[] {
  const seen: string[] = [];
  const reader = new LineReader(maxBytes, {
    onLine: (line) => seen.push(line),
    onLongLine: ({ start, end }) => seen.push(`long ${start.slice(0, 4)}…${end.slice(-4)}`),
  });
  for (const chunk of chunks) reader.add(chunk);
  return seen;
}

test("8.1: lines are the same however they are cut into chunks, also within a character", () => {
  const text = Buffer.from('{"a":1}\n\nzwölf 🙂\nlast\n');
  const expected = ['{"a":1}', "zwölf 🙂", "last"];
  for (let size = 1; size <= text.length; size += 1) {
    const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
      text.subarray(n * size, (n + 1) * size),
    );
    expect(readLines(100, chunks)).toEqual(expected);
  }
});

test("8.1: a line of the limit is taken, one byte more is not, and the next line is", () => {
  const line = (length: number) => Buffer.from(`${"a".repeat(length - 4)}tail\n`);
  expect(readLines(10, [line(10), line(11), line(5)])).toEqual(["aaaaaatail", "long aaaa…tail", "atail"]);
  expect(readLines(10, [Buffer.from("aaaa"), Buffer.from("bbbbccccdd"), Buffer.from("dd\nok\n")])).toEqual([
    "long aaaa…dddd",
    "ok",
  ]);
});

test("8.1: a tail keeps the last bytes, whole characters, and the last line that says something", () => {
  const tail = new TextTail(10);
  expect([tail.text, tail.lastLine]).toEqual(["", ""]);
  for (const part of ["first\n", "0123456789", "ü\r\n\n"]) tail.add(Buffer.from(part));
  expect([tail.text, tail.lastLine]).toEqual(["56789ü\r\n\n".slice(-9), "56789ü"]);
  const cut = new TextTail(3);
  cut.add(Buffer.from("🙂b"));
  expect(cut.text).toBe("b");
  const large = new TextTail(1_000);
  for (let n = 0; n < 100; n += 1) large.add(randomBytes(300));
  expect(large.text.length).toBeLessThanOrEqual(1_000);
});

test("8.1: over HTTP a body is bounded as a whole, a stream of events by its lines", async () => {
  const refused: string[] = [];
  const half = new Uint8Array(MCP_LIMITS.messageBytes / 2 + 1).fill(97);
  const fetchOf = (type: string, chunks: readonly Uint8Array[]) =>
    guardedFetch(
      (reason, method) => refused.push(`${method} ${reason}`),
      async () =>
        new Response(new Blob(chunks as never[]).stream(), { status: 200, headers: { "content-type": type } }),
    )("http://x", { method: "POST" });
  const end = new TextEncoder().encode("\n");
  expect((await (await fetchOf("text/event-stream", [half, end, half, end])).arrayBuffer()).byteLength).toBe(
    2 * half.length + 2,
  );
  expect(refused).toEqual([]);
  for (const type of ["text/event-stream", "application/json"]) {
    await expect((await fetchOf(type, [half, half])).arrayBuffer()).rejects.toThrow("longer than 16 MiB");
  }
  await expect((await fetchOf("application/json", [half, end, half])).arrayBuffer()).rejects.toThrow(
    "longer than 16 MiB",
  );
  expect(refused).toEqual(Array(3).fill("POST the answer is longer than 16 MiB, which is not taken"));
  const empty = guardedFetch(
    () => {},
    async () => new Response(null, { status: 202 }),
  );
  expect((await empty("http://x")).status).toBe(202);
});

/** Stands for the SDK's transport: keeps what is sent, and sends nothing. */
class SilentHttp {
  static readonly sent: TransportSendOptions[] = [];
  onclose?: () => void;
  async send(message: JSONRPCMessage, options: TransportSendOptions): Promise<void> {
    if ((message as { method?: string }).method === "fails") throw new Error("no network");
    SilentHttp.sent.push(options);
  }
  async close(): Promise<void> {
    this.onclose?.();
  }
}

test("T5: nothing is remembered of a request that was answered, aborted, cancelled, lost, or never sent", async () => {
  const watch = new MessageWatch();
  const entry = {
    name: "s",
    transport: "http",
    url: "http://x",
    headers: {},
    timeoutMs: 1,
    protocol: "auto",
    isDisabled: false,
  } as const;
  const transport = new HttpTransport(entry, SilentHttp as never, watch);
  const answers: unknown[] = [];
  transport.onmessage = (message: unknown) => answers.push(message);
  const request = (id: number, method = "tools/call") => ({ jsonrpc: "2.0", id, method }) as JSONRPCMessage;
  const waiting = () => [1, 2, 3, 4, 5].filter((id) => watch.isWaiting(id));
  const aborting = new AbortController();
  await transport.send(request(1));
  await transport.send(request(2), { requestSignal: aborting.signal });
  await transport.send(request(3));
  await transport.send(request(4));
  await expect(transport.send(request(5, "fails"))).rejects.toThrow("no network");
  expect(waiting()).toEqual([1, 2, 3, 4]);
  watch.received({ jsonrpc: "2.0", id: 1, result: {} });
  aborting.abort();
  await transport.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3 } });
  SilentHttp.sent[3]?.onRequestStreamEnd?.();
  SilentHttp.sent[0]?.onRequestStreamEnd?.(); // answered before
  expect(waiting()).toEqual([]);
  expect(answers).toEqual([
    { jsonrpc: "2.0", id: 4, error: expect.objectContaining({ message: expect.stringContaining("ended before") }) },
  ]);
});
