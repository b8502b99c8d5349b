// The style of the page. Colours are variables, so that the canvases can read them.
import { DRAWING_STYLE } from "../html-text.js";

const LIGHT = [
  "--bg:#f4f5f8;--panel:#fff;--ink:#1b2230;--muted:#5d6a7e;--line:#dfe3ea;--stripe:#f7f8fb;--accent:#3154d6;--hover:#eef1f7;--selected:#e4eaff;--field:#fff",
  "--ok:#3f7fd9;--ok-tint:#dce8fa;--error:#d1242f;--error-tint:#fbdcdd;--blocked:#8a3ffc;--blocked-tint:#eadcff;--aborted:#b26a00;--aborted-tint:#fbe9cd;--unfinished:#0f8577;--unfinished-tint:#d2f0ec;--unknown:#6b7684;--unknown-tint:#e6e9ee",
].join(";");
const DARK = [
  "--bg:#0d1117;--panel:#151b24;--ink:#e7ecf3;--muted:#97a3b4;--line:#2a3442;--stripe:#18202b;--accent:#8aa7ff;--hover:#1c2531;--selected:#22304d;--field:#0f151d",
  "--ok:#5d9bf0;--ok-tint:#1f3556;--error:#ff6b6b;--error-tint:#4d2027;--blocked:#bb8cff;--blocked-tint:#3a2860;--aborted:#f0a840;--aborted-tint:#48330f;--unfinished:#3fc6b4;--unfinished-tint:#123f3a;--unknown:#8b96a5;--unknown-tint:#2c343f",
].join(";");
/** The colours of drawings, which are made for a light page. */
const DARK_DRAWINGS = [
  ".nestcall-accent,.nestcall-hunk{color:#58c4e6}",
  ".nestcall-success,.nestcall-added{color:#56d364}",
  ".nestcall-warning{color:#e3b341}",
  ".nestcall-error,.nestcall-removed{color:#ff7b72}",
];

function darkRules(scope: string): string {
  return [
    `${scope}{color-scheme:dark;${DARK}}`,
    ...DARK_DRAWINGS.map((rule) => `${scope} ${rule.replaceAll(",", `,${scope} `)}`),
  ].join("\n");
}

const STATUSES = ["ok", "blocked", "error", "aborted", "unfinished", "unknown"];

const LAYOUT = [
  "*{box-sizing:border-box}",
  "html,body{height:100%;margin:0}",
  "body{display:flex;flex-direction:column;background:var(--bg);color:var(--ink);font:13px/1.45 system-ui,-apple-system,'Segoe UI',sans-serif;overflow:hidden}",
  "[hidden]{display:none!important}",
  ".hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}",
  "h1,h2,h3,h4,h5,p,dl,dd,dt,ul{margin:0;padding:0}",
  "code,pre,kbd,.call-id,.tip-id{font-family:ui-monospace,'SFMono-Regular',Menlo,Consolas,monospace}",
  ":focus-visible{outline:2px solid var(--accent);outline-offset:1px}",
  "button,select,input{font:inherit;color:inherit}",
  "button{border:1px solid var(--line);background:var(--panel);border-radius:7px;padding:4px 10px;cursor:pointer;white-space:nowrap}",
  "button:hover:not(:disabled){background:var(--hover)}",
  "button:disabled{opacity:.45;cursor:default}",
  "kbd{font-size:11px;border:1px solid var(--line);border-bottom-width:2px;border-radius:4px;padding:0 4px;color:var(--muted);background:var(--panel)}",
  "noscript{padding:24px;display:block}",
].join("\n");

