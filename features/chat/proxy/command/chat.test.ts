import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '@/proxy/cli/exit-code';
import { testFolder } from '@/proxy/commands/test-folder';
import { requireShape } from '@/proxy/commands/test-output-shape';
import { chatInTerminal } from './chat';
import { replayRecording } from './replay-chat';
import { LEAKY_SERVER, ROOT, runKept, TWO_SERVERS, writeLeakyServer } from './test-chat-command';

const folder = testFolder({
  'rules.yaml': `
rules:
  - when: { text: both }
    call:
      - { tool: look_out }
      - { tool: next_high_water, arguments: { port: Stromness, after: '13:00' } }
  - when: { tool: next_high_water }
    say: '{{results.look_out}} {{results.next_high_water}}'
${['row_in_gale', 'drop_lens', 'fall_into_sea', 'wait_for_ship']
  .map((tool) => `  - { when: { text: ${tool} }, call: { tool: ${tool} } }`)
  .join('\n')}
  - when: { text: book }
    call: { tool: book_berth, arguments: { port: Lerwick, ship: Solan } }
  - when: { tool: book_berth }
    say: 'So: {{result}}'
  - when: { text: resource }
    say: I read it.
  - when: { text: again }
    fail: { kind: overloaded, times: 1, retryAfterMs: 1 }
    say: Now it works.
  - when: { text: fail }
    fail: unauthorized
  - when: { text: what was, turn: 2 }
    say: It was your second question.
  - when: { text: evil }
    say: "\\u001b[31mred\\u0007"
  - when: { tool: show_env }
    call: { tool: ask }
  - when: { tool: ask }
    say: 'I got {{result}}.'
  - when: { text: leak }
    call: { tool: show_env }
  - when: { error: true }
    say: 'It failed: {{result}}'
`,
});
const MODEL = ['--model', `scripted:${join(folder, 'rules.yaml')}`];
const BOTH = ['--config', TWO_SERVERS];

async function ask(question: string, ...more: string[]) {
  const answered = await runKept(chatInTerminal, ['chat', ...MODEL, question, '--json', ...more]);
  requireShape('chat', answered.stdout);
  return answered;
}

