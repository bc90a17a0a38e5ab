import { demoCommand, expect } from './bin';
import { test } from './shared-bin';
import { Workbench } from './workbench';

test('problems appear on the tab, in the panel with advice, on the row and at the field', async ({ visit }) => {
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.panel('Problems');
  const panel = bench.view;
  await expect(panel.getByText('No problems', { exact: true })).toBeVisible();
  await expect(panel.getByRole('status')).toContainText('against 2026-07-28');

  await bench.panel('Tools');
  await bench.tool('read_old_barometer');
  await bench.call();
  await expect(bench.rail.getByRole('button', { name: 'Problems' })).toContainText('1');
  await bench.panel('Problems');
  const mismatch = panel.getByRole('region', { name: 'Structured result does not match outputSchema' });
  await expect(mismatch).toContainText('result.structuredContent.hpa');
  await bench.button('Next problem').click();
  await expect(page).toHaveURL(/at=%2Fresult%2FstructuredContent%2Fhpa/);
  await expect(bench.log.getByRole('row', { selected: true })).toContainText('read_old_barometer');
  await mismatch.getByRole('button', { name: 'read_old_barometer' }).click();
  await expect(page.getByRole('option', { name: /^read_old_barometer/ })).toContainText('! problem');
  await bench.panel('Problems');
  await expect(mismatch).toContainText('Change structuredContent to match outputSchema');
  await expect(mismatch.getByRole('link', { name: /^Specification/ })).toHaveAttribute(
    'href',
    'https://modelcontextprotocol.io/specification/2026-07-28/server/tools',
  );

  await mismatch.getByRole('button', { name: /^Frame #/ }).click();
  const name = bench.detail.getByText('hpa', { exact: true }).first();
  await expect(name).toHaveAttribute('title', /expected a number/);
  await bench.detailTab('Problems');
  await expect(bench.detail).toContainText('Structured result does not match outputSchema');
  await bench.detail.getByRole('button', { name: 'result.structuredContent.hpa' }).click();
  await expect(bench.tree.getByRole('treeitem', { selected: true })).toContainText('hpa');
  await expect(page).toHaveURL(/at=%2Fresult%2FstructuredContent%2Fhpa/);
  await bench.detailTab('Raw');
  await expect(bench.detail.locator('pre [title*="expected a number"]')).toContainText('"hpa"');
  await expect(bench.log.getByRole('row', { selected: true })).toContainText('error');

  await panel.getByRole('searchbox', { name: 'Filter problems' }).fill('no such thing');
  await expect(panel.getByText('No problems match the filter')).toBeVisible();
});

/** A server with a template without a name, and a resource and a prompt whose contents are missing. */
const INCOMPLETE = `
  const results = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { resources: {}, prompts: {} },
      serverInfo: { name: 'incomplete', version: '1' },
    },
    'resources/list': { resources: [{ uri: 'test://empty', name: 'empty' }] },
    'resources/templates/list': { resourceTemplates: [{ uriTemplate: 'test://{id}' }] },
    'resources/read': {},
    'prompts/list': { prompts: [{ name: 'silent' }] },
    'prompts/get': {},
  };
  require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const result = results[method];
    if (result) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
    else if (id !== undefined)
      console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }));
  });
`;

test('resources, templates and prompts with a problem are marked in the list', async ({ visit }) => {
  const { page } = await visit(['--protocol', '2025-11-25', '--', process.execPath, '-e', INCOMPLETE]);
  const bench = new Workbench(page);
  await bench.connected();
  await expect(page.getByRole('option', { name: /^test:\/\/\{id\}/ })).toContainText('! problem');
  await page.getByRole('option', { name: /^empty/ }).click();
  await expect(page.getByRole('option', { name: /^empty/ })).toContainText('! problem');
  await page.getByRole('option', { name: /^silent/ }).click();
  await bench.button('Get prompt').click();
  await expect(page.getByRole('option', { name: /^silent/ })).toContainText('! problem');
});

/** A server whose output schema takes forever to check its result. */
const SLOW = `
  const tool = { name: 'slow', inputSchema: { type: 'object' }, outputSchema: {
    type: 'object', properties: { s: { type: 'string', pattern: '^(a+)+$' } } } };
  const results = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'slow', version: '1' } },
    'tools/list': { tools: [tool] },
    'tools/call': { content: [], structuredContent: { s: 'a'.repeat(60) + '!' } },
  };
  require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const result = results[method];
    const answer = result ? { result } : { error: { code: -32601, message: 'no' } };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
`;

test('attack: a schema that takes forever stops only its own check, which is reported', async ({ visit }) => {
  const { page } = await visit(['--', process.execPath, '-e', SLOW]);
  const bench = new Workbench(page);
  await bench.connected();
  await bench.tool('slow');
  await bench.call();
  await bench.panel('Problems');
  const panel = bench.view;
  await expect(panel.getByRole('status')).toContainText('frames left');
  const slow = panel.getByRole('region', { name: 'outputSchema too slow to check' });
  await expect(slow).toContainText('checking a result against outputSchema took more than 5 s');
  await expect(panel.getByRole('status')).toContainText('frames checked');
  await bench.panel('Tools');
  await bench.call();
  await bench.panel('Problems');
  await expect(slow.getByRole('button', { name: /^Frame #/ })).toHaveCount(2);
  await expect(panel.getByRole('status')).toContainText('frames checked');
});
