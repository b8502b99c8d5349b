// Elements of the page. What a trace says only ever becomes text.
import { harmlessLine, harmlessText } from "../../harmless-text.js";

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no ${id}`);
  return found as T; // the page is written together with this script
}

/** An element with a class and a text of ours. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = "",
  text = "",
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className !== "") made.className = className;
  if (text !== "") made.textContent = text;
  return made;
}

/** An element with one line of text from the trace. */
export function makeLine<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  text: string,
): HTMLElementTagNameMap[K] {
  return make(tag, className, harmlessLine(text));
}

/** An element with text from the trace, its lines kept. */
export function makeText<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  text: string,
): HTMLElementTagNameMap[K] {
  return make(tag, className, harmlessText(text));
}

export function makeButton(className: string, text: string, onClick: () => void): HTMLButtonElement {
  const button = make("button", className, text);
  button.type = "button";
  button.addEventListener("click", onClick);
  return button;
}

/** A name with its value, for a list of facts. */
export function fact(name: string, value: Node | string): HTMLElement {
  const pair = make("div");
  const shown = make("dd");
  shown.append(value);
  pair.append(makeLine("dt", "", name), shown);
  return pair;
}

/** Puts these in the place of all that is there. */
export function fill(parent: Element, children: readonly (Node | string)[]): void {
  parent.replaceChildren(...children);
}

/** Once before the next picture, however often it was asked for. */
export function oncePerFrame(draw: () => void): () => void {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      draw();
    });
  };
}
