// What is thrown and what is told (E11 to E13), and a body that is checked again (E7). The way out is a parameter, so that
// the tests can break it in every way.
import { defineTool, isTransportFailure, markTransportFailure, Type } from "nestcall/elowen";

interface Page {
  readonly title: string;
  readonly words: number;
}
/** As `fetch`, for one address. */
export type Fetch = (url: string, signal: AbortSignal) => Promise<Pick<Response, "status" | "json">>;

const text = (value: string) => ({ content: [{ type: "text" as const, text: value }], details: {} });

export const fetchPage = (fetchUrl: Fetch, allowedHosts: readonly string[]) =>
  defineTool({
    name: "FetchPage",
    label: "Fetch a page",
    description: "Gives the title of a page and how many words it has.",
    parameters: Type.Object({ url: Type.String({ description: "An http address." }) }),
    async execute(_callId, { url }, signal) {
      try {
        if (!URL.canParse(url)) return text(`"${url}" is no address; give one that begins with http.`);
        const { hostname } = new URL(url);
        if (!allowedHosts.includes(hostname))
          return text(`${hostname} may not be read; only ${allowedHosts.join(", ")}.`);
        return await readPage(fetchUrl, url, signal);
      } catch (error) {
        if (isTransportFailure(error)) throw error; // the host has to know; the model cannot mend it
        return text(`The page could not be read: ${String(error)}`);
      }
    },
  });

async function readPage(fetchUrl: Fetch, url: string, signal: AbortSignal) {
  const response = await fetchUrl(url, signal).catch((error: Error) => {
    throw markTransportFailure(error);
  });
  if (response.status >= 500) throw markTransportFailure(new Error(`${url} answered ${response.status}`));
  if (response.status === 404) return text(`There is no page at ${url}.`);
  const page = checkPage(await response.json());
  return text(`${page.title}: ${page.words} words`);
}

/** E7: a type says nothing of what another system sends. */
function checkPage(body: unknown): Page {
  const { title, words } = (body ?? {}) as { readonly title?: unknown; readonly words?: unknown };
  if (typeof title === "string" && typeof words === "number") return { title, words };
  throw new TypeError("its body is not { title, words }");
}
