// Light, dark, or as the system has it.
import { byId } from "./dom.js";

const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];
const KEY = "nestcall-theme";
const MARKS: Readonly<Record<Theme, string>> = { auto: "◐ Auto", light: "○ Light", dark: "● Dark" };

export class ThemeSwitch {
  readonly #onChange: () => void;
  #theme: Theme = storedTheme();

  constructor(onChange: () => void) {
    this.#onChange = onChange;
    byId("theme").addEventListener("click", () => this.next());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", onChange);
    this.#show();
  }

  next(): void {
    this.#theme = THEMES[(THEMES.indexOf(this.#theme) + 1) % THEMES.length] ?? "auto";
    try {
      localStorage.setItem(KEY, this.#theme);
    } catch {
      // a page from a file may have no storage; the theme is asked for again then
    }
    this.#show();
    this.#onChange();
  }

  #show(): void {
    document.documentElement.dataset.theme = this.#theme;
    byId("theme").textContent = MARKS[this.#theme];
    byId("theme").setAttribute("aria-label", `Theme: ${this.#theme}`);
  }
}

function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return THEMES.find((theme) => theme === stored) ?? "auto";
  } catch {
    return "auto";
  }
}
