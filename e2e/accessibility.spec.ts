import { join } from 'node:path';
import { initialized, json, startHttp, text } from '../proxy/connection/fixtures/http-fixture';
import { demoCommand, expect, hostileCommand } from './bin';
import { accessFaults } from './page-faults';
import { test } from './shared-bin';
import { Workbench } from './workbench';

// Each test goes through views of one server in one page. Documents, sharing and other parts are judged beside their
// own tests.

/** The name of a view, and how to show it from the one before. */
type View = readonly [name: string, show: (bench: Workbench) => Promise<void>];

/** Shows one view after another, and judges each in both themes. */
async function judge(bench: Workbench, views: readonly View[]): Promise<void> {
  for (const [name, show] of views) {
    await test.step(name, async () => {
      await show(bench);
      expect.soft(await accessFaults(bench.page), name).toEqual([]);
    });
  }
}

/** Adds a server by its command line or URL. */
async function add(bench: Workbench, line: string): Promise<void> {
  await bench.addServer();
  const dialog = bench.page.getByRole('dialog', { name: 'Add server' });
  await dialog.getByRole('textbox', { name: /Command line/ }).fill(line);
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
}

const leave = ({ page }: Workbench) => page.keyboard.press('Escape');

const called =
  (tool: string, outcome: RegExp) =>
  async (bench: Workbench): Promise<void> => {
    await bench.tool(tool);
    await bench.call();
    await expect(bench.outcome).toContainText(outcome);
  };

/** Shows the message of one method. */
async function showMessage(bench: Workbench, method: string): Promise<void> {
  await bench.filter(method);
  await expect(bench.rows.first()).toContainText(method);
  await bench.rows.first().click();
  await expect(bench.detail).toBeVisible();
}

const CALLS: readonly View[] = [
  [
    'a result, and hits of the filter',
    async (bench) => {
      await called('send_postcard', /ok/)(bench);
      await bench.filter('list');
      await expect(bench.log.locator('mark').first()).toBeVisible();
    },
  ],
  [
    'audio, and a bad filter',
    async (bench) => {
      await called('sound_horn', /ok|error/i)(bench);
      await bench.filter('methd:x');
      await expect(bench.page.getByText('Unknown key methd')).toBeVisible();
    },
  ],
  [
    'an image, and no hit',
    async (bench) => {
      await called('drop_lens', /ok|error/i)(bench);
      await bench.filter('nothing-like-this');
      await expect(bench.page.getByText('No message matches the filter')).toBeVisible();
    },
  ],
  [
    'a destructive call',
    async (bench) => {
      await bench.filter('');
      await bench.tool('erase_entry');
      // The first press only marks the invalid fields.
      await bench.call();
      await expect(bench.page.getByText('Not called. Correct it, or call again')).toBeVisible();
      await bench.call();
      await expect(bench.page.getByRole('dialog', { name: 'Call a destructive tool?' })).toBeVisible();
    },
  ],
  [
    'a call in flight',
    async (bench) => {
      await leave(bench);
      await bench.tool('wait_for_ship');
      await bench.call();
      await expect(bench.button('Cancel')).toBeVisible();
    },
  ],
  ['structured content', called('read_instruments', /ok|error/i)],
  [
    'a tool error, and a message in Pretty',
    async (bench) => {
      await called('plan_passage', /error/i)(bench);
      await showMessage(bench, 'prompts/list');
    },
  ],
  ['in Raw', async (bench) => void (await bench.raw())],
  [
    'the JSON editor, and an exchange that is kept in view',
    async (bench) => {
      await bench.group('View of the arguments').getByRole('button', { name: 'JSON' }).click();
      await expect(bench.editor).toBeAttached();
      await bench.detailTab('Exchange');
      await bench.button('Keep in view').click();
    },
  ],
];

