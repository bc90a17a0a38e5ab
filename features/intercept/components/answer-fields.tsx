import { Suspense, useId } from 'react';
import { TextInput } from '@/components/ui/inputs';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import type { RuleDraft, RuleFaults } from './rule-draft';

const JsonEditor = lazyWhenIdle(() => import('@/components/editor/json-editor').then((file) => file.JsonEditor));

type ErrorDraft = Pick<RuleDraft, 'code' | 'message' | 'data'>;

/** The fields of an answer with an error. */
export function ErrorFields({
  fields,
  faults,
  onChange,
  onSubmit,
}: {
  readonly fields: ErrorDraft;
  readonly faults: RuleFaults | undefined;
  readonly onChange: (changes: Partial<ErrorDraft>) => void;
  readonly onSubmit: () => void;
}) {
  const id = useId();
  return (
    <>
      <div className="flex flex-wrap items-start gap-2">
        <div className="w-28">
          <TextInput
            mono
            label="Code"
            value={fields.code}
            onChange={(code) => onChange({ code })}
            aria-invalid={faults?.code !== undefined}
            aria-describedby={`${id}-code`}
          />
        </div>
        <div className="min-w-40 flex-1">
          <TextInput label="Message" value={fields.message} onChange={(message) => onChange({ message })} />
        </div>
      </div>
      <FieldFault id={`${id}-code`} fault={faults?.code} />
      <p className="text-muted">Data (JSON, optional)</p>
      <JsonField label="Data" text={fields.data} onChange={(data) => onChange({ data })} onSubmit={onSubmit} />
      <FieldFault id={`${id}-data`} fault={faults?.data} />
    </>
  );
}

/** The JSON editor in a form. */
export function JsonField(props: {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onSubmit: () => void;
}) {
  return (
    <Suspense fallback={<div className="h-24 shrink-0 border border-line" />}>
      <JsonEditor {...props} className="h-24 shrink-0" />
    </Suspense>
  );
}

/** The fault of a field. */
export function FieldFault({ id, fault }: { readonly id: string; readonly fault: string | undefined }) {
  return (
    <p id={id} role="status" className="text-small text-error empty:hidden">
      {fault && `× ${fault}`}
    </p>
  );
}
