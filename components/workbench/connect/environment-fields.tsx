import { useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button, IconButton } from '@/components/ui/button';
import { focusLastRow, useListFocus } from '@/components/ui/focus';
import { Icon } from '@/components/ui/icon';
import { TextInput } from '@/components/ui/inputs';
import { visibleText } from '@/components/ui/visible-text';
import { useEnvironment } from '@/lib/hooks/connections';
import { isDangerousName } from '@/lib/wire/dangerous-names';
import { countOf } from '@/lib/wire/format';
import { isSecretName } from '@/lib/wire/secret-names';
import { baseOf, type EnvironmentRow, isUnchanged, type ServerDraft } from './server-draft';

/** Rows to edit, add and remove a server's own variables or headers. */
export function EnvironmentRows({
  draft,
  onChange,
  what,
}: {
  readonly what: 'variable' | 'header';
  readonly draft: ServerDraft;
  readonly onChange: (draft: ServerDraft) => void;
}) {
  const rows = useListFocus<HTMLDivElement>(draft.environment.length);
  const change = (row: EnvironmentRow) =>
    onChange({ ...draft, environment: draft.environment.map((other) => (other.id === row.id ? row : other)) });
  const remove = (row: EnvironmentRow) =>
    onChange({
      ...draft,
      environment: draft.environment.filter((other) => other.id !== row.id),
      removed: row.origin === 'base' ? [...draft.removed, row.name] : draft.removed,
    });
  const add = () => {
    onChange({
      ...draft,
      environment: [...draft.environment, { id: draft.nextId, name: '', value: '', origin: 'hand' }],
      nextId: draft.nextId + 1,
    });
    focusLastRow(rows);
  };
  return (
    <div className="flex flex-col gap-1">
      <div ref={rows} className="contents">
        {draft.environment.map((row) => (
          <Row key={row.id} row={row} what={what} onChange={change} onRemove={() => remove(row)} />
        ))}
      </div>
      <Button variant="ghost" size="small" className="self-start" onClick={add}>
        <Icon name="plus" /> Add {what}
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
  const secret = isSecretName(row.name, what);
  const masked = secret && !shown;
  const name = visibleText(row.name) || `new ${what}`;
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
        placeholder={row.origin === 'base' ? 'set in the config, hidden from this page' : 'value'}
        value={row.value}
        onChange={(text) => onChange({ ...row, value: text })}
      />
      {dangerous && (
        <Badge
          tone="error"
          title="This variable can make the server run other code. Connect only if you trust its source"
        >
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

/** Lists the names of the variables that a server inherits. */
export function InheritedNames({ draft }: { readonly draft: ServerDraft }) {
  const { environment } = useEnvironment();
  if (!environment) return null;
  const ofShell = baseOf(draft)?.policy === 'shell';
  const whole = ofShell && isUnchanged(draft);
  const own = new Set(draft.environment.map((row) => row.name.trim()));
  const names = (whole ? environment.shell : environment.allowlist).filter((name) => !own.has(name));
  const count = countOf(names.length, 'variable');
  return (
    <div>
      <details>
        <summary className="text-muted">
          {whole
            ? `Inherits all ${count} of the shell that started mcp-inspect`
            : `Inherits only ${count} from mcp-inspect`}
        </summary>
        <p className="pt-1 pl-4 font-mono text-wire break-words">{names.map((name) => visibleText(name)).join('  ')}</p>
      </details>
      {ofShell && !whole && (
        <p className="text-warn">
          You changed the command, arguments or directory, so the server does not inherit the shell’s other variables.
        </p>
      )}
    </div>
  );
}
