import type { Page } from '@playwright/test';
import { expect } from './bin';
import { Workbench } from './workbench';

declare global {
  /** Set by an attack that ran. */
  var ran: unknown;
  /** Texts and elements that should not be in the page, each once. */
  var foreign: Set<string> | undefined;
  /** Controls that the crawl has pressed, by name and place. */
  var pressed: Set<string> | undefined;
}

/** Commands and controls that end the session, leave the page, or write files. */
const LEFT_OUT =
  /^(?:Close (?:this )?recording|Remove|Connect(?!ion)|Disconnect|Restart|Delete|Forget|Save|Download|Open recording|Try each|Print a new link|Import)/;

/** Watches a page from its first script on. */
export async function watchForAttacks(page: Page): Promise<{ readonly outside: string[]; readonly alarms: string[] }> {
  const [outside, alarms]: [string[], string[]] = [[], []];
  page.on('request', (request) => {
    if (!/^(?:http:\/\/127\.0\.0\.1:\d+\/|file:|data:|blob:)/.test(request.url())) outside.push(request.url());
  });
  page.on('dialog', (dialog) => {
    alarms.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => void alarms.push(`popup ${popup.url()}`));
  page.on('pageerror', (error) => void alarms.push(`error ${error.message}`));
  page.on('console', (message) => {
    const { url } = message.location();
    // The proxy answers so to what can't be done with a recording.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) alarms.push(`${message.text()} ${url}`);
  });
  await page.addInitScript(() => {
    // An app's frame may have whatever its server wants.
    if (window !== window.top) return;
    const foreign = new Set<string>();
    globalThis.foreign = foreign;
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      foreign.add(`policy ${violatedDirective} ${blockedURI} ${sample}`);
    });
    const HIDDEN = /[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;
    const EDITED = 'script, style, textarea, input, .monaco-editor';
    const judgeAttribute = (element: Element, { name, value }: Attr) => {
      const of = `<${element.localName} ${name}="${value.slice(0, 80)}">`;
      if (/^on/.test(name)) foreign.add(of);
      if (
        /^(?:href|src|action|formaction|data|srcdoc|xlink:href)$/.test(name) &&
        /^\s*(?:javascript:|data:text)/i.test(value)
      )
        foreign.add(of);
      if (['title', 'placeholder', 'aria-label', 'alt'].includes(name) && HIDDEN.test(value))
        foreign.add(`hidden ${of}`);
    };
    const judge = (node: Node): void => {
      if (node instanceof Text) {
        if (HIDDEN.test(node.data) && !node.parentElement?.closest(EDITED))
          foreign.add(`hidden in <${node.parentElement?.localName}> ${node.data.slice(0, 80)}`);
        return;
      }
      if (!(node instanceof Element)) return;
      if (['x-canary', 'object', 'embed', 'base'].includes(node.localName)) foreign.add(`<${node.localName}>`);
      for (const attribute of node.attributes) judgeAttribute(node, attribute);
      for (const child of node.childNodes) judge(child);
    };
    const observer = new MutationObserver((changes) => {
      for (const { type, target, addedNodes, attributeName } of changes) {
        if (type === 'characterData') judge(target);
        const attribute = attributeName === null ? undefined : (target as Element).getAttributeNode(attributeName);
        if (attribute) judgeAttribute(target as Element, attribute);
        for (const node of addedNodes) judge(node);
      }
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  return { outside, alarms };
}

/**
 * Presses what can be pressed in the view and in the dialogs and menus that open, each kind of control once, at most
 * `most` times. Returns how many were pressed.
 */
export function pressEverything(page: Page, most: number): Promise<number> {
  return page.evaluate(
    async ([leftOut, most]) => {
      const CONTROLS =
        'button, summary, [role=tab], [role=option], [role=menuitem], [role=menuitemcheckbox], [role=row], [role=treeitem], [role=radio], [role=switch]';
      const settle = () =>
        new Promise<void>((resolve) =>
          requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => resolve()), 0)),
        );
      globalThis.pressed ??= new Set();
      const { pressed } = globalThis;
      const keyOf = (element: Element): string => {
        const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
        const place = element.closest(
          '[role=dialog], dialog, [role=menu], [role=tabpanel], [role=region], section[aria-label]',
        );
        const around = place?.getAttribute('aria-label') ?? place?.localName ?? '';
        const kind = element.getAttribute('role') ?? element.localName;
        return `${around.slice(0, 40)} ${kind} ${name.trim().slice(0, 50)}`.replaceAll(/\d+/g, '#');
      };
      let count = 0;
      for (let idle = 0; count < most && idle < 3; ) {
        const open = [...document.querySelectorAll('dialog[open], [role=dialog], [role=menu]')].at(-1) ?? document.body;
        const next = [...open.querySelectorAll<HTMLElement>(CONTROLS)].find((element) => {
          if (
            !element.checkVisibility({ visibilityProperty: true }) ||
            element.closest('[inert], [aria-disabled=true], :disabled')
          )
            return false;
          const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
          return !new RegExp(leftOut).test(name.trim()) && !pressed.has(keyOf(element));
        });
        if (!next) {
          idle++;
          const target = document.activeElement ?? document.body;
          target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
          if (open instanceof HTMLDialogElement) open.close();
          await settle();
          continue;
        }
        pressed.add(keyOf(next));
        next.scrollIntoView({ block: 'nearest' });
        for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup'])
          next.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }));
        next.click();
        count++;
        await settle();
      }
      return count;
    },
    [LEFT_OUT.source, most] as const,
  );
}

/** Runs every command of the palette, and presses everything that it shows. Returns how much was pressed. */
export async function crawl(
  page: Page,
  most: { readonly commands: number; readonly presses: number },
): Promise<number> {
  const bench = new Workbench(page);
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  const { search } = new URL(page.url());
  const done = new Set<string>();
  let pressed = await pressEverything(page, most.presses);
  while (done.size < most.commands) {
    // A press may have led to another page of ours, or closed what is crawled.
    await page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, search || '?');
    while (await page.locator('dialog[open]').count()) await page.keyboard.press('Escape');
    const options = palette.getByRole('option');
    // A press may have opened the palette, or another dialog, a moment ago.
    await expect(async () => {
      if (!(await palette.isVisible()))
        await bench.top.getByRole('button', { name: 'Search…' }).click({ timeout: 1000 });
      await expect(options.first()).toBeVisible({ timeout: 1000 });
    }).toPass();
    const names = await options.allInnerTexts();
    const at = names.findIndex((name) => !done.has(kindOf(name)) && !LEFT_OUT.test(name.trim()));
    if (at < 0) break;
    done.add(kindOf(names[at]!));
    // On a busy machine the list may still move.
    await options.nth(at).evaluate((option: HTMLElement) => option.click());
    pressed += await pressEverything(page, most.presses);
  }
  return pressed;
}

const kindOf = (name: string): string => name.trim().slice(0, 40).replaceAll(/\d+/g, '#');
