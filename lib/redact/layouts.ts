import { base64Says } from './base64-texts';
import { secretEntries } from './manifest-lines';
import { judgedSecret } from './named-value';
import type { NamedSecret } from './secret-names';
import { copiedCells, insertedCells } from './sql-rows';
import { tableCells } from './text-tables';
import type { LayoutKind } from './triggers';
import { isValue } from './value-words';

type Report = (secret: NamedSecret, from: number, to: number, value: string) => void;

const OF_KUBERNETES: NamedSecret = { rule: 'secret', value: 'any' };

/** The secrets of one text that are known by its layout: whatever of it was gone through for one is not for another. */
export class Layouts {
  readonly #text: string;
  readonly #weak: boolean;
  readonly #report: Report;
  /** Up to here no line need be asked about again, and no statement. */
  #judged = 0;
  #stated = 0;
  #manifests = false;

  constructor(text: string, weak: boolean, report: Report) {
    this.#text = text;
    this.#weak = weak;
    this.#report = report;
  }

  /** To be called for each place, from left to right, where one may begin, or in the head of a table. */
  at(kind: LayoutKind, at: number): void {
    if (kind === 'manifest') this.#entries();
    else if (at >= this.#stated && (kind !== 'table' || at >= this.#judged)) this.#cells(kind, at);
  }

  #cells(kind: keyof typeof FINDERS, at: number): void {
    const { cells, end } = FINDERS[kind](this.#text, at);
    if (kind === 'table') this.#judged = end;
    else this.#stated = end;
    for (const { from, to, secret } of cells) {
      const value = this.#text.slice(from, to);
      const judged = judgedSecret(value, secret, this.#weak);
      if (judged) this.#report(judged, from, to, value);
    }
  }

  #entries(): void {
    if (this.#manifests) return;
    this.#manifests = true;
    for (const { from, to, base64 } of secretEntries(this.#text)) {
      const value = this.#text.slice(from, to);
      for (const reading of readings(value, base64)) this.#report(OF_KUBERNETES, from, to, reading);
    }
  }
}

const FINDERS = { insert: insertedCells, copy: copiedCells, table: tableCells };

/** A value of a Secret of Kubernetes as it stands, and as what its base64 says; none for what is no value. */
export function readings(value: string, base64: boolean): readonly string[] {
  if (!isValue(value)) return [];
  const said = base64 ? base64Says(value)?.trim() : undefined;
  return said ? [value, said] : [value];
}
