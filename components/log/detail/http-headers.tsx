import { CopyButton } from '@/components/ui/copy-button';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { MASK, type ShownHeaders } from '@/lib/wire/http-frame';
import { Secret } from './secret';

/** Header fields in the order of the wire, secret ones masked; `seq` is their frame's. */
export function HttpHeaders({
  title,
  connection,
  seq,
  headers,
}: {
  readonly title: string;
  readonly connection: string;
  readonly seq: number;
  readonly headers: ShownHeaders;
}) {
  if (headers.length === 0) return <p className="text-muted">No headers.</p>;
  return (
    <section aria-label={title} className="min-w-0">
      <div className="flex items-center gap-2">
        <h3 className="font-medium">{title}</h3>
        <CopyButton text={() => headers.map(([name, value]) => `${name}: ${value}`).join('\n')} label="Copy" />
      </div>
      <table className="w-full table-fixed font-mono text-wire">
        <tbody>
          {headers.map(([name, value], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names repeat, and a frame never changes
            <tr key={index} className="border-b border-line align-top">
              <th scope="row" className="w-[38%] py-0.5 pr-2 text-left font-normal text-muted">
                <UntrustedText text={String(name)} limit={200} className="break-all" />
              </th>
              <td className="py-0.5">
                {value === MASK ? (
                  <Secret connection={connection} seq={seq} field={index} what={String(name)} />
                ) : (
                  <UntrustedText text={String(value)} limit={1000} className="break-all" />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
