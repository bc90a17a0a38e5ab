import { typeWords } from '@/lib/json/type-words';
import { isObject, own } from '@/lib/json/value';
import type { Negotiated } from '@/lib/mcp/handshake';
import { LISTINGS } from '@/lib/protocol/methods';

/** Returns a sentence for each capability with a list that is not an object, or for all capabilities together. */
export function capabilityFaults({ capabilities, invalidCapabilities }: Negotiated): readonly string[] {
  if (invalidCapabilities !== undefined) return [faultOf('`capabilities`', invalidCapabilities)];
  const names = new Set(LISTINGS.map(([, { capability }]) => capability));
  return [...names].flatMap((name) => {
    const value = own(capabilities, name);
    const isValid = value === undefined || value === false || isObject(value);
    return isValid ? [] : [faultOf(`The capability \`${name}\``, value)];
  });
}

function faultOf(what: string, value: unknown): string {
  return `${what} is ${typeWords(value)}, expected an object. Some clients then read no list.`;
}
