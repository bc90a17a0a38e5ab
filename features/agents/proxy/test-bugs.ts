import { join } from 'node:path';
import { EXIT } from '@/proxy/cli/exit-code';
import type { CommandOutput } from '@/proxy/cli/output';
import { readClientOptions } from '@/proxy/commands/headless/client-options';
import {
  type CommandAction,
  type ConnectedServer,
  findLaunch,
  readServerRequest,
  runOn,
} from '@/proxy/commands/headless/on-server';
import { pagesOf } from '@/proxy/commands/headless/results';
import { requestOf } from '@/proxy/commands/test-command-line';

const SERVER = join(import.meta.dirname, 'fixtures/buggy-server.mjs');

/** A bug of buggy-server.mjs, a session that meets it, and what an agent has to learn of it. */
export interface SeededBug {
  readonly bug: string;
  /** Acts on the connected server. It has read the tools. */
  readonly meet: (server: ConnectedServer) => Promise<void>;
  /** Seconds that a request may take. Absent: 1. */
  readonly patience?: string;
  /** Code of the finding. */
  readonly code: string;
  /** Matches the text of an explanation that names the cause. */
  readonly cause: RegExp;
}

/** Calls a tool, and waits for how that ends. */
async function call(server: ConnectedServer, name: string, args: object, signal?: AbortSignal): Promise<void> {
  const params = JSON.stringify({ name, arguments: args });
  await server.connection.request('tools/call', params, () => {}, signal).catch(() => {});
}

async function listResources({ connection }: ConnectedServer): Promise<void> {
  for await (const _ of pagesOf(connection, 'resources/list')) {
    // The pages are in the recording.
  }
}

const addNote = (server: ConnectedServer) => call(server, 'add_note', { text: 'milk' });

export const SEEDED_BUGS: readonly SeededBug[] = [
  { bug: 'wrong-result-type', meet: addNote, code: 'field-type', cause: /content.*array/ },
  {
    bug: 'schema-mismatch',
    meet: (server) => call(server, 'count_notes', {}),
    code: 'output-mismatch',
    cause: /count.*integer/,
  },
  { bug: 'missing-content', meet: addNote, code: 'field-missing', cause: /content is missing/ },
  {
    bug: 'slow-call',
    patience: '10',
    async meet(server) {
      for (const query of ['a', 'b', 'c', 'milk']) await call(server, 'find_notes', { query });
    },
    code: 'slow',
    cause: /"query":"milk"[\s\S]*took long/,
  },
  {
    bug: 'crash-on-argument',
    async meet(server) {
      await addNote(server);
      await call(server, 'add_note', { text: '100 %' });
    },
    code: 'server-ended',
    cause: /URIError: URI malformed[\s\S]*"text":"100 %"|"text":"100 %"[\s\S]*URIError: URI malformed/,
  },
  { bug: 'stdout-noise', meet: addNote, code: 'stdout-junk', cause: /Listing 3 tools/ },
  { bug: 'id-as-text', meet: addNote, code: 'id-type-changed', cause: /Its id is the string/ },
  { bug: 'answers-twice', meet: addNote, code: 'second-answer', cause: /second response|answered before|already/i },
  { bug: 'cursor-loop', meet: listResources, code: 'cursor-loop', cause: /page-2/ },
  {
    bug: 'list-changed-silently',
    async meet({ connection }) {
      await connection.request('tools/list');
    },
    code: 'list-changed-silently',
    cause: /removed find_notes/,
  },
  { bug: 'error-swallowed', meet: addNote, code: 'error-as-success', cause: /EACCES[\s\S]*isError/ },
  { bug: 'wrong-mime', meet: addNote, code: 'mime-type-wrong', cause: /image\/png, the bytes are image\/jpeg/ },
  {
    bug: 'invalid-json',
    meet: addNote,
    code: 'stdout-junk',
    cause: /looks like its response|not valid JSON|Not a message/,
  },
  { bug: 'capability-missing', meet: addNote, code: 'notification-undeclared', cause: /logging/ },
  {
    bug: 'never-answers',
    async meet(server) {
      await addNote(server);
      await call(server, 'add_note', { text: 'a note that is somewhat longer' });
      await addNote(server);
    },
    code: 'request-timeout',
    cause: /somewhat longer[\s\S]*was ok with/,
  },
  { bug: 'progress-token-wrong', meet: addNote, code: 'progress-unknown-token', cause: /-note/ },
  { bug: 'progress-backwards', meet: addNote, code: 'progress-not-increasing', cause: /1 .*2|2 .*1/ },
  {
    bug: 'cursor-stale',
    meet: listResources,
    code: 'request-error',
    cause: /Unknown cursor[\s\S]*does not accept its own cursor/,
  },
  { bug: 'bad-utf-8', meet: addNote, code: 'invalid-utf8', cause: /UTF-8/ },
  { bug: 'env-missing', meet: addNote, code: 'server-exited', cause: /NOTES_TOKEN is not set/ },
  {
    bug: 'hangs-on-cancel',
    async meet(server) {
      const stop = new AbortController();
      const cancelled = call(server, 'find_notes', { query: 'milk' }, stop.signal);
      stop.abort();
      await cancelled;
      await addNote(server);
    },
    code: 'server-silent',
    cause: /notifications\/cancelled/,
  },
  { bug: 'secret-leaked', meet: addNote, code: 'secret-sent', cause: /looks like a secret/ },
  {
    bug: 'valid-refused',
    async meet(server) {
      await addNote(server);
      await call(server, 'add_note', { text: '' });
    },
    code: 'request-error',
    cause: /must not be blank[\s\S]*arguments fit the tool’s inputSchema/,
  },
  { bug: 'version-unknown', meet: addNote, code: 'version-unknown', cause: /2027-13-01/ },
];

const SILENT: CommandOutput = {
  json: true,
  width: undefined,
  printText: () => {},
  printLines: () => {},
  printExact: () => {},
  printNote: () => {},
  status: { show: () => {}, end: () => {} },
};

/** Records a session of a server with a bug in a new file. */
export async function recordBug(
  { bug, meet, patience = '3' }: Pick<SeededBug, 'bug' | 'meet' | 'patience'>,
  file: string,
): Promise<void> {
  const options = ['--record', file, '--protocol', '2025-11-25', '--request-timeout', patience];
  const request = requestOf('list', ...options, '--', process.execPath, SERVER, bug);
  const client = await readClientOptions(request.given);
  const server = { ...readServerRequest(request), client, isUnattended: true as const };
  const action: CommandAction = Object.assign(
    async (connected: ConnectedServer) => {
      await connected.connection.request('tools/list');
      await meet(connected);
      return EXIT.fine;
    },
    { connect: { out: SILENT } },
  );
  await runOn(await findLaunch(server.options, ''), action, server, '1', () => {});
}
