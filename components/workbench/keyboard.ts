import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { focusWhenRendered } from '@/components/ui/focus';
import { moveFocus, pageFocus } from '@/components/ui/page-focus';
import { allowSingleKeys, useShortcuts } from '@/components/ui/shortcuts';
import { tabPanelId } from '@/components/ui/tabs';
import type { FeaturePage } from '@/features/page-feature';
import { useLocation } from '@/lib/hooks/location';
import { useSettings } from '@/lib/hooks/settings';

/** The modal on top of the workbench. */
export type WorkbenchDialog = 'add' | 'palette' | 'keys' | 'share' | 'settings' | undefined;

/** Servers that a digit shows. */
const MOST_NUMBERED = 9;

/** The workbench's keys: palette, help, sharing and pages if there are any, and `g` with the key of each panel. */
export function useWorkbenchShortcuts(
  panels: readonly { readonly id: string; readonly title: string; readonly key?: string; readonly filter?: string }[],
  openDialog: (dialog: WorkbenchDialog) => void,
  {
    openPanel,
    shares,
    recordings,
    pages,
    servers,
  }: {
    readonly openPanel: (panel: string) => void;
    readonly shares: boolean;
    readonly recordings: boolean;
    readonly pages: readonly Pick<FeaturePage, 'id' | 'title' | 'key'>[];
    /** Show the servers of the list, in its order. */
    readonly servers: readonly (() => void)[];
  },
): void {
  const { navigate } = useLocation();
  const { singleKeys } = useSettings();
  useEffect(() => allowSingleKeys(singleKeys), [singleKeys]);
  const goTo = (open: () => void) => {
    flushSync(open);
    focusPanelContent();
  };
  useShortcuts(
    [
      { keys: 'mod+k', title: 'Open the command palette', run: () => openDialog('palette') },
      { keys: '?', title: 'Show all keys', run: () => openDialog('keys') },
      { keys: 'g ,', title: 'Settings', run: () => openDialog('settings') },
      ...(shares ? [{ keys: 's', title: 'Share', run: () => openDialog('share') }] : []),
      ...(recordings
        ? [{ keys: 'g l', title: 'Go to Recordings', run: () => goTo(() => navigate({ page: 'recordings' })) }]
        : []),
      ...pages.map(({ id, title, key }) => ({
        keys: `g ${key}`,
        title: `Go to ${title}`,
        run: () => goTo(() => navigate({ page: id })),
      })),
      ...servers.slice(0, MOST_NUMBERED).map((show, at) => ({
        keys: `g ${at + 1}`,
        title: `Show server ${at + 1} of the list`,
        run: () => goTo(show),
      })),
      ...panels.flatMap(({ id, title, key, filter }) => {
        // The focus stays in the log, whose view changes.
        const run = filter === undefined ? () => goTo(() => openPanel(id)) : () => openPanel(id);
        return key === undefined ? [] : [{ keys: `g ${key}`, title: `Go to ${title}`, run }];
      }),
    ],
    'Everywhere',
  );
}

/** Animation frames to wait for the code of a panel: two seconds. */
const PANEL_FRAMES = 120;

/**
 * Focuses the panel's list, where letter keys are shortcuts, or the panel itself. A list whose code is still being
 * loaded gets the focus later, unless the focus has moved on.
 */
export function focusPanelContent(): void {
  const panel = () => document.getElementById(tabPanelId('panel'));
  const list = () => panel()?.querySelector<HTMLElement>('[role="listbox"]') ?? undefined;
  const first = list() ?? panel();
  moveFocus(first);
  if (list()) return;
  focusWhenRendered(() => {
    if (first && document.activeElement !== first) return false;
    const control = list() ?? (first ? undefined : panel());
    return control ? { control, within: control } : undefined;
  }, PANEL_FRAMES);
}

/** Returns a function that focuses a connection's panel once that connection is `shown`, after its form has closed. */
export function usePanelFocus(shown: string | undefined): (connection: string) => void {
  const wanted = useRef<string>(undefined);
  useEffect(() => {
    if (wanted.current === undefined || wanted.current !== shown) return;
    wanted.current = undefined;
    moveFocus(document.getElementById(tabPanelId('panel')));
  });
  return (connection) => {
    wanted.current = connection;
  };
}

/** Elements that may receive a lost focus, best first. No text boxes, because they would swallow shortcut keys. */
const FOCUS_TARGETS = ['[tabindex]:not([role=row])', 'button, a[href], summary'];

/**
 * Moves the focus to the nearest element around it when the focused one is removed or hidden. A click on an empty place
 * clears the focus, and it stays cleared.
 */
export function useFocusRecovery(): void {
  useEffect(() => {
    /** The element that had the focus last, then its parents. */
    let path: readonly Element[] = [];
    const remember = ({ target }: FocusEvent) => {
      path = target instanceof Element ? withParents(target) : [];
    };
    const forget = () => {
      path = [];
    };
    const observer = new MutationObserver((records) => {
      const [had, ...around] = path;
      const active = document.activeElement;
      const lost = active === document.body || active === null;
      // A hidden element keeps the focus until the next paint.
      const hidden = active === had && records.some(({ type }) => type === 'attributes');
      if (had === undefined || !(lost || hidden) || isShown(had)) return;
      pageFocus.recovered();
      moveFocus(nearestTarget(around));
    });
    document.addEventListener('focusin', remember);
    document.addEventListener('pointerdown', forget, true);
    observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['hidden'] });
    return () => {
      document.removeEventListener('focusin', remember);
      document.removeEventListener('pointerdown', forget, true);
      observer.disconnect();
    };
  }, []);
}

/** Returns an element and its parents, without the outermost one, which is the whole page. */
function withParents(element: Element): Element[] {
  const path = [element];
  for (let up = element.parentElement; up?.parentElement && up.parentElement !== document.body; up = up.parentElement)
    path.push(up);
  return path;
}

function isShown(element: Element): boolean {
  return element.isConnected && element.checkVisibility();
}

function nearestTarget(around: readonly Element[]): HTMLElement | undefined {
  for (const element of around) {
    if (!isShown(element)) continue;
    for (const targets of FOCUS_TARGETS) {
      const inside = [element, ...element.querySelectorAll(targets)];
      const found = inside.find((candidate) => candidate.matches(targets) && isShown(candidate));
      if (found instanceof HTMLElement) return found;
    }
  }
  return undefined;
}
