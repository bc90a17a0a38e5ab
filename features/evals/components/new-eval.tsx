import { useDeferredValue, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { FIELD, Select, TextInput } from '@/components/ui/inputs';
import { ErrorNote, Spinner } from '@/components/ui/notices';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { Allowance } from '@/features/chat/lib/chat-frame';
import type { EvalSetup, EvalsReplies } from '@/features/evals/lib/evals-api';
import { useDraft } from '@/lib/hooks/drafts';
import { countOf } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import { EMPTY_SETUP, SETUP_DRAFT, WRITTEN_CASES } from './drafts';
import { useAskEvals, useEvalPlan } from './use-evals';

/** Characters of a file of cases. */
const MOST_CHARS = 4_000_000;

/** Chooses cases, models and permissions, shows what would run, and starts it. */
export function NewEval({
  files,
  keepsNothing,
  onStarted,
}: {
  /** Files of the working directory that hold cases. */
  readonly files: readonly string[];
  readonly keepsNothing: boolean;
  readonly onStarted: (id: string) => void;
}) {
  const ask = useAskEvals();
  const [setup, setSetup] = useDraft<EvalSetup>(SETUP_DRAFT, EMPTY_SETUP);
  const [starting, setStarting] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const settled = useDeferredValue(setup);
  const { plan, failure: mistake } = useEvalPlan(settled.text.trim() === '' ? undefined : settled);
  const change = (changes: Partial<EvalSetup>) => setSetup((before) => ({ ...before, ...changes }));
  const attempt = async (work: () => Promise<void>) => {
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure(error as Failure);
    }
  };
  const start = async () => {
    setStarting(true);
    await attempt(async () => onStarted((await ask({ kind: 'start', setup })).id));
    setStarting(false);
  };
  return (
    <form
      className="flex min-h-0 min-w-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        if (plan && !mistake && !starting) void start();
      }}
    >
      <div className="min-h-0 flex-1 overflow-auto">
        <div className="flex max-w-[860px] flex-col gap-4 p-3">
          <CasesField
            setup={setup}
            files={files}
            onText={(name, text) => change({ name, text })}
            onFile={(name) =>
              void attempt(async () => change({ name, text: (await ask({ kind: 'file', name })).text }))
            }
          />
          <div className="grid grid-cols-[minmax(0,1fr)_96px] gap-3 narrow:grid-cols-1">
            <TextInput
              label="Models, separated by commas"
              mono
              placeholder={plan && !setup.models ? plan.models.join(', ') : 'as the cases say'}
              value={setup.models?.join(',') ?? ''}
              onChange={(text) => change({ models: text.trim() === '' ? undefined : text.split(',').map(trimStart) })}
            />
            <TextInput
              label="Repeats"
              type="number"
              min={1}
              max={1000}
              placeholder={plan ? String(plan.repeats) : '1'}
              value={setup.repeats === undefined ? '' : String(setup.repeats)}
              onChange={(text) => change({ repeats: Number(text) > 0 ? Math.floor(Number(text)) : undefined })}
            />
          </div>
          <Permission allow={setup.allow} onChange={(allow) => change({ allow })} />
          {mistake ? <ErrorNote codeless failure={mistake} /> : plan && <Plan plan={plan} />}
          {failure && <ErrorNote failure={failure} />}
        </div>
      </div>
      <div className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-3 py-2">
        <Button type="submit" variant="primary" disabled={!plan || mistake !== undefined || starting}>
          {starting && <Spinner />} Start
        </Button>
        <p className="min-w-0 text-small text-muted">
          {plan && !mistake
            ? `${countOf(plan.attempts, 'run')} with ${countOf(plan.models.length, 'model')}, at least one request each`
            : 'Choose or write cases'}
          {keepsNothing && '. Nothing is kept or recorded (--record off)'}
        </p>
      </div>
    </form>
  );
}

function trimStart(text: string): string {
  return text.trimStart();
}

