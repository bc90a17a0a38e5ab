import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoCommand, expect, test } from './bin';
import { accessFaults } from './page-faults';
import { Workbench } from './workbench';

const CASES = `config: mcp.json
models: [scripted:good-rules.yaml, scripted:bad-rules.yaml]
repeat: 2
cases:
  - { name: echoes, prompt: Please echo it., expect: { tool: echo, arguments: { message: it } } }
`;
const RULES = `rules:
  - { when: { tool: echo }, say: Done. }
  - { when: { text: echo }, pieces: 1, delay: 20, say: Wait a moment for me, call: { tool: echo, arguments: { message: WORD } } }
`;

test('an eval: its plan, stop, resume, a failure with its chat and frame, a comparison, a case and a replay', async ({
  open,
}, { outputDir }) => {
  mkdirSync(outputDir, { recursive: true });
  const [command, ...args] = demoCommand();
  writeFileSync(join(outputDir, 'mcp.json'), JSON.stringify({ mcpServers: { demo: { command, args } } }));
  writeFileSync(join(outputDir, 'cases.yaml'), CASES);
  writeFileSync(join(outputDir, 'good-rules.yaml'), RULES.replace('WORD', 'it'));
  writeFileSync(join(outputDir, 'bad-rules.yaml'), RULES.replace('WORD', 'that'));
  const { page } = await open([], { cwd: outputDir });
  const bench = new Workbench(page);
  const evals = page.getByRole('region', { name: 'Evals' });

  await bench.command('Evals');
  await page.getByRole('combobox', { name: 'Cases' }).selectOption('cases.yaml');
  await expect(page.getByRole('region', { name: 'Servers that start' })).toContainText('server.mjs');
  await expect(evals).toContainText('4 runs with 2 models');
  expect(await accessFaults(page)).toEqual([]);

  await page.getByRole('combobox', { name: 'Calls' }).selectOption('all');
  await bench.button('Start').click();
  await bench.button('Stop').click();
  await bench.button('Resume').click();
  await expect(evals).toContainText('All runs are made: 4 of 4 runs');
  await expect(evals).toContainText('✓ 2 passed× 2 failed');
  await expect(page.getByRole('region', { name: 'Confusion matrix of scripted:bad-rules.yaml' })).toContainText('✓ 2');
  expect(await accessFaults(page)).toEqual([]);

  await bench.button('Open chat').first().click();
  await expect(page.getByRole('log', { name: 'Chat' })).toContainText('Please echo it.');
  await page.getByTitle('Open the recording of the server at the request').click();
  await expect(bench.detail).toContainText('"that"');
  await page.goBack();
  await page.goBack();
  await page.getByTitle('Show the request in its server’s log').first().click();
  await expect(bench.detail).toContainText('"that"');
  await page.goBack();
  await bench.button('Open chat').first().click();
  await expect(page.getByRole('log', { name: 'Chat' })).toContainText('Please echo it.');

  await bench.button('Replay').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
  await expect(bench.button('No differences')).toBeVisible();
  await bench.button('Make a case').click();
  await expect(page.getByRole('textbox', { name: 'Case as YAML' })).toHaveValue(
    /tool: echo\n {6}arguments: \{"message":"that"\}/,
  );
  await bench.button('Add to Evals').click();
  await expect(page.getByRole('textbox', { name: 'Text of the cases' })).toHaveValue(
    /^model: .*\ncases:\n {2}- name: Please echo it\./,
  );
});
