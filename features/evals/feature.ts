import { MODEL_OPTIONS } from '@/features/chat/proxy/command-options';
import { JUNIT_OPTION, STORE_OPTIONS } from '@/proxy/cli/options';
import type { Feature } from '../feature';

/** Measures whether models pick the right tools. */
export const evals: Feature = {
  name: 'evals',
  commands: {
    model: [
      {
        name: 'eval',
        summary: 'measure whether a model picks the right tools',
        usage: '[CASES…]',
        words: [0, Number.POSITIVE_INFINITY],
        options: [
          ...MODEL_OPTIONS,
          {
            name: 'config',
            value: 'FILE',
            help: 'read servers from this file, not from the one that the cases name',
          },
          { name: 'input', value: 'NAME=VALUE', help: 'answer an input of the config; repeatable' },
          { name: 'protocol', value: 'VERSION', help: 'auto (default), or a version to use without probing' },
          { name: 'times', value: 'N', help: 'run each case N times (default 1)' },
          { name: 'jobs', value: 'N', help: 'N runs at a time (default 2)' },
          { name: 'json', help: 'print the report as one line of JSON' },
          JUNIT_OPTION,
          { name: 'out', value: 'FOLDER', help: 'record each chat and each server in this new or empty folder' },
          { name: 'record', value: 'off', help: 'keep no results, so that this eval can’t be resumed' },
          { name: 'baseline', value: 'FILE', help: 'compare with this file, the --json of an earlier run' },
          { name: 'resume', value: 'ID', help: 'make the runs of a stopped eval that are missing' },
          { name: 'answers', value: 'FILE', help: 'answer what servers ask from this JSON file' },
          { name: 'allow-link-local', help: 'allow URLs with link-local addresses and cloud metadata' },
          ...STORE_OPTIONS,
        ],
        examples: [
          ['eval cases.yaml --model ollama:mistral-small --times 5', 'each case five times'],
          ['eval cases.yaml --allow read-only --report junit=out.xml', 'call tools that declare it'],
          ['eval cases.yaml --baseline before.json', 'compare with an earlier run'],
        ],
        notes: [
          'A cases file may name its config and models. It starts the servers of that config.',
          'Calls that --allow does not name are refused; the report lists them.',
          'Exit code 0: all runs passed. 1: a run failed, or could not be made. 2: usage.',
          '3: no run had its servers. 130: Ctrl-C stopped it.',
        ],
        docs: 'evals',
        load: () => import('./proxy/command/eval'),
      },
    ],
  },
  serve: () => import('./proxy/page-part'),
};
