import { type ReactNode, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Checkbox, Select, TextInput } from '@/components/ui/inputs';
import { ErrorNote } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { useClient } from '@/lib/hooks/client';
import { useRecordings } from '@/lib/hooks/recordings';
import { useChangeSettings, useSettings, useSettingsPlace } from '@/lib/hooks/settings';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import type { Settings } from '@/lib/wire/settings';
import { KeyList } from '../keys-dialog';
import { BrowserRetention, RetentionForm } from '../recordings/retention';
import { SettingsTransfer } from './settings-transfer';

const THEMES = { system: 'System', light: 'Light', dark: 'Dark' };
const DENSITIES = { comfortable: 'Comfortable', compact: 'Compact' };
const TIMESTAMPS = { relative: 'Relative', absolute: 'Absolute' };

/** The settings of this user. Each change applies at once. */
export function SettingsDialog({ onClose }: { readonly onClose: () => void }) {
  const settings = useSettings();
  const change = useChangeSettings();
  const { unreadable, unsaved } = useSettingsPlace();
  // A shared file sends no requests and keeps no recordings.
  const inFile = useClient().status === 'file';
  return (
    <Dialog title="Settings" onClose={onClose}>
      <div className="flex flex-col gap-4">
        {unreadable && <ErrorNote codeless failure={unreadable} />}
        {unsaved && <ErrorNote codeless failure={unsaved} />}
        <Section title="Appearance">
          <Choice name="Theme" labels={THEMES} value={settings.theme} onChange={(theme) => change({ theme })} />
          <Choice
            name="Density"
            help="Height of rows and controls"
            labels={DENSITIES}
            value={settings.density}
            onChange={(density) => change({ density })}
          />
        </Section>
        <Section title="Log">
          <Choice
            name="Timestamps"
            help="Since the start of the connection, or time of day"
            labels={TIMESTAMPS}
            value={settings.timestamps}
            onChange={(timestamps) => change({ timestamps })}
          />
        </Section>
        {!inFile && (
          <>
            <Section title="Requests">
              <TimeoutSetting ms={settings.timeoutMs} onChange={(timeoutMs) => change({ timeoutMs })} />
              <ConfirmationSettings settings={settings} onChange={change} />
            </Section>
            <RecordingSettings />
            <Section title="File">
              <SettingsTransfer />
            </Section>
          </>
        )}
        <Section title="Shortcuts">
          <Checkbox
            checked={settings.singleKeys}
            onChange={(singleKeys) => change({ singleKeys })}
            label="Single-key shortcuts"
          />
          <KeyList key={String(settings.singleKeys)} />
        </Section>
      </div>
    </Dialog>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h3 className="border-b border-line pb-1 font-medium">{title}</h3>
      {children}
    </section>
  );
}

/** A setting: its name and help on the left, its control on the right. */
function Line({
  name,
  help,
  children,
}: {
  readonly name: ReactNode;
  readonly help?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-0 flex-1 basis-48">
        {name}
        {help && <span className="block text-small text-muted">{help}</span>}
      </span>
      {children}
    </div>
  );
}

function Choice<Value extends string>({
  name,
  help,
  labels,
  value,
  onChange,
}: {
  readonly name: string;
  readonly help?: string;
  readonly labels: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}) {
  const id = useId();
  const values = Object.keys(labels) as Value[];
  return (
    <Line name={<label htmlFor={id}>{name}</label>} help={help}>
      <Select
        id={id}
        value={value}
        onChange={onChange}
        options={values.map((one) => ({ value: one, label: labels[one] }))}
        className="w-36!"
      />
    </Line>
  );
}

const SECONDS_MOST = LIMITS.requestMaxMs / 1000;

/** The timeout in seconds. Saved with Enter or when the field loses the focus. */
function TimeoutSetting({ ms, onChange }: { readonly ms: number; readonly onChange: (ms: number) => void }) {
  const id = useId();
  const [draft, setDraft] = useState<string>();
  const typed = draft === undefined ? ms : Math.round(Number(draft) * 1000);
  const isWrong = !(typed >= 1 && typed <= LIMITS.requestMaxMs);
  const save = () => {
    if (draft === undefined || isWrong) return;
    if (typed !== ms) onChange(typed);
    setDraft(undefined);
  };
  return (
    <>
      <Line name={<label htmlFor={id}>Default timeout</label>} help="How long a request waits for its response">
        <span className="inline-flex items-center gap-1">
          <TextInput
            id={id}
            inputMode="decimal"
            value={draft ?? String(ms / 1000)}
            onChange={setDraft}
            onBlur={save}
            onKeyDown={(event) => event.key === 'Enter' && save()}
            aria-invalid={isWrong}
            aria-describedby={isWrong ? `${id}-wrong` : undefined}
            className="w-20! text-right"
          />
          s
        </span>
      </Line>
      {isWrong && (
        <p id={`${id}-wrong`} role="alert" className="text-error">
          Enter a number of seconds, at most {SECONDS_MOST}.
        </p>
      )}
    </>
  );
}

/** Whether to ask before destructive calls, and the servers that are exempt. */
function ConfirmationSettings({
  settings: { confirmDestructive, unconfirmedServers },
  onChange,
}: {
  readonly settings: Settings;
  readonly onChange: (change: Partial<Settings>) => void;
}) {
  return (
    <>
      <Checkbox
        checked={confirmDestructive}
        onChange={(on) => onChange({ confirmDestructive: on })}
        label="Ask before calling a tool that declares destructiveHint"
      />
      {confirmDestructive && unconfirmedServers.length > 0 && (
        <div className="pl-6">
          <p className="text-muted">Not for these servers:</p>
          <ul>
            {unconfirmedServers.map((server) => (
              <li key={server} className="flex min-h-7 items-center gap-2">
                <span className="min-w-0 flex-1 font-mono text-wire break-words">{visibleText(server)}</span>
                <Button
                  size="small"
                  variant="ghost"
                  aria-label={`Ask again for ${visibleText(server)}`}
                  onClick={() => onChange({ unconfirmedServers: unconfirmedServers.filter((one) => one !== server) })}
                >
                  Ask again
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

/** How long recordings are kept. */
function RecordingSettings() {
  const { reply, recordSwitch, keep } = useRecordings();
  const [failure, setFailure] = useState<Failure>();
  if (!reply) return null;
  const { recordings, older } = reply;
  const save: Parameters<typeof RetentionForm>[0]['onKeep'] = async (kept, anyway) => {
    setFailure(undefined);
    try {
      return await keep?.(kept, anyway);
    } catch (error) {
      setFailure(error as Failure);
      return undefined;
    }
  };
  return (
    <Section title="Recordings">
      {failure && <ErrorNote codeless failure={failure} />}
      {/* The forms have a line above for the list of recordings. */}
      <div className="*:border-t-0 *:pt-0">
        {recordSwitch && <BrowserRetention keep={reply.keep} recordings={recordings} />}
        {keep && (
          <RetentionForm
            key={`${reply.keep.days} ${reply.keep.bytes}`}
            keep={reply.keep}
            recordings={recordings}
            older={older}
            onKeep={save}
          />
        )}
      </div>
    </Section>
  );
}
