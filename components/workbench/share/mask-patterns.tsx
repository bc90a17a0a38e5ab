import { type FormEvent, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { IconButton } from '@/components/ui/icon-button';
import { TextInput } from '@/components/ui/text-input';
import type { ExtraPattern } from '@/lib/redact/finding';

/** `/…/` is a regular expression, anything else is meant as it stands. */
export function patternOf(text: string): ExtraPattern {
  const [, regex] = /^\/(.+)\/$/s.exec(text) ?? [];
  return regex === undefined ? { literal: text } : { regex };
}

/** Text that a person wants out besides what was found. */
export function MaskPatterns({
  patterns,
  onPatterns,
}: {
  readonly patterns: readonly string[];
  readonly onPatterns: (patterns: readonly string[]) => void;
}) {
  const [text, setText] = useState('');
  const id = useId();
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (text !== '' && !patterns.includes(text)) onPatterns([...patterns, text]);
    setText('');
  };
  return (
    <form onSubmit={add} className="flex flex-wrap items-center gap-1.5">
      <label htmlFor={id}>Mask also</label>
      <span className="w-64">
        <TextInput id={id} mono value={text} onChange={setText} placeholder="text, or /regular expression/" />
      </span>
      <Button type="submit" size="small" disabled={text === ''}>
        Add
      </Button>
      {patterns.map((pattern) => (
        <span key={pattern} className="inline-flex h-[22px] items-center gap-0.5 rounded border border-line pl-1.5">
          <code className="max-w-60 truncate font-mono text-wire">{pattern}</code>
          <IconButton
            label={`Don’t mask ${pattern}`}
            onClick={() => onPatterns(patterns.filter((other) => other !== pattern))}
          >
            <Icon name="close" />
          </IconButton>
        </span>
      ))}
    </form>
  );
}
