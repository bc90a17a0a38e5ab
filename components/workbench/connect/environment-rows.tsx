import { useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { IconButton } from '@/components/ui/icon-button';
import { TextInput } from '@/components/ui/text-input';
import { useKeptFocus } from '@/components/ui/use-kept-focus';
import { isSecretField } from '@/lib/wire/header-fields';
import { isDangerousName, isSecretName } from './environment-names';
import type { EnvironmentRow, ServerDraft } from './server-draft';

/** The variables or headers that a server gets besides ours, to be edited, added and taken away. */
export function EnvironmentRows({
  draft,
  onChange,
  what,
}: {
  readonly what: 'variable' | 'header';
  readonly draft: ServerDraft;
  readonly onChange: (draft: ServerDraft) => void;
}) {
  const rows = useKeptFocus<HTMLDivElement>(draft.environment.length);
  const change = (row: EnvironmentRow) =>
    onChange({ ...draft, environment: draft.environment.map((other) => (other.id === row.id ? row : other)) });
  const remove = (row: EnvironmentRow) =>
    onChange({
      ...draft,
      environment: draft.environment.filter((other) => other.id !== row.id),
      removed: row.origin === 'base' ? [...draft.removed, row.name] : draft.removed,
    });
  const add = () =>
    onChange({
      ...draft,
      environment: [...draft.environment, { id: draft.nextId, name: '', value: '', origin: 'hand' }],
      nextId: draft.nextId + 1,
    });
  return (
    <div className="flex flex-col gap-1">
      <div ref={rows} className="contents">
        {draft.environment.map((row) => (
          <Row key={row.id} row={row} what={what} onChange={change} onRemove={() => remove(row)} />
        ))}
      </div>
      <Button variant="ghost" size="small" className="self-start" onClick={add}>
        <Icon name="plus" /> Add a {what}
      </Button>
    </div>
  );
}

function Row({
  row,
  what,
  onChange,
  onRemove,
}: {
  readonly row: EnvironmentRow;
  readonly what: 'variable' | 'header';
  readonly onChange: (row: EnvironmentRow) => void;
  readonly onRemove: () => void;
}) {
  const [shown, setShown] = useState(false);
  const dangerous = what === 'variable' && isDangerousName(row.name);
  const secret = what === 'variable' ? isSecretName(row.name) : isSecretField(row.name);
  const masked = secret && !shown;
  const name = row.name || `new ${what}`;
  return (
    <div className="flex items-center gap-1.5">
      <TextInput
        mono
        aria-label={`Name of ${name}`}
        placeholder={what === 'variable' ? 'NAME' : 'Name'}
        value={row.name}
        readOnly={row.origin === 'base'}
        aria-invalid={dangerous || undefined}
        onChange={(text) => onChange({ ...row, name: text })}
        className={dangerous ? 'max-w-[220px] text-error!' : 'max-w-[220px]'}
      />
      <TextInput
        mono
        type={masked ? 'password' : 'text'}
        autoComplete="new-password"
        aria-label={`Value of ${name}`}
        placeholder={row.origin === 'base' ? 'as it was; the page does not know it' : 'value'}
        value={row.value}
        onChange={(text) => onChange({ ...row, value: text })}
      />
      {dangerous && (
        <Badge tone="error" title="This variable decides what code runs. Connect only if you trust where it is from.">
          runs code
        </Badge>
      )}
      {secret && (
        <Button variant="ghost" size="small" aria-pressed={shown} onClick={() => setShown(!shown)}>
          {shown ? 'Hide' : 'Show'}
        </Button>
      )}
      <IconButton label={`Remove ${name}`} onClick={onRemove}>
        <Icon name="close" />
      </IconButton>
    </div>
  );
}
