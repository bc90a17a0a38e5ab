import { useState } from 'react';
import { TextInput } from '@/components/ui/text-input';
import { sameJson } from '@/lib/schema/json';
import { readNumber, writeNumber } from '@/lib/schema/number-text';
import { aria, type ControlProps } from './control';
import { ghostText } from './ghost';

/** A number as it is typed: the text stays (`1e3`, `1.50`), what it means is the value. Text that is no number is sent as text. */
export function NumberControl(props: ControlProps<'number'> | ControlProps<'integer'>) {
  const { view, value, id, onChange } = props;
  const [draft, setDraft] = useState(() => writeNumber(value));
  // The draft stands while it means what the document holds; otherwise somebody else changed the document.
  const text = sameJson(readNumber(draft) ?? null, value ?? null) ? draft : writeNumber(value);
  return (
    <TextInput
      id={id}
      mono
      inputMode="decimal"
      value={text}
      placeholder={ghostText(view, value)}
      onChange={(typed) => {
        setDraft(typed);
        onChange(readNumber(typed));
      }}
      {...aria(props)}
    />
  );
}
