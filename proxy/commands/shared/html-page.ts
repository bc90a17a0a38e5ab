import { createHash } from 'node:crypto';
import { plainText } from '@/proxy/cli/plain-text';

/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template. */
export type HtmlValue = string | number | Html | readonly Html[];

/** Makes HTML. Every value is escaped unless it was made here, so no text of a server can be forgotten. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.reduce((text, part, at) => text + htmlOf(values[at - 1]!) + part));
}

function htmlOf(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(htmlOf).join('');
  return escapeText(String(value));
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Escapes text for elements and quoted attributes. Control characters and those that reverse text become U+FFFD. */
function escapeText(text: string): string {
  return plainText(text)
    .toWellFormed()
    .replace(/[&<>"'`]/g, (character) => ESCAPES[character]!);
}

/** The parts of a page. */
interface HtmlPage {
  readonly title: string;
  /** The lines under the title. */
  readonly head: HtmlValue;
  readonly main: HtmlValue;
  readonly footer: HtmlValue;
}

/** Formats a page in one HTML file: no script, no request, no link that leads out of it. */
export function htmlPage({ title, head, main, footer }: HtmlPage): string {
  const digest = createHash('sha256').update(STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`;
  // The style is ours, and its digest is that of these exact characters.
  const style = new Html(`<style>${STYLE}</style>`);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${style}
</head>
<body>
<header>
<h1>${title}</h1>
${head}
</header>
<main>
${main}
</main>
<footer>
${footer}
</footer>
</body>
</html>
`;
  return page.text;
}

/** A table that scrolls sideways where it is wider than the page. `label`: id of its title. */
export function wideTable(label: string, titles: HtmlValue, rows: HtmlValue): Html {
  return html`<div class="wide" tabindex="0" role="group" aria-labelledby="${label}"><table>
<thead><tr>${titles}</tr></thead>
<tbody>
${rows}</tbody>
</table></div>`;
}

/** The title of a column. */
export function columnTitle(title: string, isNumber: boolean | undefined): Html {
  return isNumber ? html`<th scope="col" class="number">${title}</th>` : html`<th scope="col">${title}</th>`;
}

const STYLE = `
:root{--text:#1c1e21;--muted:#5f656d;--line:#e3e5e8;--back:#fff;--raised:#f7f8f9;--accent:#3d5afe;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--text:#e6e8eb;--muted:#9aa1ab;--line:#2b2f36;--back:#131519;--raised:#1a1d22;--accent:#8c9eff;--bad:#ff8a80}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:76rem;padding:2.5rem 1.5rem 4rem;background:var(--back);color:var(--text);font:14px/1.5 system-ui,sans-serif}
h1{margin:0;font-size:1.5rem;font-weight:600;letter-spacing:-.01em}
h2{margin:0 0 .25rem;font-size:1.0625rem;font-weight:600}
header p{margin:.25rem 0 1rem;color:var(--muted)}
nav{display:flex;flex-wrap:wrap;gap:.5rem}
nav a{padding:.25rem .625rem;border:1px solid var(--line);border-radius:6px;color:var(--text);text-decoration:none}
nav a:hover{background:var(--raised)}
.count{color:var(--muted);font-variant-numeric:tabular-nums}
section{margin-top:2.5rem}
.about,.basis{margin:0 0 .25rem;max-width:70ch;color:var(--muted);overflow-wrap:anywhere}
.basis{font-size:.875rem}
.empty{margin:.75rem 0 0;padding:1rem;border:1px solid var(--line);border-radius:8px;color:var(--muted)}
.wide{margin-top:.75rem;overflow-x:auto;border:1px solid var(--line);border-radius:8px;
--fade:rgb(128 128 128/.45);background:linear-gradient(to right,var(--back) 50%,transparent) left/3rem 100% local,linear-gradient(to left,var(--back) 50%,transparent) right/3rem 100% local,linear-gradient(to right,var(--fade),transparent) left/.875rem 100% scroll,linear-gradient(to left,var(--fade),transparent) right/.875rem 100% scroll;background-repeat:no-repeat}
table{width:100%;border-collapse:collapse}
th,td{padding:.4375rem .75rem;text-align:left;vertical-align:top;border-top:1px solid var(--line);max-width:24rem;overflow-wrap:anywhere}
thead th{border-top:0;background:var(--raised);color:var(--muted);font-size:.8125rem;font-weight:500;white-space:nowrap}
tbody th{min-width:9rem;font-weight:500}
td{min-width:5rem}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.unsure td,.unsure th{color:var(--muted)}
details{min-width:8rem}
summary{line-height:1.75;cursor:pointer;color:var(--accent);white-space:nowrap}
details ul{margin:.375rem 0 0;padding:0;list-style:none;font-size:.8125rem}
details li{margin-bottom:.375rem;min-width:14rem}
details span{color:var(--muted)}
.bad{color:var(--bad)}
code{font:.8125rem/1.4 ui-monospace,monospace;overflow-wrap:anywhere}
a{color:var(--accent)}
footer{margin-top:3rem;color:var(--muted);font-size:.8125rem}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media (max-width:40rem){body{padding:1.5rem 1rem 3rem}table{width:max-content;min-width:100%}tbody th{max-width:10rem}td{max-width:18rem}thead th{background:none}}
@media print{body{max-width:none;padding:0;font-size:11px}nav{display:none}section{break-inside:avoid-page}.wide{overflow:visible}tr{break-inside:avoid}details::details-content{content-visibility:visible;display:block}}
`;
