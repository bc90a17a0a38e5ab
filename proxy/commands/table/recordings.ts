import type { Command, Option, OptionKey } from '@/proxy/cli/grammar';
import { ABOUT_UPLOADS, BUCKET_OPTIONS, LIMIT, PAGE_OPTIONS, SERVER_OPTIONS, SINCE } from '@/proxy/cli/options';

/** Chooses frames of a recording. */
const FRAMES: Option = { name: 'frames', value: 'N|A-B', help: 'this frame, or these: 12, 10-40, 10- or -40' };

/** The address of a page. */
const PAGE_URL: OptionKey = { name: 'url', value: 'URL', help: 'its address, after which the recording stands' };

/** Options of a result in several forms. */
function outputOptions(forms: string): readonly Option[] {
  return [
    { name: 'format', value: 'FORM', help: forms },
    { name: 'out', value: 'PATH', help: 'write it to this file; the end of its name can choose the format' },
    { name: 'json', help: 'the same as --format json' },
  ];
}

export const RECORDINGS: readonly Command[] = [
  {
    name: 'recordings',
    summary: 'list kept recordings',
    usage: '[QUERY] [s3://…]',
    words: [0, Number.POSITIVE_INFINITY],
    options: [
      { name: 'json', help: 'print a JSON array' },
      SINCE,
      { ...LIMIT, help: `${LIMIT.help} (default: all; of a bucket 50, with --json all)` },
      { name: 'cache', value: 'WHICH', help: 'of a bucket: only what is on this machine, or refresh all of it' },
      ...BUCKET_OPTIONS,
    ],
    examples: [
      ['mcp-inspect recordings', 'local ones, and how to open the newest'],
      ['mcp-inspect recordings server:files is:failed --since 7d', 'those with failed requests'],
      ['mcp-inspect recordings tool:add s3://team', 'those of a bucket with calls of a tool'],
    ],
    notes: [
      'A QUERY has words and server: tool: host: tag: author: commit: since: until: is:failed is:ok.',
      'Summaries are read once and kept on this machine. Exit code 1: nothing matches the QUERY.',
    ],
    verbs: [
      {
        name: 'recordings push',
        summary: 'upload recordings to a team’s S3 bucket',
        usage: '[FILE… s3://BUCKET/PREFIX]',
        words: [0, 10_000],
        options: [
          ...ABOUT_UPLOADS,
          { name: 'json', help: 'print a line of JSON for each recording' },
          { name: 'quiet', help: 'print nothing; recordings that need a decision keep waiting' },
        ],
        examples: [
          ['mcp-inspect recordings push a.mcpr.jsonl s3://team/mcp', 'upload what `share` would write'],
          ['mcp-inspect recordings push *.jsonl s3://team --mask strict', 'only if no secret is undecided'],
          ['mcp-inspect recordings push a.mcpr.jsonl s3://team --s3 tag=ci', 'with a tag to find it by'],
          ['mcp-inspect recordings push', 'upload what waits in the outbox'],
        ],
        notes: [
          'Keys come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile with static keys',
          '(AWS_PROFILE), or a web identity (AWS_WEB_IDENTITY_TOKEN_FILE). Nothing else is supported.',
        ],
        docs: 'bucket',
        load: () => import('@/features/team/proxy/push/push'),
      },
      {
        name: 'recordings outbox',
        summary: 'list or give up uploads that wait',
        usage: '[drop ID…|all]',
        words: [0, Number.POSITIVE_INFINITY],
        options: [{ name: 'json', help: 'print a JSON array, with drop of what was given up' }],
        examples: [
          ['mcp-inspect recordings outbox', 'what waits, where to, and why'],
          ['mcp-inspect recordings outbox drop all', 'give up all uploads; the recordings stay'],
        ],
        docs: 'bucket',
        load: () => import('@/features/team/proxy/push/waiting'),
      },
      {
        name: 'recordings pull',
        summary: 'download a recording from a bucket',
        usage: 's3://… [FILE]',
        words: [1, 2],
        options: [{ name: 'json', help: 'print file, URL, size and digest as one line of JSON' }, ...BUCKET_OPTIONS],
        examples: [
          ['mcp-inspect recordings pull s3://team/5b43157eeb39', 'a file named like the object'],
          ['mcp-inspect recordings pull s3://team/….mcpr.jsonl a.mcpr.jsonl', 'with another name'],
        ],
        load: () => import('@/features/team/proxy/recordings/pull'),
      },
    ],
    docs: 'bucket-reading',
    load: () => import('@/features/team/proxy/recordings/recordings'),
  },
  {
    name: 'open',
    summary: 'open recordings or HTTP Archives in the page',
    usage: 'FILE…|s3://… | --write FOLDER',
    words: [0, Number.POSITIVE_INFINITY],
    options: [
      { ...FRAMES, help: 'show this frame of the file, such as one that a span names' },
      { name: 'write', value: 'FOLDER', help: 'write the page to this new or empty folder, for a static host' },
      ...[...PAGE_OPTIONS, ...BUCKET_OPTIONS],
      ...SERVER_OPTIONS,
    ],
    examples: [
      ['mcp-inspect open session.mcpr.jsonl --frames 42', 'the page shows this frame'],
      ['mcp-inspect open session.mcpr.jsonl', 'the whole inspector as it was, without a server'],
      ['mcp-inspect open before.mcpr.gz after.mcpr.gz', 'two, for Compare…'],
      ['mcp-inspect open --no-open session.har', 'print the link, and open no browser'],
      ['mcp-inspect open s3://team/….mcpr.jsonl', 'read in parts'],
      ['mcp-inspect open s3://team/mcp', 'the page lists the recordings there'],
      ['mcp-inspect open --write ./site', 'files for any web server'],
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
    options: [{ name: 'json', help: 'print a line of JSON for each frame' }, SINCE, LIMIT, ...BUCKET_OPTIONS],
    examples: [
      ['mcp-inspect search "tool:add is:failed"', 'in all recordings that are kept'],
      ['mcp-inspect search "has:problem" a.mcpr.jsonl', 'frames with an error or a warning of the rules'],
    ],
    notes: ['The filter is that of the page. Exit code 1: nothing matches.'],
    docs: 'filter',
    load: () => import('../search'),
  },
  {
    name: 'query',
    summary: 'query recordings with SQL',
    usage: 'SQL [FILE…|s3://…]',
    words: [1, Number.POSITIVE_INFINITY],
    options: [
      ...outputOptions('table (default), json (a line for each row), csv, md or parquet'),
      SINCE,
      LIMIT,
      { name: 'memory', value: 'MB', help: 'memory limit of DuckDB in MB (default 1000)' },
      { name: 'timeout', value: 'SECONDS', help: 'stop the query after this time' },
      ...BUCKET_OPTIONS,
    ],
    examples: [
      ['mcp-inspect query "select tool, count(*) from calls group by tool"', 'over all that are kept'],
      ['mcp-inspect query "from problems" a.mcpr.jsonl --json', 'problems of one recording'],
      ['mcp-inspect query "from calls" s3://team --since 7d --out calls.parquet', 'as a file'],
    ],
    notes: [
      'Views: frames, exchanges, calls, problems, recordings.',
      'It needs DuckDB: `npm install @duckdb/node-api`. A query can read the views and nothing else.',
    ],
    docs: 'query',
    load: () => import('@/features/team/proxy/query/query'),
  },
  {
    name: 'report',
    summary: 'report slow tools, errors and regressions',
    usage: '[FILE…|s3://…]',
    words: [0, Number.POSITIVE_INFINITY],
    options: [
      ...outputOptions('html, md, json or text (default)'),
      SINCE,
      { ...LIMIT, help: `${LIMIT.help} of each table (default: all; as text 15)` },
      { name: 'between', value: 'A..B', help: 'regressions between two commits, versions or tags' },
      { name: 'fail-on', value: 'WHAT', help: 'regression: exit code 1 if there is one, or nothing to compare' },
      { name: 'usage', help: 'how the host of a recording uses its server; of two: what differs' },
      { name: 'all', help: 'also recordings of `check`, whose requests are wrong on purpose' },
      ...BUCKET_OPTIONS,
    ],
    examples: [
      ['mcp-inspect report', 'slow tools, error rates, regressions'],
      ['mcp-inspect report ./recordings --out report.html', 'those in a folder, as a file to send'],
      ['mcp-inspect report --since 7d --between 1.2.0..1.3.0', 'what got worse between two versions'],
      ['mcp-inspect report s3://team --fail-on regression', 'for CI'],
      ['mcp-inspect report --usage cursor.mcpr.jsonl', 'what the host asks for and calls'],
    ],
    notes: ['Without a file or folder: the recordings that are kept.'],
    docs: 'report',
    load: () => import('@/features/team/proxy/report/report'),
  },
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
      ...BUCKET_OPTIONS,
    ],
    examples: [
      ['mcp-inspect replay a.mcpr.jsonl', 'on stdio, for a client to start'],
      ['mcp-inspect replay a.mcpr.gz --port 8080', 'at http://127.0.0.1:8080/mcp'],
      ['mcp-inspect replay a.mcpr.jsonl --on-miss forward -- URL', 'ask a live server for the rest'],
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
      ...BUCKET_OPTIONS,
    ],
    examples: [
      ['mcp-inspect share a.mcpr.jsonl --out b.mcpr.gz', 'all of it, gzipped'],
      ['mcp-inspect share a.mcpr.jsonl --review', 'what would be masked, and where'],
      ['mcp-inspect share a.mcpr.jsonl --format md --mask acme', 'a bug report with “acme” masked'],
      ['mcp-inspect share a.mcpr.jsonl --out a.html', 'a page for anyone with a browser'],
      ['mcp-inspect share a.mcpr.jsonl --out b.mcpr.gz --frames 10-40', 'a part of it'],
      ['mcp-inspect share a.mcpr.jsonl --format mermaid --frames 10-40', 'that part as a diagram'],
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
      { name: 'format', value: 'FORM', help: 'otlp, parquet, or types of results: schema, typescript, zod, pydantic' },
      {
        name: 'out',
        value: 'PATH',
        help: 'the folder of parquet, the file of types (else stdout), or the URL of otlp',
      },
      SINCE,
      { name: 'tool', value: 'NAME', help: 'types of this tool only; repeatable' },
      { name: 'json', help: 'print types and contradictions as one line of JSON' },
      { name: 'policy', value: 'FILE', help: 'what to mask and keep (default: share.policy.json, if there is one)' },
      ...BUCKET_OPTIONS,
    ],
    examples: [
      ['mcp-inspect export a.mcpr.gz --format otlp --out http://localhost:4318', 'spans for Tempo …'],
      ['mcp-inspect export ./recordings --format parquet --out tables', 'for Spark, BigQuery …'],
      ['mcp-inspect export a.mcpr.gz --format schema --tool search', 'an outputSchema of a tool'],
      ['mcp-inspect export *.mcpr.jsonl --out types.ts --format zod', 'types of all tools'],
    ],
    notes: [
      'It exports copies with secrets masked, as `share` masks them.',
      'otlp goes to the URL of --out, or OTEL_EXPORTER_OTLP_ENDPOINT, without arguments or results.',
      'Results that contradict a declared outputSchema are listed on stderr, with exit code 1.',
    ],
    load: () => import('../export/export'),
  },
];
