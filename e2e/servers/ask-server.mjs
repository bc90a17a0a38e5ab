// A legacy server whose tools send a request to the client and return the text of the client's response. It is plain
// Node, so nothing changes that text.
//
//   node ask-server.mjs [FILE]     FILE: a `tools/list` result. Each tool's schema becomes one more form.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** Schemas of forms, as text, so that their digits reach the client unchanged. */
const FORMS = {
  kinds: `{"type":"object","properties":{"name":{"type":"string","title":"Name","default":"Bob"},"email":{"type":"string","format":"email"},"share":{"type":"number","minimum":0,"maximum":1,"default":0.50},"big":{"type":"integer","default":9007199254740993},"agreed":{"type":"boolean","default":true}},"required":["name","email"]}`,
  choices: `{"type":"object","properties":{"plain":{"type":"string","enum":["a","b"],"default":"a"},"titled":{"type":"string","oneOf":[{"const":"#f00","title":"Red"},{"const":"#0f0","title":"Green"}],"default":"#0f0"},"named":{"type":"string","enum":["x","y"],"enumNames":["Ex","Why"]},"many":{"type":"array","items":{"type":"string","enum":["p","q"]},"default":["p"]},"many_titled":{"type":"array","items":{"anyOf":[{"const":"r","title":"Are"},{"const":"s","title":"Ess"}]}}}}`,
  delivery: `{"type":"object","properties":{"name":{"type":"string","title":"Full name","minLength":2},"email":{"type":"string","title":"E-mail","format":"email"},"floor":{"type":"integer","title":"Floor"},"box":{"type":"string","title":"Box","enum":["s","m"]}},"required":["name","email","box"]}`,
  untyped: `{"type":"object","properties":{"range":{"oneOf":[{"const":"recent","title":"Recent"},{"const":"all","title":"All"}]}},"required":["range"]}`,
  nothing: '{"type":"object","properties":{}}',
  secret: '{"type":"object","properties":{"password":{"type":"string","title":"Password"}},"required":["password"]}',
};

/** A sampling request with a member of every kind. */
const RICH_SAMPLE = {
  systemPrompt: 'You are a harbour pilot. Answer in one sentence.',
  messages: [
    { role: 'user', content: { type: 'text', text: 'Can we enter the harbour tonight?' } },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look up the tide.' },
        { type: 'tool_use', id: 'call-1', name: 'tide', input: { port: 'Cuxhaven', hour: 22 } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', toolUseId: 'call-1', content: [{ type: 'text', text: 'High water at 22:40' }] },
        {
          type: 'image',
          mimeType: 'image/png',
          data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        },
      ],
    },
  ],
  tools: [{ name: 'tide', description: 'Returns the tide at an hour', inputSchema: { type: 'object' } }],
  toolChoice: { mode: 'auto' },
  maxTokens: 200,
  temperature: 0.2,
  stopSequences: ['END'],
  includeContext: 'thisServer',
  modelPreferences: { hints: [{ name: 'claude' }, { name: 'gpt' }], costPriority: 0.3, intelligencePriority: 0.9 },
  metadata: { trace: 't-1' },
};

const [, , file] = process.argv;
for (const { name, inputSchema } of file ? JSON.parse(readFileSync(file, 'utf8')).tools : []) {
  FORMS[name] = JSON.stringify(inputSchema);
}

let asked = 0;
/** Id of the call of `hold` that waits. */
let held;
/** Handlers of the client's responses, by the id of our request. */
const waiting = new Map();

const write = (line) => process.stdout.write(`${line}\n`);
const reply = (id, text) =>
  write(
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":${JSON.stringify(text)}}]}}`,
  );

/** Sends a request to the client, and answers the call with the client's response. */
function ask(call, method, params) {
  const id = `ask-${++asked}`;
  waiting.set(id, (line) => reply(call, line));
  write(`{"jsonrpc":"2.0","id":"${id}","method":"${method}"${params === undefined ? '' : `,"params":${params}`}}`);
  return id;
}

const URL_PARAMS = (url) =>
  `{"mode":"url","message":"Please go there.","url":${JSON.stringify(url)},"elicitationId":"e-1"}`;

const TOOLS = {
  ...Object.fromEntries(
    Object.entries(FORMS).map(([name, schema]) => [
      name,
      (call) => ask(call, 'elicitation/create', `{"message":"Please fill in ${name}.","requestedSchema":${schema}}`),
    ]),
  ),
  url: (call) => ask(call, 'elicitation/create', URL_PARAMS('https://login.example.test/a/b?state=1#x')),
  'url-trap': (call) => ask(call, 'elicitation/create', URL_PARAMS('https://bank.test@evil.test/\u202elogin')),
  done: (call) => {
    write('{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e-1"}}');
    reply(call, 'told');
  },
  sample: (call) =>
    ask(
      call,
      'sampling/createMessage',
      '{"messages":[{"role":"user","content":{"type":"text","text":"Say something."}}],"systemPrompt":"Be brief.","maxTokens":100,"modelPreferences":{"hints":[{"name":"any"}]}}',
    ),
  'sample-rich': (call) => ask(call, 'sampling/createMessage', JSON.stringify(RICH_SAMPLE)),
  roots: (call) => ask(call, 'roots/list'),
  withdraw: (call) => {
    const id = ask(call, 'elicitation/create', `{"message":"Never mind.","requestedSchema":${FORMS.nothing}}`);
    write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"${id}","reason":"no need"}}`);
    waiting.delete(id);
    reply(call, 'withdrawn');
  },
  // Asks when `release` is called.
  hold: (call) => {
    held = call;
  },
  release: (call) => {
    TOOLS.kinds(held);
    reply(call, 'released');
  },
  flood: (call) => {
    let refused = 0;
    for (let n = 0; n < 50; n++) {
      const id = `flood-${n}`;
      waiting.set(id, (line) => {
        if (line.includes('"error"')) refused++;
        if (refused === 30 && n === 49) reply(call, `${refused} were refused`);
      });
      write(
        `{"jsonrpc":"2.0","id":"${id}","method":"elicitation/create","params":{"message":"${n}","requestedSchema":${FORMS.nothing}}}`,
      );
    }
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === undefined) {
    waiting.get(id)?.(line);
    waiting.delete(id);
    return;
  }
  if (id === undefined) return;
  if (method === 'tools/call' && Object.hasOwn(TOOLS, params.name)) {
    TOOLS[params.name](id);
    return;
  }
  const answer = {
    initialize: () =>
      '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"ask","version":"1"}}',
    'tools/list': () =>
      `"result":{"tools":[${Object.keys(TOOLS).map((name) => `{"name":${JSON.stringify(name)},"inputSchema":{"type":"object"}}`)}]}`,
    ping: () => '"result":{}',
  }[method];
  write(
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${answer?.() ?? '"error":{"code":-32601,"message":"no such method"}'}}`,
  );
});
