import { type ReactNode, useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { MENU_BUTTON, Menu } from '@/components/ui/menu';
import type { MenuItem } from '@/components/ui/menu-list';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { storedChoice, useStoredSetting } from '@/lib/hooks/drafts';
import { stringifyJson } from '@/lib/json/exact';
import { withDefaults } from '@/lib/schema/values';
import { view as viewOf } from '@/lib/schema/view';
import type { Checking } from './checking';
import { brief } from './labels';
import { type DocumentState, pastedArguments } from './use-document';

/** Examples listed in the menu. */
const MOST_EXAMPLES = 10;

interface Fill {
  readonly items: () => readonly MenuItem[];
  /** Fills in a sample of the required fields. Resolves to it, or to undefined if there is none. */
  readonly sample: () => Promise<string | undefined>;
  /** Why the last one failed. */
  readonly failure: ReactNode;
}

/** Returns the ways to fill the whole document: samples, examples, defaults, JSON from the clipboard, or nothing. */
export function useFill(document: DocumentState, schema: unknown, checking: Checking): Fill {
  const [failure, setFailure] = useState<string>();
  const [prefills, setPrefills] = usePrefill();
  const fill = (text: string) => {
    setFailure(undefined);
    document.fill(text);
  };
  const sample = async (all: boolean) => {
    try {
      const text = await checking.sample(all);
      fill(text);
      return text;
    } catch (error) {
      setFailure(`Could not make a sample: ${error instanceof Error ? error.message : String(error)}.`);
      return undefined;
    }
  };
  const paste = async () => {
    try {
      const found = pastedArguments(await navigator.clipboard.readText());
      if (found === undefined) setFailure('The clipboard does not hold JSON.');
      else fill(found);
    } catch {
      setFailure('The browser blocks access to the clipboard. Paste in the JSON tab instead.');
    }
  };
  const defaults = () => {
    if (!document.parsed.ok) return;
    fill(withDefaults(schema, { text: document.text, value: document.parsed.value }).text);
  };
  const items = (): readonly MenuItem[] => [
    ...(document.undo ? [{ label: 'Undo last fill', run: document.undo }] : []),
    { label: 'Sample: required', run: () => void sample(false) },
    { label: 'Sample: all', run: () => void sample(true) },
    { label: 'Schema defaults', run: defaults },
    ...viewOf(schema, schema)
      .examples.slice(0, MOST_EXAMPLES)
      .map((example) => ({
        label: <UntrustedText text={`Example: ${brief(example)}`} limit={120} />,
        run: () => fill(stringifyJson(example, 2)),
      })),
    { label: 'Paste JSON', separatorBefore: true, run: () => void paste() },
    {
      label: prefills ? 'Stop prefilling defaults' : 'Always prefill defaults',
      separatorBefore: true,
      run: () => setPrefills(!prefills),
    },
    { label: 'Clear, send {}', separatorBefore: true, run: () => fill('{}') },
    { label: 'Send no arguments', run: () => fill('') },
  ];
  return {
    items,
    sample: () => sample(false),
    failure: failure !== undefined && (
      <p role="status" className="order-last w-full text-small text-warn">
        ! {failure}
      </p>
    ),
  };
}

/** Returns true while nothing was typed, or what was filled in can be undone. */
export function offersFill({ text, undo }: DocumentState): boolean {
  return undo !== undefined || /^\s*(?:\{\s*\})?\s*$/.test(text);
}

/** The menu that fills the document. */
export function FillMenu({ fill: { items, failure } }: { readonly fill: Fill }) {
  return (
    <>
      <Menu label="Fill" items={items} className={MENU_BUTTON}>
        Fill <Icon name="down" />
      </Menu>
      {failure}
    </>
  );
}

const stored = storedChoice<'off' | 'on'>('mcp-inspect.prefill-defaults', ['off', 'on']);

/** Returns whether new arguments start with the schema's defaults, and a setter. Off by default. */
export function usePrefill(): [boolean, (on: boolean) => void] {
  const [chosen, choose] = useStoredSetting(stored, 'off');
  return [chosen === 'on', (on) => choose(on ? 'on' : 'off')];
}