const OTHERS: readonly View[] = [
  [
    'no problem',
    async (bench) => {
      await bench.panel('Problems');
      await expect(bench.page.getByText('No problems', { exact: true })).toBeVisible();
    },
  ],
  ['an invalid result', called('read_old_barometer', /ok|error/i)],
  [
    'its problem in the panel and in the message detail',
    async (bench) => {
      await bench.panel('Problems');
      await bench.page.getByRole('button', { name: /^Frame #/ }).click();
      await bench.detailTab('Problems');
      await expect(bench.detail.getByRole('list', { name: 'Problems of this message' })).toBeVisible();
    },
  ],
  [
    'a resource, and help with the filter',
    async (bench) => {
      await leave(bench);
      await expect(bench.detail).toBeHidden();
      await bench.panel('Resources');
      await bench.choose('key.bin');
      await expect(bench.outcome).toContainText('ok');
      await bench.button('Columns and more').click();
      await bench.page.getByRole('menuitem', { name: 'Filter help' }).click();
    },
  ],
  [
    'a prompt, and latencies',
    async (bench) => {
      await leave(bench);
      await bench.panel('Prompts');
      await bench.choose('brief_new_keeper');
      await bench.field('keeper').fill('Ada');
      await bench.button('Get prompt').click();
      await expect(bench.outcome).toContainText('ok');
      const bar = bench.page.getByRole('contentinfo');
      await bar.getByRole('button', { name: /^(latency|calls)/ }).click();
    },
  ],
  [
    'a maximised log, with its timeline and the menu of columns',
    async (bench) => {
      await leave(bench);
      await bench.place('Log');
      await expect(bench.page.getByRole('slider', { name: 'Start of the time range' })).toBeVisible();
      await bench.button('Columns and more').click();
    },
  ],
  [
    'the palette',
    async (bench) => {
      await leave(bench);
      await bench.button('Search…').click();
      await expect(bench.page.getByRole('dialog')).toBeVisible();
    },
  ],
  [
    'the list of keys',
    async (bench) => {
      await leave(bench);
      await bench.command('Show all keys');
      await expect(bench.page.getByRole('dialog')).toBeVisible();
    },
  ],
];

for (const [what, views] of [
  ['results of calls, the filter, a message', CALLS],
  ['problems, resources, prompts, a maximised log, the palette', OTHERS],
] as const) {
  test(`accessible: ${what}`, async ({ visit }) => {
    test.slow();
    const { page } = await visit(['--', ...demoCommand()]);
    const bench = new Workbench(page);
    await bench.connected();
    await judge(bench, views);
  });
}

const RUNS: readonly View[] = [
  ['the start page', ({ page }) => expect(page.getByRole('heading', { name: 'Recent' })).toBeVisible()],
  [
    'the form for another server',
    async (bench) => {
      await bench.button('Connect demo').click();
      await bench.connected();
      await bench.addServer();
      const dialog = bench.page.getByRole('dialog', { name: 'Add server' });
      await dialog.getByRole('textbox', { name: /Command line/ }).fill('API_KEY=x npx -y some-server "two words"');
      await expect(dialog.getByRole('list', { name: 'Command to run' })).toBeVisible();
      await bench.options();
      await dialog.getByRole('button', { name: 'Add variable' }).click();
      await dialog.getByRole('textbox', { name: 'Name of new variable' }).fill('LD_PRELOAD');
    },
  ],
  [
    'the facts of a server',
    async (bench) => {
      await leave(bench);
      await bench.panel('Server');
      await expect(bench.region('Process')).toBeVisible();
    },
  ],
  [
    'a new message',
    async (bench) => {
      await bench.panel('New message');
      await expect(bench.editor).toBeAttached();
    },
  ],
  ['server logs', (bench) => bench.panel('Server logs beside all messages')],
  ['an empty inbox', (bench) => bench.panel('Inbox')],
  [
    'an older run, a rail of icons, and the list of recordings',
    async (bench) => {
      await bench.restart();
      await bench.showRun(1);
      await expect(bench.page.getByText('This is run 1. The newest is run 2.')).toBeVisible();
      await bench.page.setViewportSize({ width: 1024, height: 768 });
      await bench.button('Recordings').click();
      await expect(bench.recordings).toHaveCount(2);
    },
  ],
];

const NARROW: readonly View[] = [
  ['recordings in a narrow window', ({ page }) => page.setViewportSize({ width: 390, height: 844 })],
  ['Browse in a narrow window', (bench) => bench.place('Browse')],
  ['the list of servers', async (bench) => void (await bench.servers())],
  [
    'a tool and its result',
    async (bench) => {
      await bench.closeServers();
      await bench.page.getByRole('button', { name: 'Show run 2' }).click();
      await bench.place('Browse');
      await bench.choose('plan_passage');
      await bench.call();
      await expect(bench.outcome).toContainText('isError');
    },
  ],
  ['its messages', (bench) => bench.panes.getByRole('button', { name: 'Log' }).click()],
  [
    'one of them',
    async (bench) => {
      await bench.rows.last().click();
      await expect(bench.detail).toBeVisible();
    },
  ],
];

test('accessible: from the start page to two runs, in a wide and a narrow window; an expired link', async ({
  open,
  browser,
}) => {
  test.slow();
  const { page, bin } = await open([]);
  const bench = new Workbench(page);
  await judge(bench, [...RUNS, ...NARROW]);
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(bin.link);
  await expect(stranger.getByRole('button', { name: /new link/ })).toBeVisible();
  expect(await accessFaults(stranger), 'expired').toEqual([]);
});

const RECORDING: readonly View[] = [
  [
    'a note',
    async (bench) => {
      await bench.tool('count_waves');
      await bench.field('waves').fill('3');
      await bench.call();
      await expect(bench.outcome).toContainText('ok');
      await bench.disconnect();
      await bench.rows.filter({ hasText: 'tools/list' }).first().click();
      await bench.button('Add note').click();
      await bench.page.getByRole('textbox', { name: /^Note on #\d+$/ }).fill('Here it begins');
    },
  ],
  [
    'a name, and a question before recordings are deleted',
    async (bench) => {
      await bench.button('Save note').click();
      await bench.button('Recordings').click();
      await bench.ofRecording(/^More about/, 'Edit name and note…');
      await bench.page.getByRole('checkbox', { name: 'Select all' }).check();
      await bench.button('Delete selected').click();
    },
  ],
  [
    'an earlier moment',
    async (bench) => {
      const { page } = bench;
      await bench.recordings.getByRole('button').first().click();
      await page.getByRole('slider', { name: 'Moment' }).focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('PageUp');
      await expect(bench.region('Time')).toContainText('as of #11');
    },
  ],
  [
    'what was sent',
    async (bench) => {
      await bench.button('Go to the end').click();
      await bench.tool('count_waves');
      await expect(bench.field('waves')).toHaveAttribute('readonly');
    },
  ],
  [
    'what it can be compared with',
    async (bench) => {
      await bench.command('Compare with…');
      const others = bench.page.getByRole('list', { name: 'Connections to compare with' });
      await expect(others.getByRole('button')).toHaveCount(1);
    },
  ],
  [
    'a comparison',
    async (bench) => {
      const others = bench.page.getByRole('list', { name: 'Connections to compare with' });
      await others.getByRole('button').click();
      await expect(bench.region('Comparison').getByRole('status')).toContainText('No difference');
    },
  ],
];

test('accessible: a recording, its note, an earlier moment of it, and a comparison', async ({ visit }) => {
  test.slow();
  const { page } = await visit(['--', ...demoCommand()]);
  const bench = new Workbench(page);
  await bench.connected();
  await judge(bench, RECORDING);
});

const asked = (tool: string) => async (bench: Workbench) => {
  await bench.tool(tool);
  await bench.call();
  await bench.button('Open in the Inbox').click();
  await bench.page.getByText('Request as JSON').click();
};

const answered = (button: string) => async (bench: Workbench) => {
  await bench.button(button).click();
  await expect(bench.region('Outcome')).toBeVisible();
};

const QUESTIONS: readonly View[] = [
  ['a question with choices', asked('choices')],
  ['declined', answered('Decline')],
  ['a question with a link', asked('url')],
  [
    'a request for a model',
    async (bench) => {
      await answered('Decline')(bench);
      await asked('sample-rich')(bench);
    },
  ],
  ['rejected', answered('Reject')],
  [
    'a question in place of a result',
    async (bench) => {
      await bench.tool('kinds');
      await bench.call();
      await expect(bench.button('Always answer like this')).toBeVisible();
    },
  ],
  [
    'its banner',
    async (bench) => {
      await bench.panel('New message');
      await expect(bench.region('Questions')).toBeVisible();
    },
  ],
  [
    'standing answers',
    async (bench) => {
      await bench.tool('kinds');
      await bench.button('Always answer like this').click();
      await bench.page.getByRole('menuitem', { name: 'Always decline' }).click();
      await expect(bench.outcome).toContainText('ok');
      await bench.panel('Inbox');
      await bench.page.getByRole('option', { name: /^Standing answers/ }).click();
      await expect(bench.region('For this server')).toBeVisible();
    },
  ],
  [
    'roots',
    async (bench) => {
      await bench.page.getByRole('option', { name: /^Roots/ }).click();
      await expect(bench.field('URI')).toBeVisible();
    },
  ],
];

test('accessible: questions of a server, waiting and answered; standing answers and roots', async ({ visit }) => {
  test.slow();
  const { page } = await visit(['--', process.execPath, join(import.meta.dirname, 'servers/ask-server.mjs')]);
  const bench = new Workbench(page);
  await bench.connected();
  await judge(bench, QUESTIONS);
});

const filled =
  (name: string) =>
  async (bench: Workbench): Promise<void> => {
    await bench.tool(name);
    await bench.button('Fill').click();
    await bench.page.getByRole('menuitem', { name: 'Sample: all' }).click();
    await bench.call();
    await expect(bench.outcome).not.toContainText('in flight');
  };

test('accessible: filled-in forms with problems, and a menu', async ({ visit }) => {
  test.slow();
  const server = join(import.meta.dirname, 'servers/forms-server.mjs');
  const { page } = await visit(['--protocol', '2025-11-25', '--', process.execPath, server]);
  const bench = new Workbench(page);
  await bench.connected();
  await judge(bench, [
    ...['lists', 'picks', 'refuse', 'pets'].map((name): View => [name, filled(name)]),
    [
      'menu',
      async () => {
        await page.getByRole('button', { name: 'More' }).first().click();
        await expect(page.getByRole('menu')).toBeVisible();
      },
    ],
  ]);
});

const HTTP: readonly View[] = [
  [
    'an HTTP request with its headers',
    async (bench) => {
      await bench.button('HTTP').click();
      await bench.rows.filter({ hasText: 'POST /mcp' }).nth(1).click();
      await bench.button('Reveal Authorization').click();
      await expect(bench.region('Request headers')).toContainText('of-my-own');
    },
  ],
  [
    'a body that is not a message',
    async (bench) => {
      await bench.rows.filter({ hasText: 'response' }).first().click();
      await expect(bench.detail).toContainText('No such thing');
    },
  ],
  [
    'facts of the server',
    async (bench) => {
      await bench.panel('Server');
      await expect(bench.region('HTTP')).toBeVisible();
    },
  ],
];

test('accessible: HTTP requests, their headers, and the facts of the server', async ({ open }) => {
  test.slow();
  const fixture = await startHttp(({ method, message }, response) => {
    if (method !== 'POST') response.writeHead(405).end();
    else if (message?.method === 'initialize') {
      json(response, initialized(message.id, {}), 200, { 'mcp-session-id': 's', 'set-cookie': 'a=1' });
    } else if (message?.id !== undefined) text(response, '<h1>No such thing</h1>', 404);
    else response.writeHead(202).end();
  });
  try {
    const { page } = await open(['--header', 'Authorization: Bearer of-my-own', `${fixture.origin}/mcp`]);
    const bench = new Workbench(page);
    await bench.connected();
    await judge(bench, HTTP);
  } finally {
    await fixture.close();
  }
});

const DOCTOR: readonly View[] = [
  [
    'the doctor, and the frame of a step',
    async (bench) => {
      const steps = bench.page.getByRole('list', { name: 'Steps' });
      await steps.getByRole('button', { name: /ECONNREFUSED/ }).click();
      await expect(bench.detail).toContainText('ECONNREFUSED');
    },
  ],
  [
    'a form with options of TLS',
    async (bench) => {
      await bench.button('Edit and connect again').click();
      await bench.options();
      await bench.page.getByText('TLS', { exact: true }).click();
      await bench.page.getByLabel('Don’t verify this server’s certificate').check();
    },
  ],
];

test('accessible: the connection doctor, its frame, and options of TLS', async ({ visit }) => {
  // Nothing listens on port 1.
  const { page } = await visit(['https://127.0.0.1:1/mcp']);
  await judge(new Workbench(page), DOCTOR);
});

const hostile = (bench: Workbench, ...words: string[]) => add(bench, hostileCommand(...words).join(' '));

const FAILURES: readonly View[] = [
  [
    'a program that prints the address of a server',
    (bench) => expect(bench.button('Connect to http://localhost:3000/')).toBeVisible(),
  ],
  [
    'comfortable settings',
    async (bench) => {
      await bench.button('Settings').click();
      await bench.choice('Density').selectOption('Comfortable');
    },
  ],
  ['compact settings', async (bench) => void (await bench.choice('Density').selectOption('Compact'))],
  [
    'a failed start',
    async (bench) => {
      await leave(bench);
      await hostile(bench, 'exit-at-once');
      await expect(bench.page.getByRole('button', { name: 'Edit and connect again' }).first()).toBeVisible();
    },
  ],
  [
    'a slow start',
    async (bench) => {
      await hostile(bench, 'silent');
      await expect(bench.page.getByRole('status').filter({ hasText: 'No MCP response yet' })).toBeVisible();
    },
  ],
  [
    'a crash',
    async (bench) => {
      await hostile(bench, 'exit-on-call');
      await bench.connected();
      await bench.field('text').fill('x');
      await bench.call();
      await expect(bench.page.getByText('Traceback: something is None').first()).toBeVisible();
    },
  ],
  [
    'what the server wrote to stderr',
    async (bench) => {
      await bench.page.getByRole('button', { name: /^stderr \(/ }).click();
      await expect(bench.region('Process')).toBeVisible();
    },
  ],
  [
    'output that is not MCP',
    async (bench) => {
      await hostile(bench, 'junk');
      await bench.connected();
      await bench.panel('Problems');
      await expect(bench.page.getByText('Non-MCP output on stdout')).toBeVisible();
    },
  ],
  [
    'a disconnected server',
    async (bench) => {
      await bench.disconnect();
      await expect(bench.page.getByText('You disconnected.')).toBeVisible();
    },
  ],
];

test('accessible: starts that fail or are slow, a crash, output that is not MCP; settings', async ({ visit }) => {
  test.slow();
  const printed = 'console.log("listening on http://localhost:3000"); setInterval(() => {}, 1000)';
  const { page } = await visit(['--', process.execPath, '-e', printed]);
  await judge(new Workbench(page), FAILURES);
});
