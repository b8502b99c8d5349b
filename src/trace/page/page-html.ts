// The page around the data. Everything a trace says is put in by the script, as text.
import { createHash } from "node:crypto";
import { escapeHtml } from "../html-text.js";
import { CLIENT_SCRIPT } from "./client-script.js";
import type { PageData } from "./page-data.js";
import { PAGE_STYLE } from "./page-style.js";

/** Nothing may be loaded, run or sent but what is named here. A live page may talk to its own server. */
function contentPolicy(isLive: boolean): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(CLIENT_SCRIPT)}'`,
    `style-src '${hashOf(PAGE_STYLE)}'`,
    "img-src data:",
    ...(isLive ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

const hashes = new Map<string, string>();

function hashOf(text: string): string {
  const known = hashes.get(text);
  if (known !== undefined) return known;
  const hash = `sha256-${createHash("sha256").update(text).digest("base64")}`;
  hashes.set(text, hash);
  return hash;
}

/** A whole page that stands alone. */
export function pageHtml(data: PageData): string {
  // An end tag inside the data would end it; so would the beginning of a comment.
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  return [
    "<!doctype html>",
    '<html lang="en" data-theme="auto">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(contentPolicy(data.isLive === true))}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="color-scheme" content="light dark">',
    '<link rel="icon" href="data:,">',
    `<title>${escapeHtml(data.title)}</title>`,
    `<style>${PAGE_STYLE}</style>`,
    "</head>",
    BODY,
    `<script type="application/json" id="data">${json}</script>`,
    `<script>${CLIENT_SCRIPT}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

const BODY = `<body>
<noscript>This page draws a trace with a script of its own; nothing is loaded from elsewhere.</noscript>
<header class="top">
<div class="brand"><h1 id="title"></h1><p id="subtitle"></p></div>
<dl class="totals" id="totals"></dl>
<div class="actions">
<button type="button" id="theme" aria-keyshortcuts="t"></button>
<button type="button" id="help" aria-keyshortcuts="?">Keys <kbd>?</kbd></button>
</div>
</header>
<div class="filters" role="search" aria-label="Filter calls">
<label class="find"><span class="hidden">Search</span><input type="search" id="search" placeholder="Search names, arguments, errors" autocomplete="off" spellcheck="false" aria-keyshortcuts="/"><kbd>/</kbd></label>
<div class="chips" id="statuses" role="group" aria-label="Status"></div>
<label class="pick"><span>Tool</span><select id="tool"></select></label>
<label class="pick"><span>Depth</span><select id="depth"></select></label>
<label class="pick" id="root-pick"><span>Root call</span><select id="root"></select></label>
<button type="button" id="clear">Clear <kbd>Esc</kbd></button>
<output id="matches" aria-live="polite"></output>
</div>
<div class="notes" id="notes" role="note"></div>
<main>
<section class="calls" aria-labelledby="calls-head">
<h2 id="calls-head">Calls</h2>
<div class="scroller" id="tree" role="tree" tabindex="0" aria-label="Calls"><div class="space" role="presentation"></div></div>
</section>
<div class="splitter upright" id="split-x" role="separator" aria-orientation="vertical" aria-label="Width of the list of calls" tabindex="0"></div>
<section class="time" aria-labelledby="time-head">
<h2 id="time-head">Timeline</h2>
<div class="zoom" role="group" aria-label="Zoom">
<button type="button" id="zoom-in" aria-label="Zoom in" aria-keyshortcuts="+">+</button>
<button type="button" id="zoom-out" aria-label="Zoom out" aria-keyshortcuts="-">−</button>
<button type="button" id="zoom-call" aria-keyshortcuts="f">Zoom to call</button>
<button type="button" id="zoom-all" aria-keyshortcuts="0">All</button>
</div>
<canvas id="overview" aria-hidden="true"></canvas>
<div class="scroller" id="lanes"><canvas id="timeline" role="img" tabindex="0" aria-label="Timeline: a lane for each call that runs beside others. The arrow keys move from call to call."></canvas><div class="space"></div></div>
<div class="tip" id="tip" role="presentation" hidden></div>
</section>
<div class="splitter flat" id="split-y" role="separator" aria-orientation="horizontal" aria-label="Height of the timeline" tabindex="0"></div>
<section class="detail" aria-label="Details">
<div class="tabs" role="tablist" aria-label="Details">
<button type="button" role="tab" id="tab-call" aria-controls="pane-call">Call</button>
<button type="button" role="tab" id="tab-totals" aria-controls="pane-totals">Totals</button>
</div>
<div class="pane" role="tabpanel" id="pane-call" aria-labelledby="tab-call" tabindex="0"></div>
<div class="pane" role="tabpanel" id="pane-totals" aria-labelledby="tab-totals" tabindex="0"></div>
</section>
</main>
<footer class="hints" id="hints"></footer>
<div class="hidden" id="spoken" role="status" aria-live="polite"></div>
<dialog id="keys" aria-labelledby="keys-head"><form method="dialog"><h2 id="keys-head">Keys</h2><div id="keys-list"></div><button>Close</button></form></dialog>`;