const HEADER = [
  ".top{display:flex;align-items:center;gap:28px;padding:12px 18px 10px;background:var(--panel)}",
  ".brand{min-width:0;flex:0 1 auto;max-width:36vw}",
  ".brand h1{font-size:17px;font-weight:650;letter-spacing:-.01em;white-space:nowrap;overflow:hidden;text-overflow:ellipsis;unicode-bidi:isolate}",
  ".brand p{color:var(--muted);font-size:12px;white-space:nowrap}",
  "[data-live=on] .brand p::before{content:'';display:inline-block;width:8px;height:8px;border-radius:50%;background:var(--unfinished);margin-right:6px}",
  "[data-live=off] .brand p::before{content:'';display:inline-block;width:8px;height:8px;border-radius:50%;background:var(--error);margin-right:6px}",
  ".totals{display:flex;flex:1 1 auto;gap:0;flex-wrap:wrap}",
  ".card{padding:0 18px;border-left:1px solid var(--line)}",
  ".card dt{color:var(--muted);font-size:11.5px;white-space:nowrap}",
  ".card dd{font-size:17px;font-weight:600;font-variant-numeric:tabular-nums;letter-spacing:-.01em;white-space:nowrap}",
  ".card[title]{cursor:help}",
  ".actions{display:flex;gap:8px}",
  ".filters{display:flex;align-items:center;gap:10px;flex-wrap:wrap;row-gap:6px;padding:8px 18px;background:var(--panel);border-top:1px solid var(--line);border-bottom:1px solid var(--line)}",
  ".find{position:relative;flex:0 1 300px}",
  ".find input{width:100%;padding:5px 34px 5px 10px;border:1px solid var(--line);border-radius:7px;background:var(--field)}",
  ".find kbd{position:absolute;right:9px;top:6px;pointer-events:none}",
  ".find input:focus+kbd,.find input:not(:placeholder-shown)+kbd{display:none}",
  ".chips{display:flex;gap:6px;flex-wrap:wrap}",
  ".chip{display:flex;align-items:center;gap:6px;border-radius:999px;padding:3px 11px 3px 8px}",
  ".chip-count{font-variant-numeric:tabular-nums;color:var(--muted)}",
  ".pick{display:flex;align-items:center;gap:6px;color:var(--muted)}",
  ".pick select{max-width:150px;padding:4px 6px;border:1px solid var(--line);border-radius:7px;background:var(--field);color:var(--ink)}",
  "#matches{color:var(--muted);margin-left:auto;font-variant-numeric:tabular-nums}",
  ".notes{padding:6px 18px;background:var(--aborted-tint);font-size:12.5px;border-bottom:1px solid var(--line)}",
].join("\n");

const PANELS = [
  "main{flex:1 1 auto;min-height:0;display:grid;grid-template:var(--upper,46%) 7px minmax(0,1fr)/var(--left,38%) 7px minmax(0,1fr);padding:10px 12px 0}",
  "main>section{background:var(--panel);border:1px solid var(--line);border-radius:10px;min-width:0;min-height:0;overflow:hidden;display:flex;flex-direction:column;position:relative}",
  "h2{font-size:12px;font-weight:600;color:var(--muted);padding:8px 12px 6px}",
  ".calls{grid-area:1/1/4/2}",
  ".time{grid-area:1/3}",
  ".detail{grid-area:3/3}",
  ".splitter{border-radius:4px;touch-action:none}",
  ".splitter:hover{background:var(--line)}",
  ".upright{grid-area:1/2/4/3;cursor:col-resize}",
  ".flat{grid-area:2/3;cursor:row-resize}",
  ".scroller{flex:1 1 auto;min-height:0;overflow:auto;position:relative;overscroll-behavior:contain}",
  ".zoom{position:absolute;right:8px;top:4px;display:flex;gap:5px}",
  ".zoom button{padding:1px 9px;font-size:12px;border-radius:6px}",
  "#overview{display:block;flex:none;cursor:ew-resize;border-top:1px solid var(--line);border-bottom:1px solid var(--line)}",
  "#lanes{overflow-x:hidden}",
  "#timeline{display:block;position:sticky;top:0;touch-action:pan-y}",
  "#timeline:focus-visible{outline-offset:-2px}",
  ".empty{padding:22px 14px;color:var(--muted)}",
  ".hints{padding:6px 18px 8px;color:var(--muted);font-size:12px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}",
].join("\n");

