import type { CheckFinding, CheckReport } from './report';

export const FINDING: CheckFinding = {
  rule: 'tool-schema',
  severity: 'warning',
  title: 'Invalid JSON Schema',
  message: '"type" is "strin", expected a type.',
  path: 'result.tools["echo"].inputSchema.type',
  frames: [5, 9],
  advice: 'Fix the schema.',
  spec: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools',
};

export const ERROR: CheckFinding = {
  ...FINDING,
  rule: 'field-missing',
  severity: 'error',
  message: 'name is missing.',
};

/** A report with these findings in one step. */
export function reportOf(findings: readonly CheckFinding[], more: Partial<CheckReport> = {}): CheckReport {
  return {
    version: '0.1.0',
    at: '2026-01-02T03:04:05.678Z',
    failOn: 'error',
    accepted: 0,
    sources: [
      {
        name: 'demo',
        facts: { era: 'legacy', version: '2025-11-25', transport: 'stdio', tools: 1, tokens: 41 },
        steps: [
          { name: 'connect', ms: 120, findings: [] },
          { name: 'rules', ms: 35, findings },
        ],
        notes: [],
      },
    ],
    ...more,
  };
}

/** Texts that a hostile server may use for any name. */
export const HOSTILE = [
  '::error::stop',
  '\n::set-output name=a::b',
  '##[error]x ##vso[task.setvariable variable=a]b',
  '\u001b[31mred\u001b]0;title\u0007',
  '@everyone #1 fixes #2 https://example.com',
  '` @user ` `` @user ``',
  '[link](javascript:alert(1)) ![](https://x/y.png) <img src=x onerror=alert(1)> | a | b |',
  '</failure></testcase><testcase name="fake"/>]]>',
  '\u202egnp\u200b\ufeff\u2028\ud800',
  'a%0A::error::b,title=c:d',
] as const;

/** A report in which every text that can come from a server is hostile. */
export function hostileReport(text: string): CheckReport {
  const hostile: CheckFinding = { ...ERROR, message: text, path: text, advice: text };
  const [source] = reportOf([hostile, { ...hostile, severity: 'info' }]).sources;
  return reportOf([], {
    sources: [
      {
        ...source!,
        name: text,
        file: text,
        facts: { server: text, era: text, version: text },
        steps: [...source!.steps, { name: text, ms: 1, findings: [], skipped: text }],
        notes: [text],
      },
    ],
  });
}
