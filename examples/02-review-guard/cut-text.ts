// Shortens a text that a model or a person will read: the start of a patch or a message, the end of what a program
// printed. Never inside a character, and never silently.

/** The first `maxChars` characters; what is missing is said in place of it. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const kept = text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, ""); // no half of a surrogate pair
  return `${kept}… (${text.length - kept.length} more characters)`;
}

/** The last `maxChars` characters, where programs say why they failed. */
export function cutTextBefore(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const kept = text.slice(-maxChars).replace(/^[\uDC00-\uDFFF]/, "");
  return `(${text.length - kept.length} characters before) …${kept}`;
}
