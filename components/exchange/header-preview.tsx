import { useMemo, useState } from 'react';
import { visibleText } from '@/components/ui/visible-text';
import { shortenText } from '@/components/untrusted/untrusted-text';
import { useLogState } from '@/lib/hooks/log';
import { JsonSource } from '@/lib/json/source';
import type { JsonObject } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { countOf } from '@/lib/wire/format';
import { readHeaderParams } from '@/lib/wire/param-headers';
import { paramHeaders, standardHeaders } from '@/lib/wire/repeated-headers';

/** A header of the next call. */
export interface PreviewedHeader {
  readonly name: string;
  /** As sent. undefined if it is not. */
  readonly value: string | undefined;
  /** The text that `value` encodes, if it differs. */
  readonly text?: string;
  readonly problem?: string;
}

/** The parts of a call that its headers repeat. */
interface PreviewedCall {
  readonly method: string;
  /** The params without the arguments: `name` or `uri`. */
  readonly params: JsonObject;
  /** The tool's `inputSchema`. */
  readonly schema: unknown;
  readonly argumentsText: string;
}

/**
 * Returns the headers that repeat parts of a call (2026-07-28), made by the same code as those that are sent. `problem`
 * says why the schema's own headers are not sent.
 */
export function previewHeaders({ method, params, schema, argumentsText }: PreviewedCall): {
  readonly headers: readonly PreviewedHeader[];
  readonly problem: string | undefined;
} {
  const { params: wanted, problem } = readHeaderParams(schema);
  const named = Object.values(params).find((value) => typeof value === 'string');
  const standard = standardHeaders(method, params).map(([name, value]): PreviewedHeader => {
    const isEncoded = name === 'Mcp-Name' && value !== named;
    return { name, value, ...(isEncoded && { text: named }) };
  });
  const mirrored = paramHeaders(wanted, JsonSource.parse(argumentsText)).map(
    ({ name, value, text, problem: own }): PreviewedHeader => ({
      name,
      value,
      ...(value !== text && { text }),
      ...(own !== undefined && { problem: own }),
    }),
  );
  return { headers: [...standard, ...mirrored], problem };
}

/** Characters of a value that are shown. */
const SHOWN = 300;

/** The headers that repeat parts of the next call over HTTP. Empty for other transports and versions. */
export function HeaderPreview({ log, method, params, schema, argumentsText }: PreviewedCall & { readonly log: Log }) {
  const { era, start } = useLogState(log, (state) => state.connection);
  const isSent = era === 'modern' && start !== undefined && start.transport !== 'stdio';
  const { headers, problem } = useMemo(
    () => (isSent ? previewHeaders({ method, params, schema, argumentsText }) : NOTHING),
    [isSent, method, params, schema, argumentsText],
  );
  const [open] = useState(headers.length > 2);
  if (!isSent) return null;
  const faults = headers.filter((header) => header.problem !== undefined).length + (problem === undefined ? 0 : 1);
  return (
    <details open={open} className="min-w-0">
      <summary className="min-h-6 py-0.5 text-muted" title="The transport sends other headers as well">
        Repeated in HTTP headers{' '}
        <span className="text-small">
          {headers.filter(({ value }) => value !== undefined).length}
          {faults > 0 && <span className="text-error"> · ! {countOf(faults, 'problem')}</span>}
        </span>
      </summary>
      <dl className="mt-1 grid min-w-0 grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5">
        {headers.map(({ name, value, text, problem: fault }) => (
          <div key={name} className="contents">
            <dt className="max-w-40 truncate font-mono text-wire text-muted" title={visibleText(name)}>
              {visibleText(name)}
            </dt>
            <dd className="min-w-0">
              {value === undefined ? (
                <span className="text-small text-muted">not sent</span>
              ) : (
                <span className="font-mono text-wire wrap-anywhere">
                  {visibleText(shortenText(value, SHOWN))}
                  {value.length > SHOWN && '…'}
                </span>
              )}
              {text !== undefined && (
                <span className="block truncate text-small text-muted">
                  base64 of {visibleText(shortenText(text, SHOWN))}
                </span>
              )}
              {fault !== undefined && <span className="block text-small text-error">! {fault}</span>}
            </dd>
          </div>
        ))}
      </dl>
      {problem !== undefined && (
        <p className="mt-1 text-small break-words text-error">
          ! No Mcp-Param headers are sent. {visibleText(problem)}
        </p>
      )}
    </details>
  );
}

const NOTHING = { headers: [], problem: undefined };
