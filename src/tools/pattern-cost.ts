// How long a text may be before a regular expression that somebody else wrote is not tried on it. The engine goes back
// and tries again, so `^(a+)+$` takes twice as long for each further character, and nothing can stop it on the way.

/** Steps that a test may take by the estimate: some milliseconds. */
const MAX_STEPS = 1_000_000;

/** Escapes, classes, the beginning of groups, quantifiers; whatever else is one character. */
const TOKEN =
  /\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|\)|\||(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??|./gsu;
/** `{0,3}` is a choice; a longer range is as good as no bound. */
const MAX_CHOICES = 3;

/**
 * Code units of the longest text that is certainly matched or refused soon. An estimate of the worst case: every repetition
 * may take any number of characters, and a repeated group with a choice inside may begin anywhere.
 *
 * @param pattern - The source of a regular expression.
 */
export function longestQuickText(pattern: string): number {
  const { repetitions, choices, nested } = countsOf(pattern);
  if (nested > 0) return Math.floor(Math.log(MAX_STEPS) / Math.log(1 + nested + repetitions + choices));
  const starts = pattern.startsWith("^") && !pattern.includes("|") ? 0 : 1;
  const steps = MAX_STEPS / 2 ** choices;
  return Math.floor(steps ** (1 / Math.max(1, repetitions + starts)));
}

interface Counts {
  repetitions: number;
  choices: number;
  /** How often groups with a choice inside are repeated at least, each counted once at least. */
  nested: number;
}

function countsOf(pattern: string): Counts {
  const counts: Counts = { repetitions: 0, choices: 0, nested: 0 };
  const groups: { hasChoice: boolean }[] = [];
  let closed: (typeof groups)[number] | undefined;
  const choose = () => {
    for (const group of groups) group.hasChoice = true;
  };
  for (const [token, least, comma, most] of pattern.matchAll(TOKEN)) {
    const last = closed;
    closed = undefined;
    if (token.startsWith("(")) groups.push({ hasChoice: false });
    else if (token === ")") closed = groups.pop();
    else if (token === "|") {
      counts.choices += 1;
      choose();
    } else if (/^[*+?]|^\{\d/.test(token)) {
      const range = rangeOf(token, least, comma, most);
      if (range.most > 1 && last?.hasChoice === true) counts.nested += Math.max(1, range.least);
      if (range.most - range.least > MAX_CHOICES) counts.repetitions += 1;
      else counts.choices += range.most - range.least;
      if (range.most > range.least) choose();
    }
  }
  return counts;
}

function rangeOf(
  token: string,
  least = "",
  comma?: string,
  most = "",
): { readonly least: number; readonly most: number } {
  if (token.startsWith("?")) return { least: 0, most: 1 };
  if (token.startsWith("*") || token.startsWith("+")) return { least: token.startsWith("*") ? 0 : 1, most: Infinity };
  const from = Number(least);
  return { least: from, most: comma === undefined ? from : most === "" ? Infinity : Number(most) };
}
