// A recording with telemetry that is hard to show: many spans, deep nesting, missing parents, long names, wrong clocks.

const AT = '2026-11-26T12:00:00.000Z';
const START_NANO = BigInt(Date.parse(AT)) * 1_000_000n;

type Attributes = Readonly<Record<string, string | number>>;

/** A span. Times are in ms since the connection started. */
interface Span {
  readonly trace: string;
  readonly id: string;
  readonly parent?: string;
  readonly name: string;
  readonly service?: string;
  readonly kind?: number;
  readonly from: number;
  readonly ms: number;
  readonly attributes?: Attributes;
  readonly failure?: string;
  readonly events?: readonly object[];
  readonly links?: readonly object[];
}

const nano = (ms: number) => String(START_NANO + BigInt(Math.round(ms * 1e6)));
const attributesOf = (values: Attributes) =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));

/** Writes the lines of a recording. */
class Writer {
  readonly lines: string[] = [];
  #ids = 0;
  #traces = 0;
  #n = 0;

  frame(ms: number, c: string, d: '<' | '>', m: object): void {
    this.lines.push(JSON.stringify({ n: ++this.#n, t: Math.round(ms * 1000), c, d, m }));
  }

  /** Returns a new span id. */
  id(): string {
    return (++this.#ids).toString(16).padStart(16, '0');
  }

  trace(): string {
    return (++this.#traces).toString(16).padStart(32, 'a');
  }

  /** Writes a call of a tool with its response. With a trace, it carries the span `id`. */
  call(tool: string, from: number, to: number, context?: { readonly trace: string; readonly id: string }): void {
    const id = `${tool} ${from}`;
    const _meta = context && { traceparent: `00-${context.trace}-${context.id}-01` };
    const params = { name: tool, arguments: { id: 'A-17' }, ...(_meta && { _meta }) };
    this.frame(from, 'protocol', '>', { jsonrpc: '2.0', id, method: 'tools/call', params });
    const content = [{ type: 'text', text: `${tool} is done` }];
    this.frame(to, 'protocol', '<', { jsonrpc: '2.0', id, result: { content } });
  }

  span(ms: number, { trace, id, parent, name, service = 'shop', kind = 1, from, ms: length, ...span }: Span): void {
    const { attributes, failure, events, links } = span;
    this.frame(ms, 'otel', '<', {
      service,
      of: `r-${service}`,
      scope: 'shop 1.0',
      span: {
        traceId: trace,
        spanId: id,
        ...(parent && { parentSpanId: parent }),
        name,
        kind,
        startTimeUnixNano: nano(from),
        endTimeUnixNano: nano(from + length),
        ...(attributes && { attributes: attributesOf(attributes) }),
        ...(events && { events }),
        ...(links && { links }),
        ...(failure && { status: { code: 2, message: failure } }),
      },
    });
  }

  log(ms: number, severityNumber: number, text: string, trace: string, id: string): void {
    const log = { timeUnixNano: nano(ms), severityNumber, body: { stringValue: text }, traceId: trace, spanId: id };
    this.frame(ms, 'otel', '<', { service: 'shop', of: 'r-shop', log });
  }
}

/** Returns the text of the recording. `slower`: factor of the duration of one of its spans. */
export function telemetryRecording({ id = 'telemetry', slower = 1 } = {}): string {
  const writer = new Writer();
  start(writer);
  checkout(writer, slower);
  search(writer);
  importing(writer);
  guessed(writer);
  skewed(writer);
  const header = { mcpr: 2, id, at: AT, by: 'mcp-inspect/1', mode: 'client', name: id, transport: 'stdio' };
  return `${[JSON.stringify(header), ...writer.lines].join('\n')}\n`;
}

function start(writer: Writer): void {
  const environment = { policy: 'allowlist', inherited: ['PATH'], added: [] };
  const about = { at: AT, name: 'shop', transport: 'stdio', command: 'node', args: ['shop.js'], cwd: '/srv' };
  writer.frame(0, 'lifecycle', '<', { event: 'start', ...about, environment, protocol: '2025-11-25' });
  const hello = { protocolVersion: '2025-11-25', capabilities: {} };
  const [clientInfo, serverInfo] = [
    { name: 'mcp-inspect', version: '1' },
    { name: 'shop', version: '3.1.0' },
  ];
  writer.frame(5, 'protocol', '>', { jsonrpc: '2.0', id: 1, method: 'initialize', params: { ...hello, clientInfo } });
  writer.frame(9, 'protocol', '<', { jsonrpc: '2.0', id: 1, result: { ...hello, serverInfo } });
  writer.frame(9, 'protocol', '>', { jsonrpc: '2.0', method: 'notifications/initialized' });
  writer.frame(9, 'lifecycle', '<', { event: 'open', era: 'legacy', version: '2025-11-25' });
  for (const service of ['shop', 'postgres', 'payments']) {
    const attributes = attributesOf({ 'service.name': service, 'host.name': `${service}-1` });
    writer.frame(10, 'otel', '<', { resource: `r-${service}`, attributes });
  }
}

/** A call through three services, with a failure that has a stack. */
function checkout(writer: Writer, slower: number): void {
  const [trace, id] = [writer.trace(), writer.id()];
  const [tool, query, select, post, charge, mail] = Array.from({ length: 6 }, () => writer.id());
  writer.call('checkout', 1000, 3000, { trace, id });
  const on = { trace, from: 1010, ms: 24 };
  writer.span(3001, { ...on, id: select!, parent: query!, name: 'SELECT carts', service: 'postgres', kind: 2 });
  writer.span(3002, {
    ...on,
    id: query!,
    parent: tool!,
    name: 'db.query',
    kind: 3,
    attributes: { 'db.query.text': 'SELECT * FROM carts' },
  });
  const charging = { trace, from: 1062, ms: 380 * slower, attributes: { amount: 42 } };
  writer.span(3003, {
    ...charging,
    id: charge!,
    parent: post!,
    name: 'POST /v1/charges',
    service: 'payments',
    kind: 2,
  });
  writer.span(3004, { trace, id: post!, parent: tool!, name: 'POST', kind: 3, from: 1050, ms: 1940 });
  const stack =
    'TimeoutError: SMTP\n    at Mailer.send (/srv/shop/mailer.js:41:11)\n    at async checkout (/srv/a.js:8:5)';
  const thrown = { 'exception.type': 'TimeoutError', 'exception.message': 'SMTP', 'exception.stacktrace': stack };
  writer.span(3005, {
    trace,
    id: mail!,
    parent: tool!,
    name: 'send receipt',
    from: 2990,
    ms: 5,
    failure: 'SMTP did not answer',
    events: [{ name: 'exception', timeUnixNano: nano(2994), attributes: attributesOf(thrown) }],
    links: [{ traceId: trace, spanId: charge! }],
  });
  writer.span(3006, { trace, id: tool!, parent: id, name: 'tools/call checkout', kind: 2, from: 1004, ms: 1992 });
  writer.log(3007, 13, 'SMTP is slow', trace, mail!);
  writer.log(3008, 17, 'Receipt of A-17 was not sent', trace, tool!);
}

/** 201 spans, with names that differ only at their end. */
function search(writer: Writer): void {
  const [trace, id, tool] = [writer.trace(), writer.id(), writer.id()];
  writer.call('search', 4000, 4900, { trace, id });
  writer.span(4901, { trace, id: tool, parent: id, name: 'tools/call search', kind: 2, from: 4003, ms: 890 });
  for (let at = 0; at < 200; at++) {
    const name = `GET https://catalogue.example.com/v2/products/${1000 + at}?expand=prices,stock`;
    const ms = 3 + ((at * 7919) % 37);
    writer.span(4902, { trace, id: writer.id(), parent: tool, name, kind: 3, from: 4010 + at * 4.2, ms });
  }
}

/** 60 levels, long names, and spans whose parents never came. */
function importing(writer: Writer): void {
  const [trace, id] = [writer.trace(), writer.id()];
  writer.call('import', 6000, 6800, { trace, id });
  let parent = id;
  for (let at = 0; at < 60; at++) {
    const own = writer.id();
    const name = at % 9 === 4 ? 'ImportPipeline.processVeryLongNamedStep.'.repeat(8).slice(0, 300) : `step ${at + 1}`;
    writer.span(6801, { trace, id: own, parent, name, from: 6002 + at * 4, ms: 790 - at * 8 });
    parent = own;
  }
  for (let at = 1; at <= 3; at++) {
    const from = 6300 + at * 50;
    writer.span(6802, { trace, id: writer.id(), parent: writer.id(), name: `orphan ${at}`, from, ms: 40 });
  }
}

/** A call without a trace. */
function guessed(writer: Writer): void {
  const trace = writer.trace();
  writer.call('guess', 9000, 9400);
  writer.span(9401, { trace, id: writer.id(), name: 'GET /health \u202eevil <b>x</b>', from: 9010, ms: 300 });
}

/** A server whose clock is 5.2 seconds behind. */
function skewed(writer: Writer): void {
  const [trace, id, tool] = [writer.trace(), writer.id(), writer.id()];
  writer.call('skewed', 11_000, 11_250, { trace, id });
  writer.span(11_260, { trace, id: tool, parent: id, name: 'handle', from: 5800, ms: 250 });
  writer.span(11_261, { trace, id: writer.id(), parent: tool, name: '', from: 5810, ms: 200 });
}