const TREE = [
  "#tree{contain:strict}",
  "#tree:focus-visible{outline:0;box-shadow:inset 0 2px var(--accent)}",
  "#tree .space{position:relative}",
  ".row{position:absolute;left:0;right:0;top:0;height:26px;display:flex;align-items:center;gap:7px;padding-right:12px;cursor:default;white-space:nowrap}",
  ".row:hover{background:var(--hover)}",
  ".row.selected{background:var(--selected);box-shadow:inset 3px 0 var(--accent)}",
  ".row.aside{opacity:.5}",
  ".fold{flex:none;width:13px;text-align:center;color:var(--muted);cursor:pointer;font-size:11px}",
  ".mark{flex:none;width:14px;text-align:center;font-weight:700}",
  ".row .name{flex:none;font-weight:550;max-width:60%;overflow:hidden;text-overflow:ellipsis;unicode-bidi:isolate}",
  ".row .summary{flex:1 1 auto;min-width:0;color:var(--muted);overflow:hidden;text-overflow:ellipsis;unicode-bidi:isolate}",
  ".row .ms{flex:none;font-variant-numeric:tabular-nums;color:var(--muted);font-size:12px}",
  ".row .waited{flex:none;font-size:11.5px;color:var(--muted);opacity:.85;font-variant-numeric:tabular-nums}",
  ".row .count{flex:none;font-size:11px;color:var(--muted);border:1px solid var(--line);border-radius:999px;padding:0 7px}",
].join("\n");

