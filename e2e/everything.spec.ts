import { join } from 'node:path';
import { expect } from './bin';
import { serversInstalled, test as withServers } from './http-servers';
import { Workbench } from './workbench';

const EVERYTHING = join(
  import.meta.dirname,
  'servers/node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);

const test = withServers.extend<{ bench: Workbench }>({
  bench: async ({ open }, use) => {
    const { page } = await open(['--', process.execPath, EVERYTHING, 'stdio']);
    const bench = new Workbench(page);
    await bench.connected();
    await use(bench);
  },
});
test.skip(!serversInstalled, 'needs the real servers: run `npm ci` in e2e/servers');

type Tool = readonly [name: string, fields: Readonly<Record<string, string>>, says: RegExp];

/** Every tool of server-everything, what is typed into its form, and what its result says. */
const TOOLS: readonly Tool[] = [
  ['echo', { message: 'Hello' }, /Echo: Hello/],
  ['get-annotated-message', {}, /Error: Operation failed/],
  ['get-env', {}, /PATH/],
  ['get-resource-links', { count: '2' }, /resource links/],
  ['get-resource-reference', {}, /resource/],
  ['get-structured-content', {}, /temperature/],
  ['get-sum', { a: '1', b: '2.5' }, /3\.5/],
  ['get-tiny-image', {}, /image/],
  // Without a file of the net.
  ['gzip-file-as-resource', { data: 'data:text/plain,hello' }, /README\.md\.gz/],
  ['toggle-simulated-logging', {}, /logging/],
  ['toggle-subscriber-updates', {}, /update/],
  ['trigger-long-running-operation', { duration: '1', steps: '2' }, /completed/],
  ['get-roots-list', {}, /roots/],
  ['trigger-elicitation-request', {}, /✅|provided/],
  ['trigger-url-elicitation', { url: 'https://example.test/go' }, /elicitation|accept/i],
  ['trigger-sampling-request', { prompt: 'Say hi' }, /Hi there/],
  ['simulate-research-query', { topic: 'bees' }, /bees/],
  ['trigger-sampling-request-async', { prompt: 'Say hi' }, /Hi there/],
  ['trigger-elicitation-request-async', {}, /completed|provided|✅/i],
];

/** Calls a tool, answers what it asks, and waits for its end. */
async function callToItsEnd(bench: Workbench, [name, fields, says]: Tool): Promise<void> {
  await bench.tool(name);
  if (name === 'get-annotated-message') await bench.choice('messageType').selectOption({ index: 1 });
  if (name === 'get-structured-content') await bench.choice('location').selectOption({ index: 1 });
  for (const [field, text] of Object.entries(fields)) await bench.field(field).fill(text);
  await bench.call();
  const ended = bench.outcome.filter({ hasText: /^\W*(?:ok|tool error)/ });
  const reply = bench.field('Reply');
  const asks = bench.button('Accept').or(reply).first();
  const required = bench.field('String').or(bench.field('Your Name'));
  await expect(ended.or(asks).first()).toBeVisible({ timeout: 20_000 });
  if (await asks.isVisible()) {
    if (await reply.isVisible()) {
      await reply.fill('Hi there');
      await bench.button('Send reply').click();
    } else {
      if (await required.isVisible()) await required.fill('Ada');
      await bench.button('Accept').click();
    }
  }
  await expect(ended).toBeVisible({ timeout: 30_000 });
  await expect(bench.result).toContainText(says);
  await bench.panel('Problems');
  const problems = bench.view;
  await expect(problems.getByRole('status')).toContainText('frames checked');
}

/** Tools that are called in one page. */
const AT_ONCE = 5;

for (let from = 0; from < TOOLS.length; from += AT_ONCE) {
  const tools = TOOLS.slice(from, from + AT_ONCE);
  test(`everything: ${tools.map(([name]) => name).join(', ')} are called to their ends`, async ({ bench }) => {
    test.setTimeout(180_000);
    for (const tool of tools) await test.step(tool[0], () => callToItsEnd(bench, tool));
  });
}

test('everything: it lists all 19 tools, and every resource, template and prompt can be asked for', async ({
  bench,
}) => {
  const { page } = bench;
  await expect(bench.entryGroup('Tools')).toContainText(String(TOOLS.length));
  await expect(bench.entryGroup('Resources')).toContainText('9');
  await bench.panel('Resources');
  for (const name of [
    'architecture',
    'extension',
    'features',
    'how-it-works',
    'instructions',
    'startup',
    'structure',
  ]) {
    await bench.choose(`${name}.md`);
    await expect(bench.outcome).toContainText('ok');
  }
  for (const kind of ['Text', 'Blob']) {
    await bench.choose(`Dynamic ${kind} Resource`);
    await bench.field('resourceId').fill('7');
    await page.keyboard.press('Escape');
    await bench.button('Read resource').click();
    await expect(bench.outcome).toContainText('ok');
  }
  await bench.panel('Prompts');
  const prompts: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['simple-prompt', {}],
    ['args-prompt', { city: 'Oslo', state: 'x' }],
    ['completable-prompt', { department: 'Engineering', name: 'Alice' }],
    ['resource-prompt', { resourceType: 'Text', resourceId: '1' }],
  ];
  for (const [name, fields] of prompts) {
    await bench.choose(name);
    for (const [field, text] of Object.entries(fields)) {
      await bench.field(field).fill(text);
      await page.keyboard.press('Escape');
    }
    await bench.button('Get prompt').click();
    await expect(bench.outcome).toContainText('ok');
  }
});

test('everything: every log level is set and obeyed', async ({ bench }) => {
  await bench.panel('Server logs beside all messages');
  const levels = ['emergency', 'alert', 'critical', 'error', 'warning', 'notice', 'info', 'debug'];
  await bench.filter('method:logging/setLevel');
  for (const [at, level] of levels.entries()) {
    await bench.choice('Log level').selectOption(level);
    await expect.poll(() => bench.count()).toBe(2 * (at + 1));
  }
  await expect(bench.rows.last()).toContainText('result');
});
