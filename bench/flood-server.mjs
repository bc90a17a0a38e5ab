// A minimal legacy MCP server for benchmarks. It answers `echo` at once. On `flood` it prints `count` lines of `size`
// bytes as fast as stdout accepts them. On `line` it answers with one line of over `bytes` bytes. Its arguments are
// the names of its tools:
//
// - `burst_N` prints N notifications before its result.
// - `live_N` prints 5,000 notifications per second for N seconds and returns the times at which it printed them.
// - `text_N` and `table_N` return N bytes of JSON, in a text or as structured content.
// - `note` takes a text and returns its name only.
const TOOLS = process.argv.slice(2);
const PER_SECOND = 5000;

let calls = 0;
let rest = '';
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) if (line) answer(JSON.parse(line));
});
process.stdin.on('end', () => process.exit(0));

function reply(id, result) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}

function answer({ id, method, params }) {
  if (method === 'initialize') {
    reply(id, {
      protocolVersion: params.protocolVersion,
      capabilities: TOOLS.length > 0 ? { tools: {}, logging: {} } : {},
      serverInfo: { name: 'flood', version: '1.0.0' },
    });
  } else if (method === 'flood') flood(params.count, params.size, () => reply(id, { count: params.count }));
  else if (method === 'echo') reply(id, params);
  else if (method === 'line') line(id, params.bytes);
  else if (method === 'tools/list') {
    const schema = (name) => ({ type: 'object', properties: name === 'note' ? { text: { type: 'string' } } : {} });
    reply(id, { tools: TOOLS.map((name) => ({ name, inputSchema: schema(name) })) });
  } else if (method === 'tools/call') call(id, params.name);
  else if (id !== undefined) {
    const error = { code: -32601, message: 'Method not found' };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
  }
}

/** Answers a call. The first text is the tool's name and the number of the call, so that no two are the same. */
function call(id, name) {
  const [kind, amount] = name.split('_');
  const n = Number(amount);
  const first = { type: 'text', text: `${name} call ${++calls}` };
  if (kind === 'note') reply(id, { content: [first] });
  else if (kind === 'burst') flood(n, 200, () => reply(id, { content: [first] }));
  else if (kind === 'live') {
    live(n, (printed) => reply(id, { content: [first], structuredContent: { printed } }));
  } else if (kind === 'text') reply(id, { content: [first, { type: 'text', text: JSON.stringify(rows(n)) }] });
  else reply(id, { content: [first], structuredContent: { rows: rows(n) } });
}

/** Returns a table whose JSON has about this many bytes. */
function rows(bytes) {
  const row = (at) => ({
    id: at,
    name: `Row ${at}`,
    tags: ['a', 'b'],
    price: at / 8,
    note: 'A description of this item.',
  });
  return Array.from({ length: Math.ceil(bytes / JSON.stringify(row(1e5)).length) }, (_, at) => row(at));
}

/**
 * Prints at a steady rate even if timers are late. Reports after each write how many messages were printed, and when
 * (Unix time in ms).
 */
function live(seconds, done) {
  const begin = performance.now();
  const printed = [];
  let n = 0;
  const timer = setInterval(() => {
    const due = Math.min(seconds * PER_SECOND, Math.floor(((performance.now() - begin) / 1000) * PER_SECOND));
    let text = '';
    while (n < due) text += `${JSON.stringify(notification(n++, 'x'.repeat(60)))}\n`;
    if (text !== '') {
      printed.push([n, performance.timeOrigin + performance.now()]);
      process.stdout.write(text);
    }
    if (n < seconds * PER_SECOND) return;
    clearInterval(timer);
    done(printed);
  }, 8);
}

function notification(n, data) {
  return {
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', logger: 'flood', data: { n, data } },
  };
}

/** Makes each message with JSON.stringify, like a real server, and collects writes up to 64 KiB. */
function flood(count, size, done) {
  const data = 'x'.repeat(Math.max(0, size - JSON.stringify(notification(1e9, '')).length - 1));
  let n = 0;
  const write = () => {
    while (n < count) {
      let text = '';
      while (n < count && text.length < 65_536) text += `${JSON.stringify(notification(1e9 + n++, data))}\n`;
      if (!process.stdout.write(text)) {
        process.stdout.once('drain', write);
        return;
      }
    }
    done();
  };
  write();
}

/** Prints one long response, in pieces. */
function line(id, bytes) {
  const piece = 'A sentence of a very long text. '.repeat(2048);
  let printed = 0;
  process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"text":"`);
  const write = () => {
    while (printed < bytes) {
      printed += piece.length;
      if (!process.stdout.write(piece)) {
        process.stdout.once('drain', write);
        return;
      }
    }
    process.stdout.write('"}}\n');
  };
  write();
}