const DETAIL = [
  ".tabs{display:flex;gap:2px;padding:6px 8px 0;border-bottom:1px solid var(--line)}",
  ".tabs button{border:0;border-radius:6px 6px 0 0;background:none;color:var(--muted);padding:5px 12px 7px;border-bottom:2px solid transparent}",
  ".tabs button[aria-selected=true]{color:var(--ink);border-bottom-color:var(--accent);font-weight:600}",
  ".pane{flex:1 1 auto;min-height:0;overflow:auto;padding:12px 16px 20px}",
  ".pane:focus-visible{outline-offset:-2px}",
  ".call-title{display:flex;align-items:center;gap:9px;flex-wrap:wrap}",
  ".call-title h3{font-size:16px;font-weight:650;overflow-wrap:anywhere;unicode-bidi:isolate}",
  ".call-id{color:var(--muted);font-size:12px;overflow-wrap:anywhere}",
  ".badge{font-size:11.5px;font-weight:600;border-radius:999px;padding:1px 9px;white-space:nowrap}",
  ".code{font-size:12px;color:var(--muted)}",
  ".facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:8px 18px;margin:10px 0 2px;grid-auto-flow:row}",
  ".facts dt{color:var(--muted);font-size:11.5px}",
  ".facts dd{font-variant-numeric:tabular-nums;overflow-wrap:anywhere}",
  ".part{margin-top:14px}",
  ".part h4{font-size:12px;font-weight:600;color:var(--muted);margin-bottom:5px}",
  ".part h5{font-size:11.5px;font-weight:500;color:var(--muted);margin:8px 0 3px}",
  ".text pre,.drawn{margin:0;padding:8px 11px;background:var(--stripe);border:1px solid var(--line);border-radius:7px;font-size:12px;line-height:1.5;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate;overflow-x:auto}",
  ".drawn{white-space:normal}",
  ".failure pre{border-left:3px solid}",
  ".more,.form{margin-top:5px;font-size:12px;padding:2px 9px}",
  ".value{position:relative}",
  ".form{position:absolute;right:0;top:-27px;margin:0}",
  ".fields{display:grid;grid-template-columns:minmax(70px,max-content) minmax(0,1fr);border:1px solid var(--line);border-radius:7px;background:var(--stripe);overflow:hidden}",
  ".fields dt{padding:5px 14px 5px 11px;color:var(--muted);max-width:220px;overflow-wrap:anywhere;unicode-bidi:isolate;border-top:1px solid var(--line)}",
  ".fields dd{padding:5px 11px 5px 0;min-width:0;border-top:1px solid var(--line)}",
  ".fields dt:first-of-type,.fields dd:first-of-type{border-top:0}",
  ".fields .text pre{padding:0;border:0;background:none}",
  ".is-number pre,.is-boolean pre,.is-null pre{color:var(--accent)}",
  ".waits{list-style:none}",
  ".waits li{padding:4px 0}",
  ".waits .path{display:block;font-size:12px;color:var(--muted);overflow-wrap:anywhere}",
  ".link{border:0;background:none;padding:0;color:var(--accent);text-align:left;white-space:normal;overflow-wrap:anywhere}",
  ".link:hover:not(:disabled){background:none;text-decoration:underline}",
  ".faint{color:var(--muted);font-size:12px}",
  "table{border-collapse:collapse;width:100%}",
  "#pane-totals table{margin-bottom:18px}",
  "caption{text-align:left;font-size:12px;font-weight:600;color:var(--muted);padding-bottom:4px}",
  "#pane-totals th,#pane-totals td{padding:4px 14px 4px 0;text-align:left;border-bottom:1px solid var(--line);font-weight:400;white-space:nowrap}",
  "#pane-totals thead th{color:var(--muted);font-size:11.5px}",
  "#pane-totals .number{text-align:right;font-variant-numeric:tabular-nums}",
  "#pane-totals td .badge{margin-left:4px}",
  ".tip{position:fixed;left:0;top:0;z-index:5;pointer-events:none;background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:7px 10px;box-shadow:0 6px 20px rgb(0 0 0/.18);max-width:420px}",
  ".tip-head{display:flex;gap:8px;align-items:center;overflow-wrap:anywhere}",
  ".tip-id,.tip-facts{color:var(--muted);font-size:12px;overflow-wrap:anywhere}",
  "dialog{border:1px solid var(--line);border-radius:12px;background:var(--panel);color:var(--ink);padding:18px 22px;max-width:620px}",
  "dialog::backdrop{background:rgb(0 0 0/.35)}",
  "dialog h2{font-size:15px;color:var(--ink);padding:0 0 10px}",
  "dialog th{text-align:left;font-weight:400;padding:4px 22px 4px 0;white-space:nowrap}",
  "dialog td{padding:4px 0}",
  "dialog form>button{margin-top:14px}",
].join("\n");

const BY_STATUS = STATUSES.map((name) =>
  [
    `.is-${name}>.mark,.failure.is-${name} h4{color:var(--${name})}`,
    `.failure.is-${name} pre{border-left-color:var(--${name})}`,
    `.badge.is-${name},.chip.is-${name}[aria-pressed=true]{background:var(--${name}-tint);color:var(--ink)}`,
    `.chip.is-${name}[aria-pressed=true]{border-color:var(--${name})}`,
  ].join("\n"),
).join("\n");

const NARROW = [
  "@media (max-width:900px){",
  "body{overflow:auto}",
  ".top{flex-wrap:wrap;gap:12px}",
  ".brand{max-width:100%}",
  "main{display:flex;flex-direction:column;gap:10px;flex:none}",
  ".splitter{display:none}",
  ".calls,.time,.detail{height:70vh}",
  "}",
  "@media (prefers-reduced-motion:no-preference){.row,button{transition:background-color .08s}}",
].join("\n");

export const PAGE_STYLE = [
  `:root{color-scheme:light;${LIGHT}}`,
  LAYOUT,
  HEADER,
  PANELS,
  TREE,
  DETAIL,
  BY_STATUS,
  DRAWING_STYLE,
  darkRules(":root[data-theme=dark]"),
  `@media (prefers-color-scheme:dark){${darkRules(":root[data-theme=auto]")}}`,
  NARROW,
].join("\n");