describe('one question', () => {
  test('that needs two servers of different eras gets an answer', async () => {
    const record = join(folder, 'both.mcpr.jsonl');
    const { code, stdout } = await ask('Use both.', '--allow', 'read-only', '--record', record, ...BOTH);
    const printed = JSON.parse(stdout);
    expect(code).toBe(EXIT.fine);
    expect(printed).toMatchObject({
      answer: 'Our beam, the sea, and rain. High water in Stromness is at 14:45.',
      reason: 'stop',
      refused: [],
      calls: [
        { server: 'lighthouse', tool: 'look_out', arguments: {}, state: 'done', by: 'rule', isError: false },
        { server: 'tides', tool: 'next_high_water', arguments: { port: 'Stromness', after: '13:00' }, state: 'done' },
      ],
    });
    expect(printed.tokens.estimated).toBeGreaterThan(1000);
    // The chat names the frames of the connections that are recorded beside it.
    for (const { server, tool, connection, frame } of printed.calls) {
      const [header, ...lines] = readFileSync(record.replace('.mcpr', `-${server}.mcpr`), 'utf8').split('\n');
      expect(JSON.parse(header!).id).toBe(connection);
      expect(JSON.parse(lines.find((line) => line.startsWith(`{"n":${frame},`))!).m.params.name).toBe(tool);
    }
    expect(readFileSync(record, 'utf8')).toContain('"c":"model"');
  });

  test('tells apart servers of the same name', async () => {
    const named = ['--config', TWO_SERVERS, '--server', 'tides', '--server', 'tides'];
    const { stdout } = await ask('Please book.', '--allow', 'all', ...named);
    const tools: { server?: string }[] = JSON.parse(stdout).tokens.parts;
    expect([...new Set(tools.flatMap(({ server }) => server ?? []))]).toEqual(['tides', 'tides-2']);
  });

  test('calls nothing that is not allowed, and says so', async () => {
    const { code, stdout, notes } = await ask('Please book.', '--allow', 'read-only', ...BOTH);
    expect(code).toBe(EXIT.fine);
    expect(JSON.parse(stdout)).toMatchObject({
      answer: 'So: The call was refused: The tool tides__book_berth is not allowed.',
      refused: ['tides__book_berth'],
      calls: [{ state: 'refused', by: 'rule' }],
    });
    expect(JSON.parse(stdout).calls[0]).not.toHaveProperty('frame');
    expect(notes.join('\n')).toContain(
      'does not name it: `tides__book_berth`. Add `--allow tides__book_berth` or `--allow all`.',
    );
    const readOnly = await ask('Use both.', ...BOTH);
    expect(readOnly.notes.join('\n')).toMatch(/does not name them: .*, `--allow read-only` or `--allow all`\.$/m);
    const allowed = await ask('Please book.', '--allow', 'book_berth', ...BOTH);
    expect(JSON.parse(allowed.stdout).answer).toBe('So: A berth in Lerwick is booked for Solan.');
  });

  test.each(['row_in_gale', 'drop_lens', 'fall_into_sea'])('survives the tool %s', async (tool) => {
    const { code, stdout } = await ask(`Please call ${tool}.`, '--allow', 'all', '--demo');
    expect(code).toBe(EXIT.fine);
    expect(JSON.parse(stdout)).toMatchObject({ calls: [{ tool, state: 'failed', isError: true }] });
    expect(JSON.parse(stdout).answer).toContain('It failed: ');
  });

  test('survives a tool that never answers', async () => {
    const { code, stdout } = await ask(
      'Please call wait_for_ship.',
      '--allow',
      'all',
      '--model-option',
      'seconds=1',
      '--demo',
    );
    expect(code).toBe(EXIT.serverError);
    expect(JSON.parse(stdout)).toMatchObject({ reason: 'limit', failure: { code: 'too-slow' } });
  });

  test('reads the resources that it mentions', async () => {
    const record = join(folder, 'resource.mcpr.jsonl');
    await ask('The resource @light://lamp please.', '--record', record, '--demo');
    expect(readFileSync(record, 'utf8')).toContain('Resource light://lamp of demo:');
    const cut = join(folder, 'cut.mcpr.jsonl');
    const { notes } = await ask(
      'The resource @light://lamp please.',
      '--model-option',
      'resultChars=40',
      '--record',
      cut,
      '--demo',
    );
    expect(notes.join('\n')).toContain('Only the beginning was sent');
    expect(readFileSync(cut, 'utf8')).toContain('You see only its beginning, 40 characters at most.');
    const broken = ask('The resource @light://none please.', '--demo');
    await expect(broken).rejects.toThrow('Could not read `light://none` of demo');
  });

  test('reports a model that fails, and cleans its text', async () => {
    const failed = await ask('fail', ...BOTH);
    expect(failed.code).toBe(EXIT.serverError);
    expect(JSON.parse(failed.stdout)).toMatchObject({ reason: 'error', failure: { code: 'unauthorized' } });
    expect(failed.notes.join('\n')).toContain('The model refused the key. Enter another key.');
    const printed = await runKept(chatInTerminal, ['chat', ...MODEL, 'fail', ...BOTH]);
    expect(printed.stdout).toBe('');
    const { stdout } = await ask('evil', ...BOTH);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('\u0007');
  });

  test('says that a request is sent again', async () => {
    const { stdout, notes } = await ask('Once again.', '--demo');
    expect(JSON.parse(stdout).answer).toBe('Now it works.');
    expect(notes.join('\n')).toContain('The model is overloaded. Attempt 2 in 0 s.');
  });

  test('goes on with a recorded chat, without what that allows', async () => {
    const [first, second] = ['first', 'second'].map((name) => join(folder, `${name}.mcpr.jsonl`)) as [string, string];
    await ask('Use both.', '--allow', 'all', '--model-option', 'system=Be brief.', '--record', first, ...BOTH);
    const { code, stdout } = await ask('So what was that?', '--resume', first, '--record', second, ...BOTH);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: EXIT.fine, answer: 'It was your second question.' });
    const again = await runKept(replayRecording, ['chat', '--model', `recorded:${second}`]);
    expect(again).toMatchObject({ code: EXIT.fine, stdout: '2 answers replayed: the model would have seen the same.' });
    const settings = readFileSync(second, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"type":"settings"'));
    expect(settings).toHaveLength(2);
    expect(settings[1]).toContain('"system":"Be brief."');
    expect(settings[1]).toContain('"allow":{"mode":"ask"}');
    const unnamed = runKept(chatInTerminal, ['chat', '--resume', first, 'a', ...BOTH]);
    await expect(unnamed).rejects.toThrow('The recorded chat used `scripted:');
  });

  test('goes on without a server that does not start', async () => {
    const config = join(folder, 'broken.json');
    const { mcpServers } = JSON.parse(
      readFileSync(TWO_SERVERS, 'utf8').replaceAll('${workspaceFolder}', join(ROOT, 'examples/eval')),
    );
    writeFileSync(config, JSON.stringify({ mcpServers: { ...mcpServers, gone: { command: 'no-such-program' } } }));
    const { stdout, notes } = await ask('Use both.', '--allow', 'all', '--config', config);
    expect(JSON.parse(stdout)).toMatchObject({ reason: 'stop', failedServers: [{ name: 'gone' }] });
    expect(notes.join('\n')).toContain('gone: The command no-such-program was not found.');
  });

  test('records no secret of a server, nor does a replay', async () => {
    const { config, answers } = writeLeakyServer(folder);
    const record = join(folder, 'leak.mcpr.jsonl');
    const options = ['--config', config, '--answers', answers, '--allow', 'all'];
    const { stdout } = await ask('leak', '--record', record, ...options);
    expect(JSON.parse(stdout).answer).toBe('I got hunter3-canary-typed it was.');
    expect(readFileSync(record, 'utf8')).toContain('it was');
    const { notes } = await ask('leak', '--config', config, '--allow', 'all');
    expect(notes.join('\n')).toContain('leaky asked for elicitation/create, which nobody answers here.');
    const again = join(folder, 'leak-again.mcpr.jsonl');
    await runKept(replayRecording, ['chat', '--model', `recorded:${record}`, '--record', again, ...options]);
    expect(readFileSync(again, 'utf8')).toContain('it was');
    for (const file of [record, record.replace('.mcpr', '-leaky.mcpr'), again])
      expect([file, readFileSync(file, 'utf8').match(/canary/g)]).toEqual([file, null]);
  });

  test.each<[readonly string[], string]>([
    [['a', '--demo'], 'No model is named'],
    [['--model', 'nobody:x', 'a', '--demo'], 'The provider "nobody" is unknown'],
    [['--model', 'scripted:none.yaml', 'a', '--demo'], 'it does not exist'],
    [[...MODEL, '--demo'], 'A chat needs a terminal'],
    [[...MODEL, 'a', '--allow', 'look_oot', '--demo'], 'no server has this tool: did you mean `look_out`?'],
    [[...MODEL, 'a', '--allow', 'zzz', '--demo'], '`mcp-inspect list tools`'],
    [[...MODEL, 'a', '--model-option', 'url=http://127.0.0.1:9', '--demo'], 'a script has none'],
    [[...MODEL, '--json', '--demo'], '`--json` prints one answer'],
    [[...MODEL, 'a', '--allow', 'x,', '--demo'], '`--allow` has an empty name'],
    [
      [...MODEL, 'a', '--model-option', 'cals=2', '--demo'],
      '`--model-option` has no key `cals`: did you mean `calls`?',
    ],
    [[...MODEL, 'a', '--model-option', 'temperature=3', '--demo'], 'give a number from 0 to 2'],
    [[...MODEL, 'a', '--model-option', 'naming=x', '--demo'], 'must contain {tool}'],
  ])('%j is refused', async (argv, sentence) => {
    await expect(runKept(chatInTerminal, ['chat', ...argv])).rejects.toThrow(sentence);
  });
});

