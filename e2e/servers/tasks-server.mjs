// A server with tasks in both shapes, written by hand because the SDK serves neither.
//
//   node tasks-server.mjs legacy    2025-11-25: `params.task`, tasks/get, tasks/result, tasks/list, tasks/cancel
//   node tasks-server.mjs modern    2026-07-28: the extension io.modelcontextprotocol/tasks
//
// With `http` as the second argument it listens on 127.0.0.1 at $PORT instead of using stdio.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const EXTENSION = 'io.modelcontextprotocol/tasks';
const META = 'io.modelcontextprotocol/';
const VERSIONS = { legacy: '2025-11-25', modern: '2026-07-28' };

const mode = process.argv[2];
if (!Object.hasOwn(VERSIONS, mode)) {
  process.stderr.write('tasks-server: the mode must be legacy or modern\n');
  process.exit(2);
}
const isModern = mode === 'modern';
const version = VERSIONS[mode];

/** Milliseconds between two polls. Short, so that tests are quick. */
const POLL_MS = 150;
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const complete = (result) => (isModern ? { resultType: 'complete', ...result } : result);

const QUESTION = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Which colour?',
    requestedSchema: { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] },
  },
};

/** The tools. `run` starts the work of a task: `task.end` ends it, and `task.ask` requires input. */
const TOOLS = {
  quick: {
    description: 'Completes after a few steps.',
    support: 'optional',
    run(task, { steps = 3 }) {
      let step = 0;
      const next = () => {
        if (task.over) return;
        if (++step > steps) return task.end('completed', { result: text(`done in ${steps} steps`) });
        task.report(`step ${step} of ${steps}`);
        setTimeout(next, POLL_MS);
      };
      next();
    },
  },
  ask: {
    description: 'Requires input before it completes.',
    support: 'required',
    run: (task) => task.ask((answer) => task.end('completed', { result: text(`answer: ${JSON.stringify(answer)}`) })),
  },
  fail: {
    description: 'Fails with an error.',
    support: 'optional',
    run: (task) => setTimeout(() => task.end('failed', { error: { code: -32050, message: 'The oven is broken' } }), 50),
  },
  'tool-error': {
    description: 'Completes with a result that is an error of the tool.',
    support: 'optional',
    run: (task) => setTimeout(() => task.end('completed', { result: { ...text('burnt'), isError: true } }), 50),
  },
  forever: { description: 'Runs until it is cancelled.', support: 'optional', run: (task) => task.report('baking') },
  stubborn: {
    description: 'Acknowledges a cancellation, and goes on.',
    support: 'optional',
    ignoresCancel: true,
    run: (task) => task.report('baking'),
  },
  expire: {
    description: 'Is forgotten before it ends.',
    support: 'optional',
    ttl: 400,
    run: (task) => setTimeout(() => tasks.delete(task.taskId), 400),
  },
  plain: { description: 'Never runs as a task.', support: 'forbidden' },
};

/** @type {Map<string, Task>} */
const tasks = new Map();
let newest = 0;

class Task {
  status = 'working';
  over = false;
  outcome = {};
  createdAt = new Date().toISOString();
  lastUpdatedAt = this.createdAt;
  waiting = [];

  constructor(tool, ttl) {
    this.taskId = `task-${++newest}`;
    this.tool = tool;
    this.ttl = TOOLS[tool].ttl ?? ttl ?? null;
    tasks.set(this.taskId, this);
  }

  get shown() {
    const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttl } = this;
    const terms = isModern ? { ttlMs: ttl, pollIntervalMs: POLL_MS } : { ttl, pollInterval: POLL_MS };
    return { taskId, status, ...(statusMessage && { statusMessage }), createdAt, lastUpdatedAt, ...terms };
  }

  get detailed() {
    const inputs = this.status === 'input_required' && { inputRequests: { colour: QUESTION } };
    return { ...this.shown, ...inputs, ...this.outcome };
  }

  report(statusMessage) {
    this.set('working', statusMessage);
  }

  set(status, statusMessage) {
    Object.assign(this, { status, statusMessage, lastUpdatedAt: new Date().toISOString() });
    for (const listener of listeners) listener(this);
  }

  ask(onAnswer) {
    this.onAnswer = onAnswer;
    this.set('input_required', 'waiting for a colour');
  }

  answer(value) {
    if (this.status !== 'input_required') return;
    this.report('thinking');
    this.onAnswer(value);
  }

  end(status, outcome = {}) {
    if (this.over) return;
    this.over = true;
    this.outcome = outcome;
    this.set(status, status === 'cancelled' ? 'cancelled by the client' : undefined);
    for (const wake of this.waiting.splice(0)) wake();
  }
}

/** Called with each task that changes. */
const listeners = new Set();
/** Our requests to a legacy client, by id. */
const asked = new Map();

const related = (taskId) => ({ _meta: { [`${META}related-task`]: { taskId } } });
class Refusal extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

function find(params) {
  const task = tasks.get(params?.taskId);
  if (!task) throw new Refusal(-32602, `Failed to retrieve task: ${params?.taskId} not found`);
  return task;
}

const cacheable = { ttlMs: 0, cacheScope: 'private' };

