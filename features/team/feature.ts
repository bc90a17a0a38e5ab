import type { Option } from '@/proxy/cli/grammar';
import { LIMIT, SINCE, STORE_OPTIONS } from '@/proxy/cli/options';
import type { Feature } from '../feature';
import { ABOUT_UPLOADS } from './recording-store';

/** Options of a result in several forms. */
function outputOptions(forms: string): readonly Option[] {
  return [
    { name: 'format', value: 'FORM', help: forms },
    { name: 'out', value: 'PATH', help: 'write it to this file; the end of its name can choose the format' },
    { name: 'json', help: 'the same as --format json' },
  ];
}

/** Many recordings, also those of a team: a bucket, lists by query, reports and SQL. */
export const team: Feature = {
  name: 'team',
  commands: {
    lists: [
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
          ...STORE_OPTIONS,
        ],
        examples: [
          ['recordings', 'local ones, and how to open the newest'],
          ['recordings server:files is:failed --since 7d', 'those with failed requests'],
          ['recordings tool:add s3://team', 'those of a bucket with calls of a tool'],
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
              ['recordings push a.mcpr.jsonl s3://team/mcp', 'upload what `share` would write'],
              ['recordings push *.jsonl s3://team --mask strict', 'only if no secret is undecided'],
              ['recordings push a.mcpr.jsonl s3://team --s3 tag=ci', 'with a tag to find it by'],
              ['recordings push', 'upload what waits in the outbox'],
            ],
            notes: [
              'Keys come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile with static keys',
              '(AWS_PROFILE), or a web identity (AWS_WEB_IDENTITY_TOKEN_FILE). Nothing else is supported.',
            ],
            docs: 'bucket',
            load: () => import('./proxy/push/push'),
          },
          {
            name: 'recordings outbox',
            summary: 'list or give up uploads that wait',
            usage: '[drop ID…|all]',
            words: [0, Number.POSITIVE_INFINITY],
            options: [{ name: 'json', help: 'print a JSON array, with drop of what was given up' }],
            examples: [
              ['recordings outbox', 'what waits, where to, and why'],
              ['recordings outbox drop all', 'give up all uploads; the recordings stay'],
            ],
            docs: 'bucket',
            load: () => import('./proxy/push/waiting'),
          },
          {
            name: 'recordings pull',
            summary: 'download a recording from a bucket',
            usage: 's3://… [FILE]',
            words: [1, 2],
            options: [{ name: 'json', help: 'print file, URL, size and digest as one line of JSON' }, ...STORE_OPTIONS],
            examples: [
              ['recordings pull s3://team/5b43157eeb39', 'a file named like the object'],
              ['recordings pull s3://team/….mcpr.jsonl a.mcpr.jsonl', 'with another name'],
            ],
            load: () => import('./proxy/recordings/pull'),
          },
        ],
        docs: 'bucket-reading',
        load: () => import('./proxy/recordings/recordings'),
      },
    ],
    reports: [
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
          ...STORE_OPTIONS,
        ],
        examples: [
          ['query "select tool, count(*) from calls group by tool"', 'over all that are kept'],
          ['query "from problems" a.mcpr.jsonl --json', 'problems of one recording'],
          ['query "from calls" s3://team --since 7d --out calls.parquet', 'as a file'],
        ],
        notes: [
          'Views: frames, exchanges, calls, problems, recordings.',
          'It needs DuckDB, and says how to install it. A query can read the views and nothing else.',
        ],
        docs: 'query',
        load: () => import('./proxy/query/query'),
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
          ...STORE_OPTIONS,
        ],
        examples: [
          ['report', 'slow tools, error rates, regressions'],
          ['report ./recordings --out report.html', 'those in a folder, as a file to send'],
          ['report --since 7d --between 1.2.0..1.3.0', 'what got worse between two versions'],
          ['report s3://team --fail-on regression', 'for CI'],
          ['report --usage cursor.mcpr.jsonl', 'what the host asks for and calls'],
        ],
        notes: ['Without a file or folder: the recordings that are kept.'],
        docs: 'report',
        load: () => import('./proxy/report/report'),
      },
    ],
  },
  exportForms: [
    {
      name: 'parquet',
      out: 'the folder of parquet',
      example: ['export ./recordings --format parquet --out tables', 'for Spark, BigQuery …'],
      load: () => import('./proxy/query/parquet'),
    },
  ],
  toolNames: () => import('./proxy/summaries/tool-names'),
  serve: () => import('./proxy/page-part'),
};
