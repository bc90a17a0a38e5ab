import { FEATURES } from '@/features/features';
import type { Option, OptionKey, Subcommand } from '@/proxy/cli/grammar';
import { LIMIT, PAGE_OPTIONS, SERVER_OPTIONS, SINCE, STORE_OPTIONS } from '@/proxy/cli/options';

/** Chooses frames of a recording. */
const FRAMES: Option = { name: 'frames', value: 'N|A-B', help: 'this frame, or these: 12, 10-40, 10- or -40' };

/** The address of a page. */
const PAGE_URL: OptionKey = { name: 'url', value: 'URL', help: 'its address, after which the recording stands' };

/** Forms of `export` that features add. */
const FORMS = FEATURES.flatMap(({ exportForms = [] }) => exportForms);

export const OPENED: readonly Subcommand[] = [
  {
    name: 'open',
    summary: 'open recordings or HTTP Archives in the page',
    usage: 'FILE…|s3://… | --write FOLDER',
    words: [0, Number.POSITIVE_INFINITY],
    options: [
      { ...FRAMES, help: 'show this frame of the file, such as one that a span names' },
      { name: 'write', value: 'FOLDER', help: 'write the page to this new or empty folder, for a static host' },
      ...PAGE_OPTIONS,
      ...STORE_OPTIONS,
      ...SERVER_OPTIONS,
    ],
    examples: [
      ['open session.mcpr.jsonl --frames 42', 'the page shows this frame'],
      ['open session.mcpr.jsonl', 'the whole inspector as it was, without a server'],
      ['open before.mcpr.gz after.mcpr.gz', 'two, for Compare…'],
      ['open --no-open session.har', 'print the link, and open no browser'],
      ['open s3://team/….mcpr.jsonl', 'read in parts'],
      ['open s3://team/mcp', 'the page lists the recordings there'],
      ['open --write ./site', 'files for any web server'],
    ],
    notes: ['With --demo or --server, mcp-inspect also connects to that server.'],
    docs: 'recordings',
    load: () => import('../open'),
  },
  {
    name: 'search',
    summary: 'find messages in recordings',
    usage: 'FILTER [FILE…|s3://…]',
    words: [1, Number.POSITIVE_INFINITY],
    options: [{ name: 'json', help: 'print a line of JSON for each frame' }, SINCE, LIMIT, ...STORE_OPTIONS],
    examples: [
      ['search "tool:add is:failed"', 'in all recordings that are kept'],
      ['search "has:problem" a.mcpr.jsonl', 'frames with an error or a warning of the rules'],
    ],
    notes: ['The filter is that of the page. Exit code 1: nothing matches.'],
    docs: 'filter',
    load: () => import('../search'),
  },
];

export const USED: readonly Subcommand[] = [
  {
    name: 'replay',
    summary: 'run an MCP server that answers from a recording',
    usage: 'FILE [-- SERVER]',
    words: [1, 1],
    server: 'optional',
    options: [
      { name: 'port', value: 'NUMBER', help: 'serve Streamable HTTP on 127.0.0.1, not stdio; 0: any free port' },
      {
        name: 'on-miss',
        value: 'WHAT',
        help: 'response to an unrecorded request: error (default), empty or forward',
      },
      { name: 'pace', value: 'PACE', help: 'instant (default), real, or x4 for four times as fast' },
      ...STORE_OPTIONS,
    ],
    examples: [
      ['replay a.mcpr.jsonl', 'on stdio, for a client to start'],
      ['replay a.mcpr.gz --port 8080', 'at http://127.0.0.1:8080/mcp'],
      ['replay a.mcpr.jsonl --on-miss forward -- URL', 'ask a live server for the rest'],
      ['mcp-inspect -- mcp-inspect replay a.mcpr.jsonl', 'inspect the replay itself'],
    ],
    docs: 'replay',
    load: () => import('../replay/replay'),
  },
  {
    name: 'share',
    summary: 'export a recording with its secrets masked',
    usage: 'FILE',
    words: [1, 1],
    options: [
      { name: 'format', value: 'FORM', help: 'mcpr (a recording), html, link, md (a bug report), har or mermaid' },
      { name: 'out', value: 'PATH', help: 'a new file, whose name can choose the format; md, link, mermaid need none' },
      { name: 'page', value: 'url=URL', help: 'for link: the page that opens it', keys: [PAGE_URL] },
      { name: 'review', help: 'print what looks like a secret, and what happens to it' },
      {
        name: 'mask',
        value: 'WHAT',
        help: 'also mask text, /regex/, a rule or a row; strict: nothing undecided',
      },
      { name: 'keep', value: 'N|RULE', help: 'keep a row of --review, or all of a rule; repeatable' },
      {
        name: 'policy',
        value: 'FILE',
        help: 'decisions for all recordings (default: share.policy.json, if there is one)',
      },
      FRAMES,
      {
        name: 'without',
        value: 'WHAT',
        help: 'leave out stderr, http (requests, responses, headers) or otel; repeatable',
      },
      { name: 'json', help: 'print what was written, masked and found as one line of JSON' },
      ...STORE_OPTIONS,
    ],
    examples: [
      ['share a.mcpr.jsonl --out b.mcpr.gz', 'all of it, gzipped'],
      ['share a.mcpr.jsonl --review', 'what would be masked, and where'],
      ['share a.mcpr.jsonl --format md --mask acme', 'a bug report with “acme” masked'],
      ['share a.mcpr.jsonl --out a.html', 'a page for anyone with a browser'],
      ['share a.mcpr.jsonl --out b.mcpr.gz --frames 10-40', 'a part of it'],
      ['share a.mcpr.jsonl --format mermaid --frames 10-40', 'that part as a diagram'],
    ],
    notes: ['It masks what looks like a secret, unless --keep or a policy says otherwise.'],
    docs: 'sharing',
    load: () => import('../share/share'),
  },
  {
    name: 'export',
    summary: 'export recordings for other tools',
    usage: 'FILE… --format FORM',
    words: [1, Number.POSITIVE_INFINITY],
    options: [
      {
        name: 'format',
        value: 'FORM',
        help: `${['otlp', ...FORMS.map(({ name }) => name)].join(', ')}, or types of results: schema, typescript, zod, pydantic`,
      },
      {
        name: 'out',
        value: 'PATH',
        help: [...FORMS.map(({ out }) => out), 'the file of types (else stdout)', 'or the URL of otlp'].join(', '),
      },
      SINCE,
      { name: 'tool', value: 'NAME', help: 'types of this tool only; repeatable' },
      { name: 'json', help: 'print types and contradictions as one line of JSON' },
      { name: 'policy', value: 'FILE', help: 'what to mask and keep (default: share.policy.json, if there is one)' },
      ...STORE_OPTIONS,
    ],
    examples: [
      ['export a.mcpr.gz --format otlp --out http://localhost:4318', 'spans for Tempo …'],
      ...FORMS.map(({ example }) => example),
      ['export a.mcpr.gz --format schema --tool search', 'an outputSchema of a tool'],
      ['export *.mcpr.jsonl --out types.ts --format zod', 'types of all tools'],
    ],
    notes: [
      'It exports copies with secrets masked, as `share` masks them.',
      'otlp goes to the URL of --out, or OTEL_EXPORTER_OTLP_ENDPOINT, without arguments or results.',
      'Results that contradict a declared outputSchema are listed on stderr, with exit code 1.',
    ],
    load: () => import('../export/export'),
  },
];
