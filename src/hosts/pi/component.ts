// What Pi's renderers give and get: components that draw lines, and a theme. `Text` is enough for the tools of the
// documents; a component of Pi's own packages fits as well.

export interface Component {
  /** The lines for a screen of this many columns. */
  render(width: number): readonly string[];
  invalidate(): void;
}

/** Colours and weights as text. Which names there are is the host's affair. */
export interface Theme {
  fg(color: string, text: string): string;
  bg(color: string, text: string): string;
  bold(text: string): string;
  italic(text: string): string;
  underline(text: string): string;
}

export interface ToolRenderResultOptions {
  readonly expanded: boolean;
  readonly isPartial: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: as Pi has it; renderers keep what they like in `state`
export interface ToolRenderContext<State = any, Args = any> {
  readonly args: Args;
  readonly toolCallId: string;
  /** Draws the call anew. */
  invalidate(): void;
  readonly lastComponent: Component | undefined;
  readonly state: State;
  readonly cwd: string;
  readonly executionStarted: boolean;
  readonly argsComplete: boolean;
  readonly isPartial: boolean;
  readonly expanded: boolean;
  readonly showImages: boolean;
  readonly isError: boolean;
  readonly durationMs: number | undefined;
  readonly outputPad: number;
  keyText(keybinding: string): string;
  keyHint(keybinding: string, description: string): string;
}

/** How a tool is drawn in Pi. */
export interface ToolRenderers {
  readonly renderShell?: "default" | "self";
  // biome-ignore lint/suspicious/noExplicitAny: as Pi has it; a resolver answers for tools of every kind
  readonly renderCall?: (args: any, theme: Theme, context: ToolRenderContext) => Component;
  readonly renderResult?: (
    // biome-ignore lint/suspicious/noExplicitAny: as Pi has it
    result: any,
    options: ToolRenderResultOptions,
    theme: Theme,
    context: ToolRenderContext,
  ) => Component;
}
export type ToolRendererResolver = (
  toolName: string,
  next: () => ToolRenderers | undefined,
) => ToolRenderers | undefined;

/** Lines of text, broken at spaces where they are wider than the screen. */
export class Text implements Component {
  #text: string;
  readonly #paddingX: number;
  readonly #paddingY: number;

  /**
   * @param paddingX - Columns left of the text.
   * @param paddingY - Empty lines above and below.
   */
  constructor(text = "", paddingX = 1, paddingY = 1) {
    this.#text = text;
    this.#paddingX = paddingX;
    this.#paddingY = paddingY;
  }

  setText(text: string): void {
    this.#text = text;
  }

  invalidate(): void {}

  render(width: number): readonly string[] {
    if (this.#text.trim() === "") return [];
    const margin = " ".repeat(this.#paddingX);
    const room = Math.max(1, width - this.#paddingX);
    const lines = this.#text.split("\n").flatMap((line) => brokenAt(line, room));
    const rim = Array.from({ length: this.#paddingY }, () => "");
    return [...rim, ...lines.map((line) => margin + line), ...rim];
  }
}

function brokenAt(line: string, room: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > room) {
    const space = rest.lastIndexOf(" ", room);
    // Inside a pair, a line would end with half a character.
    const isInPair = /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(rest.slice(room - 1, room + 1));
    const end = space > 0 ? space : Math.max(1, isInPair ? room - 1 : room);
    lines.push(rest.slice(0, end));
    rest = rest.slice(space > 0 ? end + 1 : end);
  }
  return [...lines, rest];
}
