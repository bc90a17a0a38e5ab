import type { Locator, Page } from '@playwright/test';
import { expect } from './bin';

/** Locators and actions of the page, named as the user sees them. */
export class Workbench {
  constructor(readonly page: Page) {}

  get log(): Locator {
    return this.page.getByRole('region', { name: 'Message log' });
  }

  get rows(): Locator {
    // The header is a row as well.
    return this.log.getByRole('row').filter({ has: this.page.getByRole('gridcell') });
  }

  get detail(): Locator {
    return this.page.getByRole('region', { name: 'Message detail' });
  }

  get result(): Locator {
    return this.page.getByRole('region', { name: 'Result', exact: true });
  }

  /** The selected server's name, which opens the menu of servers. */
  get serversButton(): Locator {
    return this.top.getByRole('heading', { level: 1 }).getByRole('button');
  }

  /** Opens the menu of servers, unless it is open, and returns the list of them. */
  async servers(): Promise<Locator> {
    return (await this.#serversMenu()).getByRole('region', { name: 'Servers' });
  }

  /** Opens the menu of servers, unless it is open, and returns the list of opened recordings. */
  async openRecordings(): Promise<Locator> {
    return (await this.#serversMenu()).getByRole('region', { name: 'Open recordings' });
  }

  /** Opens the menu of servers, unless it is open, and returns the list of tapped sessions. */
  async tappedSessions(): Promise<Locator> {
    return (await this.#serversMenu()).getByRole('region', { name: 'Tapped sessions' });
  }

  async #serversMenu(): Promise<Locator> {
    const menu = this.page.getByRole('dialog', { name: 'Servers and recordings' });
    if (!(await menu.isVisible())) await this.serversButton.click();
    await expect(menu).toBeVisible();
    return menu;
  }

  /** Closes the menu of servers, if it is open. */
  async closeServers(): Promise<void> {
    if (await this.page.getByRole('dialog', { name: 'Servers and recordings' }).isVisible()) {
      await this.page.keyboard.press('Escape');
    }
  }

  /** Opens the options of the form to connect, unless they are open. */
  async options(): Promise<void> {
    const summary = this.page.locator('summary', { hasText: /^Options$/ });
    if ((await summary.locator('xpath=..').getAttribute('open')) === null) await summary.click();
  }

  /** Shows the servers that were found in configs of hosts. */
  async found(): Promise<Locator> {
    await this.page.getByRole('button', { name: /^Show (?:it|them)$/ }).click();
    return this.region('Found on this machine');
  }

  /** Opens the form for another server. */
  async addServer(): Promise<void> {
    await (await this.servers()).getByRole('button', { name: 'Add server' }).click();
  }

  /** The top line. */
  get top(): Locator {
    return this.page.getByRole('banner');
  }

  /** Restarts the selected server. */
  async restart(): Promise<void> {
    await this.closeServers();
    await this.top.getByRole('button', { name: 'Restart' }).click();
  }

  /** Chooses an action on the selected server, below the list of servers. */
  async serverAction(action: string | RegExp): Promise<void> {
    const actions = (await this.#serversMenu()).getByRole('region', { name: 'Selected server' });
    await actions.getByRole('button', { name: action }).click();
  }

  /** Turns re-run on save on or off. */
  async watch(): Promise<void> {
    await this.serverAction(/^Watch/);
  }

  /** Ends the connection of the selected server. */
  async disconnect(): Promise<void> {
    await this.serverAction('Disconnect');
  }

  /** Unfolds the older runs of an entry, unless they are unfolded, and shows one. */
  async showRun(run: number): Promise<void> {
    const servers = await this.servers();
    const older = servers.getByRole('list', { name: /^Older runs/ });
    if (!(await older.isVisible())) await servers.getByRole('button', { name: /^run \d+ of / }).click();
    await older
      .getByRole('button', { name: new RegExp(`^run ${run}\\b`) })
      .first()
      .click();
  }

  /** Runs a command of the palette. */
  async command(title: string): Promise<void> {
    const palette = this.page.getByRole('dialog', { name: 'Command palette' });
    const option = palette.getByRole('option', { name: title }).first();
    // The palette collects its commands when it opens, and this one may come later.
    await expect(async () => {
      if (!(await palette.isVisible())) await this.top.getByRole('button', { name: 'Search…' }).click();
      await palette.getByRole('combobox').fill(title);
      await option.waitFor({ timeout: 3000 }).catch(async (error) => {
        await this.page.keyboard.press('Escape');
        throw error;
      });
    }).toPass();
    await option.click();
  }

  /**
   * Presses single keys, once they work: the page lets them rest for a second after it moved the focus. Leaves a field,
   * list or button first.
   */
  async keys(...keys: readonly string[]): Promise<void> {
    const { keyboard } = this.page;
    const list = this.page.getByRole('dialog', { name: 'Keys' });
    const leaveField = async () => {
      const isElsewhere = await this.page.evaluate(() => {
        const { activeElement, body } = document;
        const isField = activeElement?.matches('input, textarea, select') || activeElement?.closest('.monaco-editor');
        return activeElement !== body && (isField || !activeElement?.closest('[data-keys]'));
      });
      if (isElsewhere) await keyboard.press('Escape');
    };
    await expect(async () => {
      await leaveField();
      await keyboard.press('?');
      await expect(list).toBeVisible({ timeout: 200 });
    }).toPass();
    await keyboard.press('Escape');
    await expect(list).toBeHidden();
    // A field that was drawn meanwhile may have the focus now.
    await leaveField();
    for (const key of keys) await keyboard.press(key);
  }

  get outcome(): Locator {
    // A question of the server in the result has others.
    return this.result.getByRole('status').first();
  }

  get filterBox(): Locator {
    return this.page.getByRole('combobox', { name: 'Filter messages' });
  }

  /** The JSON editor's text box, once it is loaded. */
  get editor(): Locator {
    return this.page.locator('.monaco-editor').getByRole('textbox');
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  field(name: string): Locator {
    const suggesting = this.page.getByRole('combobox', { name, exact: true }).and(this.page.locator('input'));
    return this.page.getByRole('textbox', { name, exact: true }).or(suggesting);
  }

  choice(name: string): Locator {
    return this.page.getByRole('combobox', { name, exact: true });
  }

  group(name: string): Locator {
    return this.page.getByRole('group', { name, exact: true });
  }

  region(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true });
  }

  /** The rows of the list of recordings. */
  get recordings(): Locator {
    const rows = this.page.getByRole('table', { name: 'Recordings' }).getByRole('row');
    // The header is a row as well.
    return rows.filter({ has: this.page.getByRole('checkbox') });
  }

  /** Chooses an action for the first recording whose menu button has this name. */
  async ofRecording(menu: RegExp, action: string): Promise<void> {
    await this.recordings.getByRole('button', { name: menu }).first().click();
    await this.page.getByRole('menuitem', { name: action }).click();
  }

  /** Chooses an action for a server in the list of servers. */
  async ofServer(name: string, action: string): Promise<void> {
    await this.button(`Connect ${name}`).hover();
    await this.button(`More actions for ${name}`).click();
    await this.page.getByRole('menuitem', { name: action, exact: true }).click();
  }

  /** The chip with the state of the selected server. */
  get state(): Locator {
    return this.top.getByRole('button', {
      name: /^(?:open|starting|closed|closing|failed|handshake failed|recording|unreachable)\b/,
    });
  }

  /** Waits until the connection in view is open. */
  async connected(): Promise<void> {
    await expect(this.state).toContainText(/^open/, { timeout: 30_000 });
  }

  /** The upper half. */
  get view(): Locator {
    return this.page
      .getByRole('region', { name: / view$/ })
      .or(this.page.getByRole('tabpanel', { name: /^(?:Server|Client settings|Authorization|Compatibility|Host)$/ }));
  }

  /** The rail. */
  get rail(): Locator {
    return this.page.getByRole('navigation', { name: 'Views' });
  }

  /** The list of what the server can do. */
  get entries(): Locator {
    return this.page.getByRole('listbox', { name: /^(?:tools|resources|prompts|skills)\b/ });
  }

  /** The bottom bar, which a narrow window has instead of the rail. */
  get panes(): Locator {
    return this.page.getByRole('navigation', { name: 'Panes' });
  }

  /** The heading of a group of Browse, which leads to the group, with the number of its entries. */
  entryGroup(title: string): Locator {
    return this.page.locator(`[data-group="${title}"]`);
  }

  /** Opens a view of the upper half, by its name. */
  async panel(name: string): Promise<void> {
    const way = WAYS[name];
    if (way === undefined) await this.place(name);
    else await way(this);
  }

  /** Chooses an entry of the rail, or of the bar that a narrow window has instead. */
  async place(name: string): Promise<void> {
    await this.closeServers();
    if ((this.page.viewportSize()?.width ?? NARROW) >= NARROW) {
      await this.rail.getByRole('button', { name, exact: true }).click();
      return;
    }
    const button = this.panes.getByRole('button', { name, exact: true });
    if (await button.isVisible()) {
      await button.click();
      return;
    }
    await this.panes.getByRole('button', { name: 'More views' }).click();
    await this.page.getByRole('menuitem', { name, exact: true }).click();
  }

  /** Searches the list in view and opens the first entry with this name. */
  async choose(name: string): Promise<void> {
    await this.page.getByRole('searchbox', { name: /^Search / }).fill(name);
    await this.page.getByRole('listbox').getByRole('option').filter({ hasText: name }).first().click();
  }

  async tool(name: string): Promise<void> {
    await this.panel('Tools');
    await this.choose(name);
    await expect(this.page.getByRole('heading', { level: 2, name })).toBeVisible();
  }

  async call(): Promise<void> {
    await this.button('Call tool').click();
  }

  /** Chooses an item of the menu behind *Call*. */
  async fromMore(item: string): Promise<void> {
    await this.button('More actions').click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  /** Shows what the server declares about the tool, beside its form. */
  async schema(): Promise<void> {
    await this.group('View of the result').getByRole('button', { name: 'Schema' }).click();
  }

  /** Answers the question before a destructive call. */
  async agree(): Promise<void> {
    await this.page
      .getByRole('dialog', { name: 'Call a destructive tool?' })
      .getByRole('button', { name: 'Call' })
      .click();
  }

  /** Fills the filter box. Enter closes the suggestions, which would cover the panel's buttons. */
  async filter(text: string): Promise<void> {
    await this.filterBox.fill(text);
    await this.filterBox.press('Enter');
  }

  /** Replaces the JSON editor's text with the keyboard. */
  async edit(text: string): Promise<void> {
    await this.editor.focus();
    await this.page.keyboard.press('ControlOrMeta+A');
    await this.page.keyboard.insertText(text);
  }

  /** Selects the result's request, response or sent message and returns it as it was on the wire. */
  async wire(half: 'request' | 'response' | 'sent'): Promise<string> {
    await this.result.getByRole('button', { name: new RegExp(`^${half} #`) }).click();
    return this.raw();
  }

  /** Opens a tab of the message detail. */
  async detailTab(name: 'Pretty' | 'Raw' | 'Exchange' | 'HTTP' | 'Problems'): Promise<void> {
    await this.detail.getByRole('tab', { name, exact: true }).click();
  }

  /** The tree of the message detail. */
  get tree(): Locator {
    return this.detail.getByRole('tree');
  }

  /** Returns the selected frame as it was on the wire. Works for frames of up to 64 KB. */
  async raw(): Promise<string> {
    await this.detailTab('Raw');
    return this.detail.locator('pre').innerText();
  }

  /**
   * Returns the cells of one column. `column` is the name of its header. Use it to look for a number: times in other
   * columns can contain any digits.
   */
  async cellsOf(rows: Locator, column: string): Promise<Locator> {
    const header = this.log.getByRole('columnheader', { name: column });
    if ((await header.count()) === 0) await this.showColumn(column);
    const index = await header.getAttribute('aria-colindex');
    return rows.locator(`[role=gridcell][aria-colindex="${index}"]`);
  }

  /** Shows a column that is hidden at first. */
  async showColumn(column: string): Promise<void> {
    await this.log.getByRole('button', { name: 'Columns and more' }).click();
    await this.page.getByRole('menuitemcheckbox', { name: new RegExp(`^${column}(?: \\(no room\\))?$`) }).click();
    await this.page.keyboard.press('Escape');
    await this.log.getByRole('columnheader', { name: column }).waitFor();
  }

  /** Chooses an entry of the log's own menu. */
  async logOption(option: string): Promise<void> {
    await this.log.getByRole('button', { name: 'Columns and more' }).click();
    await this.page.locator('[role^=menuitem]').filter({ hasText: option }).click();
    await this.page.keyboard.press('Escape');
  }

  /** Returns whether an option of the log's own menu is on. */
  async isOn(option: string): Promise<boolean> {
    await this.log.getByRole('button', { name: 'Columns and more' }).click();
    const checked = await this.page.getByRole('menuitemcheckbox', { name: option }).getAttribute('aria-checked');
    await this.page.keyboard.press('Escape');
    return checked === 'true';
  }

  /** Returns one column's cell texts of the rows in view. `column` is the name of its header. */
  async cells(column: string): Promise<string[]> {
    return (await this.cellsOf(this.rows, column)).allInnerTexts();
  }

  /** Returns the rows in view, each as one line of text. */
  async lines(): Promise<string[]> {
    return (await this.rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
  }

  /** Returns the number of rows after filtering, in view or not. */
  async count(): Promise<number> {
    // The header is one of them.
    return Number(await this.log.getByRole('grid').getAttribute('aria-rowcount')) - 1;
  }
}

/** Width from which on there is a rail, in px. */
const NARROW = 640;

const BROWSE_MENU = 'More of the server';

/** Shows a view by its address, which is there for each view. */
async function byAddress({ page }: Workbench, panel: string): Promise<void> {
  await page.evaluate((panel) => {
    const url = new URL(location.href);
    url.searchParams.set('panel', panel);
    url.searchParams.delete('item');
    history.pushState(null, '', url);
    dispatchEvent(new PopStateEvent('popstate'));
  }, panel.toLowerCase());
}

/** Opens Browse with an entry of a group. The address leads to a group that the list lacks. */
const ofGroup = (title: string) => async (bench: Workbench) => {
  await bench.place('Browse');
  const group = bench.entryGroup(title);
  if (await group.isVisible()) await group.click();
  else if (title !== 'Tools') await byAddress(bench, title);
};

const ofMenu = (menu: string, item: RegExp) => async (bench: Workbench) => {
  if (menu === BROWSE_MENU) await bench.place('Browse');
  const button = bench.button(menu);
  // A recording has nothing to hold, but the view lists what was held. The button of an open session may come late.
  const isOpen = (await bench.state.textContent())?.startsWith('open');
  if (menu === 'Hold' && !isOpen && !(await button.isVisible())) return bench.command('Hold');
  // A server without tasks and apps has no menu, but their views have an address.
  if (menu === BROWSE_MENU && !(await button.isVisible())) return byAddress(bench, item.source.slice(1));
  await button.click();
  await bench.page.getByRole('menuitem', { name: item }).click();
};

const ofServer = (tab?: string) => async (bench: Workbench) => {
  await bench.state.click();
  if (tab) await bench.page.getByRole('tab', { name: tab, exact: true }).click();
};

/** How panels are opened that have no entry in the rail. */
const WAYS: Readonly<Record<string, (bench: Workbench) => Promise<void>>> = {
  Tools: ofGroup('Tools'),
  Resources: ofGroup('Resources'),
  Prompts: ofGroup('Prompts'),
  Skills: ofGroup('Skills'),
  Tasks: ofMenu(BROWSE_MENU, /^Tasks/),
  Server: ofServer('Server'),
  'Client settings': ofServer('Client settings'),
  Authorization: ofServer('Authorization'),
  Compatibility: ofServer('Compatibility'),
  Host: ofServer('Host'),
  Hold: ofMenu('Hold', /rules$/),
  'New message': async (bench) => {
    const button = bench.button('New message…');
    // A session that takes no messages has no button, but the view says so.
    if (await button.isVisible()) await button.click();
    else await bench.command('New message');
  },
  All: ofView(/^All$/),
  'Server logs': ofView(/^Server logs(?: \(|$)/),
  'Server logs beside all messages': ofView(/^Server logs beside/),
  'Spans by name': ofView(/^Spans by name$/),
  Spans: ofView(/^Spans(?: \(|$)/),
};

function ofView(item: RegExp): (bench: Workbench) => Promise<void> {
  return async (bench) => {
    await bench.page.getByRole('button', { name: /^View of the log/ }).click();
    await bench.page.getByRole('menuitem', { name: item }).click();
  };
}
