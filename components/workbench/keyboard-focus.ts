import { useEffect, useRef } from 'react';
import { tabPanelId } from '@/components/ui/tabs';

/**
 * Gives what is shown in the panel the focus: its list, where letters are still shortcuts, or the panel itself. Call it when
 * the panel is on the page.
 */
export function focusPanelContent(): void {
  const panel = document.getElementById(tabPanelId('panel'));
  (panel?.querySelector<HTMLElement>('[role="listbox"]') ?? panel)?.focus();
}

/** Gives the panel of a connection the focus once it is what is `shown`: after the form that made it has closed. */
export function usePanelFocus(shown: string | undefined): (connection: string) => void {
  const wanted = useRef<string>(undefined);
  useEffect(() => {
    if (wanted.current === undefined || wanted.current !== shown) return;
    wanted.current = undefined;
    document.getElementById(tabPanelId('panel'))?.focus();
  });
  return (connection) => {
    wanted.current = connection;
  };
}

/** What takes over, best first. No text boxes: keys that were commands must not become text. */
const TAKERS = ['[tabindex]:not([role=row])', 'button, a[href], summary'];

/**
 * Keeps the focus on the page when what had it is taken away or hidden: it goes to the nearest thing around it that can have
 * it. A press beside everything takes the focus away for good, as the reader wants.
 */
export function useFocusRecovery(): void {
  useEffect(() => {
    /** What had the focus last, then what it lay in, outwards. */
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
      // What is hidden keeps the focus until the next frame is drawn.
      const hidden = active === had && records.some(({ type }) => type === 'attributes');
      if (had === undefined || !(lost || hidden) || isShown(had)) return;
      nearest(around)?.focus();
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

/** Without the outermost one: the whole page is near to nothing. */
function withParents(element: Element): Element[] {
  const path = [element];
  for (let up = element.parentElement; up?.parentElement && up.parentElement !== document.body; up = up.parentElement)
    path.push(up);
  return path;
}

function isShown(element: Element): boolean {
  return element.isConnected && element.checkVisibility();
}

function nearest(around: readonly Element[]): HTMLElement | undefined {
  for (const element of around) {
    if (!isShown(element)) continue;
    for (const takers of TAKERS) {
      const inside = [element, ...element.querySelectorAll(takers)];
      const found = inside.find((candidate) => candidate.matches(takers) && isShown(candidate));
      if (found instanceof HTMLElement) return found;
    }
  }
  return undefined;
}
