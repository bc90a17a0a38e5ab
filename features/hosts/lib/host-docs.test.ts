import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ENTRY_FACTS } from './entry-facts';
import { STAGES } from './fact';
import { HOST_FACTS } from './facts';
import { HOST_QUESTIONS } from './host-questions';
import { type HostId, JUDGED_HOSTS, type JudgedHost } from './hosts';
import { hostFacts } from './judge-hosts';

const DOCS = join(import.meta.dirname, '../../../docs/hosts');
const WRITTEN = '<!-- Written by features/hosts/lib/host-docs.test.ts. -->';

const LOSSES = {
  server: 'the server',
  'all-tools': 'all tools',
  tool: 'the tools concerned',
  result: 'the results concerned',
  feature: 'a part',
} as const;
const CONFIDENCE = { source: 'source code', documented: 'its vendor', reported: 'users' } as const;
const FILES = { none: '', 'server.json': 'Seen in a server.json. ', bundle: 'Seen in a bundle. ' } as const;
const SURE = 'users';

const heading = ({ title }: JudgedHost) => title.replace(/^the /, 'The ');
const sourceOf = (source: string) => (source.startsWith('https://') ? `<${source}>` : source.replaceAll('|', '\\|'));

test.each(JUDGED_HOSTS.map((host: JudgedHost & { readonly id: HostId }) => [host.id, host] as const))(
  'docs/hosts/%s.md lists its facts',
  async (id, host) => {
    const { always = [], process = [], signIn = [], files = {} } = HOST_QUESTIONS[id] ?? {};
    const questions = [...always, ...process, ...signIn, ...Object.values(files).flat()];
    const page = [
      `# ${heading(host)}`,
      '',
      WRITTEN,
      '',
      `\`--for ${id}\` judges a server by these facts ([how](README.md)). A fact that only users report is a warning.`,
      '',
      ...hostFacts(id).flatMap((fact) => [
        `## ${fact.id}`,
        '',
        `${fact.versions === undefined ? 'The host' : `The host, ${fact.versions},`} ${fact.does} ${fact.advice}`,
        '',
        `${FILES[fact.inFile?.kind ?? 'none']}Lost: ${LOSSES[fact.loses]}. Said by ${CONFIDENCE[fact.confidence]}: ${sourceOf(fact.source)}, ${fact.on}.`,
        '',
      ]),
      ...(questions.length === 0
        ? []
        : [
            '## Questions',
            '',
            `No frame${host.isDirectory ? ' and no file' : ''} answers these:`,
            '',
            ...questions.map((each) => `- ${each}`),
            '',
          ]),
    ].join('\n');
    await expect(page).toMatchFileSnapshot(join(DOCS, `${id}.md`));
  },
);

test('docs/hosts/README.md lists the hosts', async () => {
  const rows = JUDGED_HOSTS.map((host) => {
    const facts = hostFacts(host.id);
    const reported = facts.filter(({ confidence }) => CONFIDENCE[confidence] === SURE).length;
    return `| [${heading(host)}](${host.id}.md) | \`${host.id}\` | ${facts.length} | ${reported} |`;
  });
  const page = [
    '# Will it work in the host?',
    '',
    WRITTEN,
    '',
    'Hosts require things of a server, or do things to it, that no specification says. mcp-inspect knows some of them as *facts*, each',
    'with its source and its date, and looks in a session for what breaks them:',
    '',
    '```sh',
    'mcp-inspect doctor --for claude.ai https://example.com/mcp',
    'mcp-inspect check --for claude-code,vscode -- node server.js',
    'mcp-inspect check --for all session.mcpr.jsonl',
    'mcp-inspect check --for registry server.json            # a file, without its server',
    'mcp-inspect check --for claude-directory server.mcpb',
    '```',
    '',
    'Facts are not rules: a server that breaks one may keep to the specification in every respect, and `check` without `--for`',
    'mentions only [a few limits](../check.md) of names, schemas and counts. `check --for` and `doctor --for` end with 1 if a host fails, or loses a tool; what only users report changes no exit code. `--for all` takes every host, without',
    'directories.',
    '',
    'Directories also judge files: the MCP registry a server.json, the Claude directory a bundle (`.mcpb`), both directories of hosts the `remotes` of a',
    'server.json. `check --for` with directories alone reads such a file, and starts nothing. An obstacle then names a path in',
    'the file: `packages[0].version`. Tools, results and a sign-in are seen only at the server itself.',
    '',
    '| state | meaning |',
    '|---|---|',
    '| fails | the host loses the server, or all its tools |',
    '| loses a part | named tools, results or features are lost |',
    '| no obstacle seen | nothing that was looked at breaks a fact; what was not tried is named. It does not mean that the server works there |',
    '| unknown | nothing decides it, or only reports of users do |',
    '| needs a public https address | the host connects from its vendor’s machines, so it never reaches a process or a private address |',
    '',
    'Each obstacle comes from a frame: `check`, the page and `--json` name it. A source that is older than half a year says so: hosts change within months.',
    'Requests that only some hosts send, such as one with an unknown session, are sent by `doctor --for` and `check --for` alone, in a',
    'session of their own and with the token of the connection; `User-Agent` stays that of mcp-inspect, so a firewall that looks for the',
    'host’s may answer otherwise.',
    'No client is registered, nobody signs in, and no tool is called, unless other options say so.',
    '',
    '| host | `--for` | facts | only reported by users |',
    '|---|---|---|---|',
    ...rows,
    '',
    '## Entries in configs',
    '',
    '[Configs of hosts](configs.md) lists the files in which hosts keep their servers. `mcp-inspect servers` says what hosts stumble over in an entry, and',
    'leaves out entries that are disabled. Some faults are the same in every host:',
    '',
    '| id | host | said by |',
    '|---|---|---|',
    ...ENTRY_FACTS.map(({ id, host, source, on, isReported }) => {
      const said = source === undefined ? 'this machine' : `${sourceOf(source)}, ${on}`;
      return `| \`${id}\` | ${host ?? 'all'} | ${isReported ? 'users: ' : ''}${said} |`;
    }),
    '',
    '## Correct a fact',
    '',
    'One row, one source, one test: a fact is a row in a file of `features/hosts/lib/facts`, its source and date stand in it, and',
    '`features/hosts/proxy/host-facts.test.ts` has a server that breaks it and one that comes close; for files, `file-facts.test.ts` has them. `npx vitest run features/hosts --update`',
    'writes these pages. A report of users needs the address of the report; what nobody can decide from a session is a question of the host.',
    '',
  ].join('\n');
  await expect(page).toMatchFileSnapshot(join(DOCS, 'README.md'));
});

test('each fact has a date, a source and sentences', () => {
  for (const { id, on, source, does, advice, stage, hosts } of HOST_FACTS) {
    expect(on, id).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(source.length, id).toBeGreaterThan(10);
    expect(does, id).toMatch(/^[a-z].*\.$/);
    expect(advice, id).toMatch(/^[A-Z].*\.$/);
    expect(STAGES, id).toContain(stage);
    expect(hosts.length, id).toBeGreaterThan(0);
  }
  expect(new Set(HOST_FACTS.map(({ id }) => id)).size).toBe(HOST_FACTS.length);
});
