import {
  CLIENT_OPTIONS,
  REPORT_OPTIONS,
  SERVER_OPTIONS,
  STORE_OPTIONS,
  TIMEOUT_NOTE,
  WATCH_OPTIONS,
} from '@/proxy/cli/options';
import type { Feature } from '../feature';
import { CHECK_OPTIONS, CHOSEN_FILES, COMPARE_OPTIONS, MINIMISE_OPTIONS, RUNS_OPTIONS } from './proxy/options';

/** Whether a server keeps to the rules, and answers as before: findings, pinned calls, and recordings played again. */
export const check: Feature = {
  name: 'check',
  commands: {
    faults: [
      {
        name: 'check',
        summary: 'find problems in a server or in recordings',
        usage: 'FILE… |',
        words: [0, Number.POSITIVE_INFINITY],
        server: 'required',
        options: [
          ...CHECK_OPTIONS,
          ...CLIENT_OPTIONS.filter(({ name }) => name !== 'request-timeout'),
          ...SERVER_OPTIONS,
        ],
        examples: [
          ['check -- node server.js', 'every list, in each era it supports'],
          ['check https://example.com/mcp --report github', 'annotations for GitHub Actions'],
          ['check a.mcpr.jsonl b.mcpr.gz', 'recordings'],
          ['check --for registry server.json', 'a file, without its server'],
          ['check --baseline known.json --demo', 'fail only on problems that are new'],
          ['check --config .mcp.json --all', 'every server of a config'],
          ['check --budget tokens=5000,tools=40 -- node s.js', 'a budget'],
        ],
        notes: [
          'Without --allow it calls no tool. It sends invalid JSON and the like, which a server must survive.',
          'Exit code 0: nothing from --fail-on on. 1: problems. 2: usage. 3: no connection.',
        ],
        docs: 'check',
        load: () => import('@/features/check/proxy/check/check'),
      },
      {
        name: 'test',
        summary: 'play pinned calls or recordings, and compare',
        usage: '[PINS|RECORDING|FOLDER…]',
        words: [0, Number.POSITIVE_INFINITY],
        server: 'required',
        options: [
          { name: 'pins', value: 'FILE', help: 'the pins file, if no file is named (mcp-inspect.pins.json)' },
          { name: 'update', help: 'accept what differs, after showing it' },
          { name: 'add', help: 'print the calls of recordings as a pins file; needs no server' },
          ...WATCH_OPTIONS,
          ...COMPARE_OPTIONS,
          { name: 'secret', value: 'DIGITS=VALUE', help: 'a value for [redacted:…:DIGITS] of a recording; repeatable' },
          ...MINIMISE_OPTIONS,
          ...CHOSEN_FILES,
          ...REPORT_OPTIONS,
          ...CLIENT_OPTIONS,
          ...SERVER_OPTIONS,
        ],
        examples: [
          ['test mcp-inspect.pins.json -- node s.js', 'pinned calls'],
          ['test a.mcpr.jsonl -- node server.js', 'repeat a recording'],
          ['test tests/ --report junit=out.xml -- node s.js', 'a folder'],
          ['test --watch -- node server.js', 'again after each save'],
          ['test --add a.mcpr.jsonl > mcp-inspect.pins.json', 'pin the calls of a recording'],
          ['test a.mcpr.jsonl --minimise -- node s.js', 'the fewest messages that still fail'],
        ],
        notes: ['Exit code 1: an answer differs, or nothing answers to a call any more.', TIMEOUT_NOTE],
        docs: 'pins',
        load: () => import('@/features/check/proxy/test/test'),
      },
      {
        name: 'diff',
        summary: 'compare two recordings, or servers',
        usage: 'A B | A SERVER | [PINS] -- SERVER ---',
        words: [0, 2],
        server: 'required',
        options: [
          { name: 'pins', value: 'FILE', help: 'the pins file for two servers (mcp-inspect.pins.json)' },
          {
            name: 'fail-on',
            value: 'WHAT',
            help: 'exit with 1 on: change (default), breaking, or tokens+10%; repeatable',
          },
          ...COMPARE_OPTIONS,
          ...RUNS_OPTIONS,
          ...STORE_OPTIONS,
          ...CLIENT_OPTIONS,
          ...SERVER_OPTIONS,
        ],
        examples: [
          ['diff old.mcpr.jsonl new.mcpr.jsonl', 'two recordings'],
          ['diff approved.mcpr.jsonl -- node s.js --port 1', 'lists of a recording and a server'],
          ['diff -- node old.js --- node new.js', 'two servers: lists and pinned calls'],
          ['diff --fail-on breaking,tokens+10% -- a --- b', 'a gate for releases'],
          ['diff -- node s.js --- --protocol 2025-06-18', 'one server in two versions'],
        ],
        notes: [
          'PINS is a pins file, by default mcp-inspect.pins.json. Without one, only lists are compared.',
          'The second side has the server and the options of the first, unless it gives others.',
          TIMEOUT_NOTE,
        ],
        docs: 'diff',
        load: () => import('@/features/check/proxy/diff/diff'),
      },
    ],
  },
  serve: () => import('./proxy/page-part'),
};
