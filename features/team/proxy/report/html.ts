import type { AnswerRow, Source } from '@/features/team/lib/summary/questions/question';
import type { ReportAnswer, TeamReport } from '@/features/team/lib/summary/questions/report';
import { countOf, formatDate } from '@/lib/wire/format';
import { columnTitle, type Html, html, htmlPage, wideTable } from '@/proxy/commands/shared/html-page';
import { reportFacts, reportTitle, sourceFrameText } from './text';

interface HtmlOptions {
  readonly version: string;
  readonly at: Date;
  /** Returns a place as it is shown. */
  readonly shown: (place: string) => string;
}

/** Formats a report as one HTML file. */
export function htmlReport(report: TeamReport, { version, at, shown }: HtmlOptions): string {
  return htmlPage({
    title: reportTitle(report),
    head: html`<p>${reportFacts(report)}</p>
<nav aria-label="Questions">${report.answers.map(navigation)}</nav>`,
    main: report.answers.map((answer) => section(answer, shown)),
    footer: html`<p>Made by mcp-inspect ${version} on ${formatDate(at.getTime())}. Open a recording with <code>mcp-inspect open FILE --frames N</code>; the number after # is the frame to look at.</p>`,
  });
}

function navigation({ id, title, rows, rowsLeftOut }: ReportAnswer): Html {
  return html`<a href="#${id}">${title} <span class="count">${rows.length + rowsLeftOut}</span></a>`;
}

function section(answer: ReportAnswer, shown: HtmlOptions['shown']): Html {
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

function answerTable({ id, columns, rows }: ReportAnswer, shown: HtmlOptions['shown']): Html {
  const titles = [...columns, { title: 'Recordings' }].map(({ title, isNumber }) => columnTitle(title, isNumber));
  return wideTable(
    `${id}-title`,
    titles,
    rows.map((row) => tableRow(row, columns, shown)),
  );
}

function tableRow(row: AnswerRow, columns: ReportAnswer['columns'], shown: HtmlOptions['shown']): Html {
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
  return html`<li><code><bdi>${shown(source.place)}</bdi>${sourceFrameText(source)}</code><br><span>${formatDate(source.at)}${what}</span></li>`;
}
