import type { FilterFault } from '@/lib/filter/fault';

/** What is wrong with a filter, and which rows are shown meanwhile: those that fit `held`, '' for all. */
export function faultWords({ message }: FilterFault, held: string): string {
  return `${message} ${held === '' ? 'All messages are shown' : `Shown is what fits “${held}”`} until then.`;
}