/** Handlers by method. `send` writes to the client, on the stream of the request. */
const METHODS = {
  initialize: () => ({
    protocolVersion: version,
    capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
    serverInfo: { name: 'tasks-fixture', version: '1.0.0' },
  }),
  'server/discover': () => ({
    supportedVersions: [version],
    capabilities: { tools: {}, extensions: { [EXTENSION]: {} } },
    _meta: { [`${META}serverInfo`]: { name: 'tasks-fixture', version: '1.0.0' } },
    ...cacheable,
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: Object.entries(TOOLS).map(([name, { description, support }]) => ({
      name,
      description,
      inputSchema: { type: 'object', properties: name === 'quick' ? { steps: { type: 'integer' } } : {} },
      ...(!isModern && { execution: { taskSupport: support } }),
    })),
    ...(isModern && cacheable),
  }),
  'tools/call'({ name, arguments: given = {}, task: wish, _meta = {} }) {
    const tool = TOOLS[name];
    if (!tool) throw new Refusal(-32602, `Unknown tool: ${name}`);
    const declared = _meta[`${META}clientCapabilities`]?.extensions?.[EXTENSION];
    const asTask = isModern ? declared !== undefined && tool.run : wish !== undefined;
    if (asTask && !tool.run) throw new Refusal(-32601, `Tool ${name} does not support task augmentation`);
    if (!asTask && tool.support === 'required') throw new Refusal(-32601, `Tool ${name} requires a task`);
    if (!asTask) return text('ran without a task');
    const task = new Task(name, wish?.ttl ?? 60_000);
    setImmediate(() => tool.run(task, given));
    return isModern ? { ...task.shown, resultType: 'task' } : { task: task.shown };
  },
  'tasks/get': (params) => (isModern ? find(params).detailed : find(params).shown),
  'tasks/list': () => ({ tasks: [...tasks.values()].map(({ shown }) => shown) }),
  'tasks/cancel'(params) {
    const task = find(params);
    if (task.over && !isModern) throw new Refusal(-32602, `Cannot cancel task: already ${task.status}`);
    if (!TOOLS[task.tool].ignoresCancel) task.end('cancelled');
    return isModern ? {} : task.shown;
  },
  'tasks/update'(params) {
    find(params).answer(params.inputResponses?.colour);
    return {};
  },
  async 'tasks/result'(params, { send }) {
    const task = find(params);
    const ask = () => {
      if (task.status !== 'input_required' || task.askedId) return;
      task.askedId = `ask-${task.taskId}`;
      asked.set(task.askedId, (result) => task.answer(result));
      const { method, params: question } = QUESTION;
      send({ jsonrpc: '2.0', id: task.askedId, method, params: { ...question, ...related(task.taskId) } });
    };
    listeners.add(ask);
    ask();
    if (!task.over) await new Promise((resolve) => task.waiting.push(resolve));
    listeners.delete(ask);
    const { result, error } = task.outcome;
    if (error) throw new Refusal(error.code, error.message);
    if (!result) throw new Refusal(-32602, `The task was ${task.status}`);
    return { ...result, ...related(task.taskId) };
  },
  'subscriptions/listen'({ notifications: { taskIds = [] } }, { id, send, onClose }) {
    const meta = { _meta: { [`${META}subscriptionId`]: id } };
    const notify = (method, params) => send({ jsonrpc: '2.0', method, params: { ...params, ...meta } });
    notify('notifications/subscriptions/acknowledged', { notifications: { taskIds } });
    const tell = (task) => {
      if (taskIds.includes(task.taskId)) notify('notifications/tasks', task.detailed);
    };
    listeners.add(tell);
    return new Promise((resolve) => {
      onClose(() => {
        listeners.delete(tell);
        resolve(undefined);
      });
    });
  },
};

/** Answers a message. Resolves when nothing more is sent for it. */
async function handle(message, { send, onClose }) {
  const { id, method, params = {} } = message;
  if (method === undefined) {
    asked.get(id)?.(message.result);
    asked.delete(id);
  }
  if (method === undefined || id === undefined) return;
  const isMissing = isModern ? method === 'tasks/list' || method === 'tasks/result' : method === 'server/discover';
  try {
    if (!Object.hasOwn(METHODS, method) || isMissing) throw new Refusal(-32601, `Method not found: ${method}`);
    const result = await METHODS[method](params, { id, send, onClose });
    if (result !== undefined) send({ jsonrpc: '2.0', id, result: result.resultType ? result : complete(result) });
  } catch (error) {
    send({ jsonrpc: '2.0', id, error: { code: error.code ?? -32603, message: error.message } });
  }
}

function serveStdio() {
  const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
  const closers = new Map();
  if (!isModern) {
    listeners.add((task) => send({ jsonrpc: '2.0', method: 'notifications/tasks/status', params: task.shown }));
  }
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.method === 'notifications/cancelled') closers.get(message.params.requestId)?.();
    void handle(message, { send, onClose: (close) => closers.set(message.id, close) });
  });
}

/** Every request is answered on an event stream of its own. */
function serveHttp() {
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const message = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (message.id === undefined || message.method === undefined) {
      await handle(message, { send: () => {}, onClose: () => {} });
      return response.writeHead(202).end();
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (sent) => response.write(`event: message\ndata: ${JSON.stringify(sent)}\n\n`);
    await handle(message, { send, onClose: (close) => response.on('close', close) });
    response.end();
  });
  server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
    process.stderr.write(`listening on http://127.0.0.1:${server.address().port}/mcp\n`);
  });
}

if (process.argv[3] === 'http') serveHttp();
else serveStdio();