describe('a replay', () => {
  const record = join(folder, 'recorded.mcpr.jsonl');
  const replay = (...argv: string[]) => runKept(replayRecording, ['chat', '--model', `recorded:${record}`, ...argv]);

  test('shows what a change of a server changes', async () => {
    await ask('Use both.', '--allow', 'read-only', '--record', record, ...BOTH);
    const same = await replay();
    expect(same).toMatchObject({ code: EXIT.fine, stdout: '1 answer replayed: the model would have seen the same.' });
    const server = readFileSync(join(ROOT, 'examples/eval/tides-server.mjs'), 'utf8');
    writeFileSync(
      join(folder, 'tides.mjs'),
      server.replace('Tells when', 'Says when').replace(' is at ', ' comes at '),
    );
    const config = join(folder, 'changed.json');
    const changed = { command: process.execPath, args: [join(folder, 'tides.mjs')] };
    writeFileSync(config, JSON.stringify({ mcpServers: { tides: changed } }));
    const recorded = await replay('--config', config);
    expect(recorded.code).toBe(EXIT.serverError);
    expect(recorded.stdout).toContain('+ Says when the next high water');
    // The recording allows nothing: anybody can have made it.
    expect(recorded.stdout).not.toContain('comes at');
    expect(recorded.notes.join('\n')).toContain('To call them, add `--allow next_high_water`');
    const named = await replay('--config', config, '--allow', 'tides__next_high_water');
    expect(named).toMatchObject({ notes: [], stdout: expect.stringContaining('comes at') });
    const live = await replay('--config', config, '--allow', 'read-only', '--json');
    requireShape('chat', live.stdout);
    expect(JSON.parse(live.stdout)).toMatchObject({
      notCalled: [],
      differences: [
        { part: 'tool', name: 'tides__next_high_water', member: 'description' },
        { part: 'message', name: 'tool' },
      ],
    });
  });

  test('fails as it was recorded, without a difference', async () => {
    const failed = join(folder, 'failed.mcpr.jsonl');
    await ask('fail', '--record', failed, ...BOTH);
    const { code, stdout, notes } = await runKept(replayRecording, ['chat', '--model', `recorded:${failed}`]);
    expect([code, stdout]).toEqual([EXIT.fine, '1 answer replayed: the model would have seen the same.']);
    expect(notes.join('\n')).toContain('As in the recording: The model refused the key.');
  });

  test('needs a server of the recording, and tools that it has', async () => {
    const config = join(folder, 'others.json');
    const tides = { command: process.execPath, args: [join(ROOT, 'examples/eval/tides-server.mjs')] };
    writeFileSync(config, JSON.stringify({ mcpServers: { a: tides, b: tides } }));
    await expect(replay('--config', config)).rejects.toThrow(
      'The recording has no server `a`, `b`: it has `lighthouse`, `tides`.',
    );
    writeFileSync(config, JSON.stringify({ mcpServers: { tides, b: tides } }));
    expect((await replay('--config', config)).notes.join('\n')).toContain('the recording has no such server: `b`.');
    await expect(replay('--config', config, '--allow', 'bok_berth')).rejects.toThrow('did you mean `book_berth`?');
  });

  test('suggests only names that are safe to paste', async () => {
    const [server, config, rules, odd] = ['odd.mjs', 'odd.json', 'odd.yaml', 'odd.mcpr.jsonl'].map((name) =>
      join(folder, name),
    ) as [string, string, string, string];
    writeFileSync(
      server,
      LEAKY_SERVER.replace("'show_env', 'ask'", "'all', 'x;rm', 'show_env'").replace(
        "params.name === 'show_env'",
        'true',
      ),
    );
    writeFileSync(config, JSON.stringify({ mcpServers: { odd: { command: process.execPath, args: [server] } } }));
    const call = ['all', 'x_rm', 'show_env'].map((name) => ({ tool: `odd__${name}` }));
    writeFileSync(
      rules,
      JSON.stringify({
        rules: [
          { when: { text: 'odd' }, call },
          { when: {}, say: 'So.' },
        ],
      }),
    );
    const asked = ['--model', `scripted:${rules}`, 'odd', '--record', odd, '--config', config];
    await runKept(chatInTerminal, ['chat', ...asked, '--allow', 'all']);
    const { notes } = await runKept(replayRecording, ['chat', '--model', `recorded:${odd}`, '--config', config]);
    expect(notes.join('\n')).toMatch(/of `all`, `x;rm`, `show_env` .*`--allow show_env`\.$/);
  });

  test.each([
    ['none.mcpr.jsonl', 'can’t be opened'],
    ['recorded-tides.mcpr.jsonl', 'The recording has no chat'],
  ])('of %s is refused', async (file, sentence) => {
    const argv = ['chat', '--model', `recorded:${join(folder, file)}`];
    await expect(runKept(replayRecording, argv)).rejects.toThrow(sentence);
  });
});