function CasesField({
  setup,
  files,
  onText,
  onFile,
}: {
  readonly setup: EvalSetup;
  readonly files: readonly string[];
  readonly onText: (name: string, text: string) => void;
  readonly onFile: (name: string) => void;
}) {
  const id = useId();
  const [wrong, setWrong] = useState('');
  const upload = async (file: File | undefined) => {
    if (!file) return;
    setWrong('');
    if (file.size > MOST_CHARS) setWrong('The file is larger than 4 MB');
    else onText(file.name.slice(0, 200), await file.text());
  };
  const isListed = files.includes(setup.name);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex min-w-0 flex-wrap items-end gap-2">
        <div className="min-w-40 flex-1">
          <Select
            label="Cases"
            value={setup.name}
            options={[
              ...(isListed
                ? []
                : [{ value: setup.name, label: setup.name === WRITTEN_CASES ? 'Written here' : setup.name }]),
              ...files.map((name) => ({ value: name, label: name })),
              ...(isListed || setup.name !== WRITTEN_CASES ? [{ value: WRITTEN_CASES, label: 'Written here' }] : []),
            ]}
            onChange={(name) => (files.includes(name) ? onFile(name) : onText(name, setup.text))}
          />
        </div>
        {isListed && (
          <Button onClick={() => onFile(setup.name)} title="Read the file again">
            Reload
          </Button>
        )}
        <label className="inline-flex h-7 cursor-pointer items-center rounded border border-line bg-raised px-2.5 focus-within:outline-2 focus-within:outline-accent hover:border-control">
          Upload…
          <input
            type="file"
            accept=".yaml,.yml,.json"
            className="sr-only"
            onChange={({ target }) => {
              void upload(target.files?.[0]);
              target.value = '';
            }}
          />
        </label>
      </div>
      {wrong !== '' && <p className="text-error">× {wrong}</p>}
      <label htmlFor={id} className="sr-only">
        Text of the cases
      </label>
      <textarea
        id={id}
        rows={14}
        spellCheck={false}
        placeholder={EXAMPLE}
        value={setup.text}
        onChange={({ target }) => onText(isListed ? WRITTEN_CASES : setup.name, target.value)}
        className={`${FIELD} h-auto resize-y py-1 font-mono text-wire whitespace-pre`}
      />
    </div>
  );
}

const EXAMPLE = `model: ollama:mistral-small
repeat: 3
cases:
  - name: finds the weather
    prompt: Will it rain in Stromness?
    expect:
      tool: forecast
      where: { /city: Stromness }`;

const PERMISSIONS: readonly { readonly value: Allowance['mode']; readonly label: string }[] = [
  { value: 'ask', label: 'Refuse every call' },
  { value: 'read-only', label: 'Run read-only tools, refuse others' },
  { value: 'all', label: 'Run every call' },
];

/** Which calls run. Nobody is asked while an eval runs. */
function Permission({ allow, onChange }: { readonly allow: Allowance; readonly onChange: (allow: Allowance) => void }) {
  const { mode, written = [] } = allow;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="grid grid-cols-2 gap-3 narrow:grid-cols-1">
        <Select
          label="Calls"
          value={mode}
          options={PERMISSIONS}
          onChange={(next) => onChange({ ...allow, mode: next })}
        />
        <TextInput
          label="Also run these tools, separated by commas"
          mono
          disabled={mode === 'all'}
          value={written.join(',')}
          onChange={(text) => {
            const { written: _, ...rest } = allow;
            onChange(text.trim() === '' ? rest : { ...rest, written: text.split(',').map((name) => name.trim()) });
          }}
        />
      </div>
      <p className="text-small text-muted">
        A refused call counts as the model’s choice all the same. Answers in the cases come first
      </p>
    </div>
  );
}

/** Cases that are listed before a start. */
const MOST_LISTED = 200;

/** The servers and cases that would run. */
function Plan({ plan }: { readonly plan: EvalsReplies['plan'] }) {
  const { cases, servers, models } = plan;
  return (
    <>
      <section aria-label="Servers that start" className="min-w-0">
        <h3 className="mb-1 text-muted">
          {servers.length === 0 ? 'No server is used' : `Starts ${countOf(servers.length, 'server')} of its own`}
        </h3>
        <ul className="flex min-w-0 flex-col gap-0.5">
          {servers.map(({ name, what, isConnected }) => (
            <li
              key={name}
              className="grid min-w-0 grid-cols-[minmax(0,120px)_minmax(0,1fr)_auto] gap-x-2 narrow:grid-cols-1"
            >
              <span className="truncate font-medium">
                <UntrustedText text={name} limit={80} />
              </span>
              <span className="min-w-0 font-mono text-wire break-all">
                <UntrustedText text={what} limit={400} />
              </span>
              {isConnected && <span className="text-small text-muted">like the connected one</span>}
            </li>
          ))}
        </ul>
      </section>
      <section aria-label="Cases" className="min-w-0">
        <h3 className="mb-1 text-muted">
          {countOf(cases.length, 'case')} × {countOf(models.length, 'model')} × {countOf(plan.repeats, 'repeat')}
        </h3>
        <ul className="flex min-w-0 flex-col divide-y divide-line border-y border-line">
          {cases.slice(0, MOST_LISTED).map(({ name, prompt, expects, line }) => (
            <li
              key={line}
              className="grid min-w-0 grid-cols-[minmax(0,2fr)_minmax(0,3fr)_minmax(0,3fr)] gap-3 py-1 narrow:grid-cols-1 narrow:gap-0"
            >
              <UntrustedText text={name} limit={120} className="font-medium" />
              <span className="min-w-0 text-muted">
                <UntrustedText text={prompt} limit={160} />
              </span>
              <span className="min-w-0 font-mono text-wire">
                <UntrustedText text={expects.join('; ')} limit={240} />
              </span>
            </li>
          ))}
        </ul>
        {cases.length > MOST_LISTED && (
          <p className="text-small text-muted">{countOf(cases.length - MOST_LISTED, 'more case')}</p>
        )}
      </section>
    </>
  );
}
