import { tabPanelId } from '@/components/ui/tabs';

/**
 * Gives what is shown in the panel the focus: its list, where letters are still shortcuts, or the panel itself. Call it when
 * the panel is on the page.
 */
export function focusInPanel(): void {
  const panel = document.getElementById(tabPanelId('panel'));
  (panel?.querySelector<HTMLElement>('[role="listbox"]') ?? panel)?.focus();
}
