import { createHash } from 'node:crypto';
import type { AnswerRow, Source } from '@/lib/summary/questions/question';
import type { Answer, Report } from '@/lib/summary/questions/report';
import { countOf, formatDate } from '@/lib/wire/format';
import { plainText } from '@/proxy/cli/plain-text';
import { frameText, reportFacts, reportTitle } from './text';

/** Text that is HTML already. */
class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Html | readonly Html[];

/** Makes HTML. Every value is escaped unless it was made here, so no text of a server can be forgotten. */
function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.reduce((text, part, at) => text + htmlOf(values[at - 1]!) + part));
}

function htmlOf(value: Value): string {
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

interface HtmlOptions {
  readonly version: string;
  readonly at: Date;
  /** Returns a place as it is shown. */
  readonly shown: (place: string) => string;
}

/** Formats a report as one HTML file: no script, no request, no link that leads out of it. */
export function htmlReport(report: Report, { version, at, shown }: HtmlOptions): string {
  const digest = createHash('sha256').update(STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`;
  const title = reportTitle(report);
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
<p>${reportFacts(report)}</p>
<nav aria-label="Questions">${report.answers.map(navigation)}</nav>
</header>
<main>
${report.answers.map((answer) => section(answer, shown))}
</main>
<footer>
<p>Made by mcp-inspect ${version} on ${formatDate(at.getTime())}. Open a recording with <code>mcp-inspect open FILE --frames N</code>; the number after # is the frame to look at.</p>
</footer>
</body>
</html>
`;
  return page.text;
}

function navigation({ id, title, rows, rowsLeftOut }: Answer): Html {
  return html`<a href="#${id}">${title} <span class="count">${rows.length + rowsLeftOut}</span></a>`;
}

function section(answer: Answer, shown: HtmlOptions['shown']): Html {
  const { id, title, about, basis, empty, rows, rowsLeftOut } = answer;
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
<p class="about">${about}</p>
<p class="basis">${basis}.</p>
${rows.length === 0 ? html`<p class="empty">${empty}</p>` : answerTable(answer, shown)}
${rowsLeftOut > 0 ? html`<p class="basis">${countOf(rowsLeftOut, 'more row')}</p>` : []}
</section>
`;
}

function answerTable({ id, columns, rows }: Answer, shown: HtmlOptions['shown']): Html {
  const titles = columns.map(({ title, isNumber }) =>
    isNumber ? html`<th scope="col" class="number">${title}</th>` : html`<th scope="col">${title}</th>`,
  );
  return html`<div class="wide" tabindex="0" role="group" aria-labelledby="${id}-title"><table>
<thead><tr>${titles}<th scope="col">Recordings</th></tr></thead>
<tbody>
${rows.map((row) => tableRow(row, columns, shown))}</tbody>
</table></div>`;
}

function tableRow(row: AnswerRow, columns: Answer['columns'], shown: HtmlOptions['shown']): Html {
  const cells = row.cells.map((cell, at) => {
    const text = html`<bdi>${cell}</bdi>`;
    if (columns[at]?.isNumber) return html`<td class="number">${text}</td>`;
    return at === 0 ? html`<th scope="row">${text}</th>` : html`<td>${text}</td>`;
  });
  const tone = row.tone === 'unsure' ? html` class="unsure"` : [];
  return html`<tr${tone}>${cells}<td>${sourcesOf(row, shown)}</td></tr>
`;
}

function sourcesOf({ sources, recordings }: AnswerRow, shown: HtmlOptions['shown']): Html {
  const left = recordings - sources.length;
  return html`<details><summary>${countOf(recordings, 'recording')}</summary><ul>${sources.map((source) => sourceItem(source, shown))}${
    left > 0 ? html`<li>and ${countOf(left, 'other')}</li>` : []
  }</ul></details>`;
}

function sourceItem(source: Source, shown: HtmlOptions['shown']): Html {
  const what = source.what === undefined || source.frame === undefined ? '' : `, ${source.what}`;
  return html`<li><code><bdi>${shown(source.place)}</bdi>${frameText(source)}</code><br><span>${formatDate(source.at)}${what}</span></li>`;
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
code{font:.8125rem/1.4 ui-monospace,monospace;overflow-wrap:anywhere}
footer{margin-top:3rem;color:var(--muted);font-size:.8125rem}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media (max-width:40rem){body{padding:1.5rem 1rem 3rem}table{width:max-content;min-width:100%}thead th{background:none}}
@media print{body{max-width:none;padding:0;font-size:11px}nav{display:none}section{break-inside:avoid-page}.wide{overflow:visible}tr{break-inside:avoid}details::details-content{content-visibility:visible;display:block}}
`;
