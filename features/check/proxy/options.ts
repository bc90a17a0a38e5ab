import { CHECK_HOST_OPTIONS } from '@/features/host-options';
import type { Option, OptionKey } from '@/proxy/cli/grammar';
import { AWAITED_UPLOAD, JUNIT_OPTION, LIMIT, reportOption, SINCE } from '@/proxy/cli/options';

/** Output of a subcommand that connects several times, which one recording can’t hold. */
export const RUNS_OPTIONS: readonly Option[] = [
  { name: 'json', help: 'print the report as one line of JSON' },
  { name: 'timeout', value: 'SECONDS', help: 'time limit for each connection' },
];

/** Options of subcommands that compare. */
export const COMPARE_OPTIONS: readonly Option[] = [
  { name: 'compare', value: 'MODE', help: 'how to compare: structure, semantic (default) or strict' },
  {
    name: 'ignore',
    value: 'NAME|$PLACE',
    help: 'also ignore order, hash, version …, or a place such as $..etag',
  },
  JUNIT_OPTION,
];

/** The kinds of failures that can be looked for. */
const FAILURE_KEYS: readonly OptionKey[] = [
  { name: 'rule', value: 'ID', help: 'a problem of this rule' },
  { name: 'text', value: 'TEXT', help: 'an error or a line of stderr with this text' },
  { name: 'exit', help: 'the server crashes, or exits with an error' },
  { name: 'silence', value: 'SECONDS', help: 'a request has no response for this long' },
];

/** Finds the fewest messages of a recording that still fail. */
export const MINIMISE_OPTIONS: readonly Option[] = [
  { name: 'minimise', help: 'find the fewest messages of a recording that still fail' },
  { name: 'fail-on', value: 'KIND[=VALUE]', help: 'with --minimise: the failure to look for', keys: FAILURE_KEYS },
  { name: 'jobs', value: 'M', help: 'with --minimise: M servers at a time (default 2)' },
  { name: 'out', value: 'NAME', help: 'with --minimise: begin the names of the three new files with this' },
];

/** Chooses recordings of a folder, or of a prefix in a bucket. */
export const CHOSEN_FILES: readonly Option[] = [
  { ...SINCE, help: `of a folder or prefix: ${SINCE.help}` },
  { ...LIMIT, help: 'of a folder or prefix: N recordings, or recordings A to B' },
];

/** The calls of `check`, its threshold and its output. */
export const CHECK_OPTIONS: readonly Option[] = [
  { name: 'allow', value: 'WHICH', help: 'also call tools: read-only (which declare it) or all' },
  { name: 'pins', value: 'FILE', help: 'also play the pinned calls of this file and compare their answers' },
  { name: 'conformance', value: 'WHERE', help: 'also run the official suite: installed, or fetch it with npx' },
  ...CHECK_HOST_OPTIONS,
  { name: 'all', help: 'check every server of --config' },
  { name: 'jobs', value: 'N', help: 'with --all, check N servers at a time (default 2)' },
  { name: 'out', value: 'FOLDER', help: 'with --all, write a page of all servers: index.html and fleet.json' },
  { name: 'budget', value: 'NAME=MOST', help: 'fail above tokens=5000, tools=40, p95=500ms or result=64KB' },
  { name: 'fail-on', value: 'SEVERITY', help: 'exit with 1 from this severity on: error (default), warning or info' },
  { name: 'baseline', value: 'FILE', help: 'accept the problems of an earlier --json or --out; a path or s3://…' },
  { name: 'json', help: 'print the report as one line of JSON' },
  reportOption('junit', 'sarif', 'markdown', 'html', 'github'),
  { name: 'location', value: 'FILE', help: 'the file of the repository that SARIF names for a server' },
  ...CHOSEN_FILES,
  { name: 'record', value: 'FILE', help: 'record each session: NAME.mcpr.jsonl, NAME-2.mcpr.jsonl …' },
  ...AWAITED_UPLOAD,
  { name: 'timeout', value: 'SECONDS', help: 'time limit for a server (120; with --allow or --conformance 600)' },
  { name: 'request-timeout', value: 'SECONDS', help: 'time limit for one step (default 10)' },
];
