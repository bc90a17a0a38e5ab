import { isObject, own } from '@/lib/json/value';
import { taskFacts } from '@/lib/wire/task';
import { choiceOf } from '@/proxy/cli/choice';
import { EXIT, type ExitCode, ExitError, usageError } from '@/proxy/cli/exit-code';
import { printTaskReports } from './call/task-options';
import { type ConnectedServer, onServer } from './headless/on-server';
import { memberCell, type PrintedColumn, printList } from './headless/read-pages';
import { printResult, request, requireResult } from './headless/results';
import { indentJson, resultForPeople } from './shared/format-content';

/** Lists tasks, or asks about one. */
export const run = onServer(async ({ words: [word = '', id] }) => {
  const action = choiceOf('action', word, WORDS);
  if (action === 'list' && id !== undefined) throw usageError('`tasks list` takes no id: remove it, or write `get`.');
  if (action !== 'list' && id === undefined) throw usageError(`\`tasks ${action}\` needs the id of a task: add it.`);
  return (server) => (action === 'list' ? listTasks(server) : ACTIONS[action](server, id!));
});

/** Runs one action on a task. */
type TaskAction = (server: ConnectedServer, taskId: string) => Promise<ExitCode>;

const ACTIONS = {
  get: (server, taskId) => ask(server, 'tasks/get', taskId),
  cancel: (server, taskId) => ask(server, 'tasks/cancel', taskId),
  result: followToResult,
} as const satisfies Record<string, TaskAction>;

const WORDS = ['list', ...(Object.keys(ACTIONS) as readonly (keyof typeof ACTIONS)[])] as const;

/** Prints the response, which describes the task in 2025-11-25, and for `tasks/get` in every version. */
async function ask(server: ConnectedServer, method: string, taskId: string): Promise<ExitCode> {
  const answer = requireResult(await request(server, method, JSON.stringify({ taskId })));
  return printResult(answer, { method, params: undefined }, server, () => indentJson(answer.text));
}

/** Waits for the end of a task, and prints its result as that of a call. */
async function followToResult(server: ConnectedServer, taskId: string): Promise<ExitCode> {
  const { connection, out } = server;
  const { result } = requireResult(await request(server, 'tasks/get', JSON.stringify({ taskId })));
  if (!isObject(result) || taskFacts(result) === undefined) {
    throw new ExitError(EXIT.serverError, 'The response to tasks/get names no task and status.');
  }
  out.status.show('Waiting for the task… Ctrl-C stops waiting');
  const following = connection.followTask(result, printTaskReports(out));
  const answer = requireResult(await following.finally(() => out.status.end()));
  const asked = { method: 'tools/call', params: undefined };
  return printResult(answer, asked, server, () => resultForPeople(answer.result, answer.text));
}

const COLUMNS: readonly PrintedColumn[] = [
  ['TASK', memberCell('taskId')],
  ['STATUS', memberCell('status')],
  ['CREATED', memberCell('createdAt')],
  ['TTL MS', (task) => (own(task, 'ttl') === null ? 'none' : memberCell('ttl', 'number')(task))],
  ['POLL MS', memberCell('pollInterval', 'number')],
  ['MESSAGE', memberCell('statusMessage')],
];

async function listTasks(server: ConnectedServer): Promise<ExitCode> {
  const { negotiated } = server;
  if (negotiated?.era === 'modern') {
    throw usageError(`MCP ${negotiated.version} can’t list tasks: ask for one, as in \`tasks get ID\`.`);
  }
  return printList(server, { method: 'tasks/list', items: 'tasks', columns: COLUMNS, word: 'tasks' });
}
