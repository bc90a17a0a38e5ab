import { useCallback, useMemo, useRef } from 'react';
import { useComplete } from '@/components/exchange/use-complete';
import { documentKey } from '@/components/form/document-key';
import { JsonForm } from '@/components/form/json-form';
import { useDocument } from '@/components/form/use-document';
import { useSentDocument } from '@/components/form/use-sent-document';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useLogState } from '@/lib/hooks/use-log';
import { useReadOnly } from '@/lib/hooks/use-read-only';
import { isRecord } from '@/lib/schema/document';
import type { Log } from '@/lib/store/log';
import type { TemplateEntry } from '@/lib/store/state';
import { ReadView } from './read-view';
import { ResourceFacts } from './resource-facts';
import { expandTemplate, templateSchema } from './uri-template';
import { useValuesRead } from './use-values-read';

/** One resource template: a field a variable, the uri they make as it is typed, and what that uri holds. */
export function TemplateDetail({ log, template }: { readonly log: Log; readonly template: TemplateEntry }) {
  const server = useLogState(log, (state) => state.connection.start?.name ?? '');
  const draft = useDocument(documentKey('template', server, template.key));
  const readOnly = useReadOnly(log);
  const sent = useSentDocument(useValuesRead(log, template.uriTemplate, readOnly));
  const document = readOnly ? sent : draft;
  const schema = useMemo(() => templateSchema(template.uriTemplate), [template.uriTemplate]);
  const values = document.parsed.ok && isRecord(document.parsed.value) ? document.parsed.value : {};
  const latest = useRef<unknown>(undefined);
  latest.current = values;
  const context = useCallback(() => latest.current, []);
  const complete = useComplete(log, JSON.stringify({ type: 'ref/resource', uri: template.uriTemplate }), context);
  const uri = expandTemplate(template.uriTemplate, values);
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto scroll-pb-14 p-3">
      <ResourceFacts entry={template} uri={template.uriTemplate} />
      <div data-form="">
        <JsonForm
          schema={schema}
          document={document}
          empty="This template has no variables."
          complete={readOnly ? undefined : complete}
        />
      </div>
      <p>
        <span className="text-muted">uri </span>
        <output className="font-mono text-wire">
          <UntrustedText text={uri ?? 'cannot be expanded'} limit={1_000} />
        </output>
      </p>
      <ReadView log={log} uri={uri ?? ''} blocked={uri === undefined ? 'The values do not make a uri.' : undefined} />
    </div>
  );
}
